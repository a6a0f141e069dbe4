"""The words that dates are written with, folded: English, German, French, Spanish, Italian, Portuguese, Dutch."""

MONTH_NAMES = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
SEASONS = ("winter", "spring", "summer", "autumn")

_MONTHS = (
    "january jan januar janner jaenner janvier janv enero ene gennaio gen janeiro januari",
    "february feb februar feber fevrier fevr fev febrero febbraio fevereiro februari",
    "march mar marz maerz mrz mars marzo marco maart mrt",
    "april apr avril avr abril abr aprile",
    "may mai mayo maggio mag maio mei",
    "june jun juni juin junio giugno giu junho",
    "july jul juli juillet juil julio luglio lug julho",
    "august aug aout agosto ago augustus",
    "september sep sept septembre septiembre setiembre settembre set setembro",
    "october oct oktober okt octobre octubre ottobre ott outubro out",
    "november nov novembre noviembre novembro",
    "december dec dezember dez decembre diciembre dic dicembre dezembro",
)
_SEASONS = (
    "winter hiver invierno inverno",
    "spring fruhling fruehling fruhjahr fruehjahr printemps primavera lente voorjaar",
    "summer sommer ete verano verao estate zomer",
    "autumn fall herbst automne otono outono autunno herfst",
)
MONTHS = {word: number for number, words in enumerate(_MONTHS, start=1) for word in words.split()}
SEASON_WORDS = {word: season for season, words in zip(SEASONS, _SEASONS, strict=True) for word in words.split()}

# Words that change nothing about which day, month or year is meant, or only narrow it: dropping them widens.
_FILLERS = """
a about ad an am anno ano any around as at autour beginning born by c ca ce circa d da dal date day de del dem den
der di dia die dated do dob du e early einde el em en end ende environ fin fine from gegen giorno il im in jaar
jahr je jour le la late le los mid mitte nd o of om on op op por rd seit since st starting tag th the um until
van vers vom von year
"""
_WEEKDAYS = """
monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag
lundi mardi mercredi jeudi vendredi samedi dimanche
lunes martes miercoles jueves viernes sabado domingo
lunedi martedi mercoledi giovedi venerdi domenica
segunda terca quarta quinta sexta feira
maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
"""
FILLERS = frozenset(f"{_FILLERS} {_WEEKDAYS}".split())
# Of these, the ones that leave a day the same day. "Since", "before" and "around" do not.
_NEUTRAL = """
am anno ano d da dal date day de del dem den der di dia die dated do dob du el em en giorno il im in jaar jahr je jour
la le los nd o of om on op rd st tag th the year
"""
NEUTRAL = frozenset(f"{_NEUTRAL} {_WEEKDAYS}".split())
