"""Words around a name: titles with the sex that they tell, particles and suffixes."""

# ruff: noqa: RUF001 - words of other scripts

from privguard.detect.found import listed

MALE = listed(
    "mr mister sir lord herr hr monsieur señor senor sr don signor signore sig dottore senhor dom heer dhr meneer "
    "pan pán pana panu господин г-н пан κύριος κύριε κ bay bey herra domnul dl úr father brother fr uncle prince "
    "king baron graf freiherr onkel tio tío zio oncle frère père padre gospodin g-din"
)
FEMALE = listed(
    "mrs ms miss madam madame ma'am lady dame frau fr. fräulein fraulein mme mlle mademoiselle señora senora sra "
    "señorita srta doña dona signora sig.ra sigra dott.ssa d.ssa dottoressa prof.ssa senhora mevrouw mevr mw pani "
    "paní госпожа г-жа пані κυρία κα bayan hanım hanim rouva fru frk doamna dna sister aunt tante tía tia zia "
    "soeur sœur princess queen baroness countess gräfin gospođa gospodja professorin doktorin"
)
# Before a mention it is a title; within one it may be an initial.
MONSIEUR = "M."
NEUTRAL = listed(
    "dr doctor prof professor doc doktor rev reverend hon judge justice president senator rep gov governor mayor "
    "capt captain col colonel lt lieutenant sgt sergeant major gen general officer detective agent mx dipl-ing "
    "dott dra ingeniero licenciado lic maître maitre docteur professeur avv avvocato drs mgr inż inz др доктор "
    "проф профессор sayın sayin doç uzm nurse coach chef minister ambassador king's kollege kollegin colleague "
    "chairman principal inspector attorney solicitor barrister counsel magistrate sheriff constable councillor pastor "
    "rabbi imam"
)
TITLES = MALE | FEMALE | NEUTRAL
# These go with a given name as readily as with a surname.
BEFORE_GIVEN = listed(
    "sir dame don doña dona dom lady miss father sister brother uncle aunt onkel tante tio tío tia tía zio zia "
    "oncle frère soeur sœur père padre bay bey bayan hanım hanim prince princess king queen pan pani pán paní "
    "coach"
)
TRAILING = listed(
    "san sama kun chan sensei bey hanım hanim ji phd ph.d md m.d esq dds rn cpa msc bsc ma ba mba obe mbe kc qc"
)
# Before a single word these are as likely a given name.
NAMES_TOO = listed("don dom prince king queen justice major dean col doc gen")
# Given names of men that end in a; most others that do are women's.
MALE_IN_A = listed(
    "luca nikola nicola andrea joshua ezra elia ilia ilya nikita mustafa musa isa mika juha jukka pekka sasha "
    "misha kolya vanya seryozha dima mitya kostya lyosha vova kuba barnaba sava aca bora krishna rama shiva akira "
    "kenta shota yuta ryota sota hiroya tatsuya kazuya takuya yuya yahya zakaria abdalla garcia dara costa fela"
)
PARTICLES = listed(
    "van von der den de del della dello dei degli di da do dos das du des la las le les los ter ten te zu zur zum "
    "vom al el ul bin ibn bint abu y e af av"
)
