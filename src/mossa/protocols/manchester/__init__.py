"""Manchester's kalah: its programs as players (drive), our players under its referee (serve)."""
