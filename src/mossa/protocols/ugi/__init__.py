"""UGI: programs that speak it as players (drive), our players as programs (serve)."""
