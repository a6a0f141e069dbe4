"""Which national numbers are looked for."""

from privguard.detect import national_americas, national_europe, national_world

RULES = (*national_europe.RULES, *national_americas.RULES, *national_world.RULES)
