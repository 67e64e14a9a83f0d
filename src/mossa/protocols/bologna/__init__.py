"""Java players of the courses in Bologna: found, compiled and driven as they are."""
