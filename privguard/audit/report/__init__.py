"""A page that tells a data-protection officer what left, what came back and what was refused, in numbers alone."""
