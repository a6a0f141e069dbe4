"""Words that are names as well, and words that say nothing of anybody: where the letter case does not tell.

A value in lower case is looked for everywhere, in any case and within identifiers, unless it is one of these.
"""

import keyword
import re

from privguard.core.entities import Category, EntityType
from privguard.detect.everyday import EVERYDAY, GERMAN, INSTRUCTIONS, MATTERS, TRADES
from privguard.detect.found import listed

MIN_LETTERS = 4  # of a word that is told without its capital
MIN_SENSITIVE = 3  # of one that names a condition or a belief
MIN_UNLISTED = 7  # of a name in lower case that running text does not take for a word
MIN_ACCESS = 6  # of a secret or a user name: `admin` and `root` stand everywhere

# Parts of names that are words or months as well: they are no mention of anybody on their own, however written.
COMMON_PARTS = listed(
    "abbot abbott abu and april art august autumn baker bank banks bell ben best bill bin bishop black blue bond "
    "brook brown bush carpenter cash chance chase christian church clay cook cross crystal daisy dale das dawn day "
    "dean del der doctor dos drew duke earl early east ernest faith field fields fisher ford forest fox frank frau "
    "friday gates gene glen good grace grant gray green grey guy hall harmony herr hill holiday hope house hunter ibn "
    "iris ivy jack jewel joy judge july june junior king knight lake lane las law lily long los love madam major "
    "march mark marsh martin mason may mercy mill miller miss missus mister monday moon moore noble north page paris "
    "park parker parsons patience pearl penny pierce pope porter potter power price prince prof professor rain ray "
    "read reed rich river rob robin rock rose ruby rush sage sandy senior shepherd short silver skip sky smart smith "
    "snow south stone story strange street sue summer sunday taylor the thursday town trip tuesday turner van von "
    "wall ward wednesday week wells west white will winter wise wolf wood woods word young"
)
# Names that tell somebody with a capital only.
_NAMES = listed(
    "adam alegre alle allein alt amber amor angel apple arch archer asia axes bailiff barber basil bass bath beam "
    "bean bear bella bello berry bianca bianco birch bird blanc blanca blanco bliss bolt bon booth boss brand brandy "
    "bravo bridge bright brooks bruno buck buena bueno bull buono burn burns butcher butler calvo campo campos candy "
    "cannon caro case cedar chad charity cherry chile china chip chuck clair claire clara clark cliff cloud coffin "
    "cole colt constant coral cork corn costa cotton court craft crane crisp crow cruz curry cutter dank dash delgado "
    "diamond dime dollar dolly doux dove drake dulce dusk dust easter elder ember emerald ernst essen ever fair "
    "falcon farmer fawn fein felice fern finch fiore fleet fleur flint flor flora flores flower flowers foot fort "
    "forte forth foster fountain freed freeman frei french fromm frost gale game garden gardener garland garnet "
    "genesis gentil gentry gift ginger goed gold golden grand groen groom groot gros gross grove grün guerra guinea "
    "gut halle halo hand hardy harper hart harvest hawk hazel heart heather heaven heiss herb herbst hero holly honey "
    "hood hook horn hunt hurst india ivory jade jasmine jasper java jean jersey jet jeune jolly jong jonge jordan "
    "julia jung juste jünger kalt kelvin kid kite kitty klar klein klug kraft krank kurz lamb lance landing lang "
    "lange lark laurel lavender leaf leal legend leicht leone liberty licht lieb light lima linda lion list llano "
    "locke longo lord lotus lucky luna mace magnolia male man manning marble marina marine marshal maverick max maxim "
    "mead meadow meer mehr melody memory merit merry might mike mile miles milk mint misty mobile money monk monte "
    "mora moreno morning moss mould mutter nancy nash neu nice nickel night noir norm nova nut oak ocean olive opal "
    "orange orchid orion otter oud owl pace paint painter palm paloma pansy pascal pass past pastor pat patty paz "
    "peace peacock pearce peck peel pepper perch perla perry petal petit petty phoenix piano pierre pike pilar pine "
    "piper pitt plain plata plum plumber pole pollock pool poppy post pound powers prado prime prosper prudence queen "
    "quick quill rage rally ram ranch raven reading rebel redondo reef regal reich reina reyes rice rico ridge ring "
    "ringer rings rios ripple rite robe robot roche rojo roman rood rosa rosso rouge roux rover royal rubio rudder "
    "russo rust sable sailor saint sala salmon salt sand sands santa santos sauer sawyer scarlet scharf schlecht "
    "schmal schwarz schön serra sharp shaw shell shield ship shore shrub sierra silk simple singer small snel sol "
    "soledad sommer spark sparks sparrow split spring squire staff star stark steel stern steward still stock stolz "
    "storm stout streets streng summers sunny swan sweet swift süß tag tanner teal temple terra testa thorn thyme "
    "tief tiger tiller timber toll torre torres trace travel treasure tree trench trinity troll troy true trump tulip "
    "turkey usher vale valentine vanilla velvet venture venus verde verity vert vice victor victory villa ville vine "
    "viola violet vita voll vrai wahl wake waters weaver web weiss weiß wenig wheat wheeler wild wilder willow winner "
    "winters wit worth wren wright zion zwart"
)
_FUNCTION_WORDS = listed(
    "aan aber about above after again against ainda algo algum algunos alleen allem allen aller alles allora almost "
    "along alors als also although altijd always among anche ancora ander andere anderen another ante antes anybody "
    "anyone anything anywhere après após aquel aquele aquella aquí are around assez assim até auch aucun auf aus "
    "aussi autre autres avant avec avere avoir away back bad beaucoup because been before behind bei being below bene "
    "bereits beside besides between bevor bien bij bis both but cada came can cannot cela celle celui ces cette ceux "
    "chaque che chez chi coisa com come comme comment como con contra contre cosa così could cual cuando cuanto cui "
    "daar dabei dal dalla damit dan dann dans daran darauf dass dat degli dei dein deine dela dele deles della delle "
    "dello dem den denn depois depuis deren des desde dessen deux deve deze dich die dies diese diesem diesen dieser "
    "dieses dir dit doch does doing donc donde done dont door dopo dort down durante durch during dus each eben een "
    "eens ein eine einem einen einer eines einige either ela elas eles elke ella ellas elle elles ellos else encore "
    "enough entre era erg esa ese eso essa esse essere est esta estaba este esto estos está están etwa euch euer even "
    "every everybody everyone everything faire fait far fare few first foi for fra from fue further für gave geen "
    "gegen get give given gli goes gone got haar habe haben hace hacia had hanno has hasta hatte have having hay heb "
    "hebben heeft hem hence her here hers herself het hier him himself hinter his hoe how however hun ich ici iets "
    "ihm ihn ihnen ihr ihre ihrem ihren ihrer ils immer into isso ist isto its itself jamais jede jedem jeden jeder "
    "jedes jener jetzt jou jouw just kan kann keep kein keine keinem keinen keiner kept know known können last later "
    "least lei less let leur leurs like little look loro lui maar made mai mais make many mas mein meine meinem "
    "meinen meiner men meno menos mes mesmo met mich mientras mieux mijn mine mio mir mismo mit moet moins molto mon "
    "more most much mucho muchos muito muss must muy myself más même naar nach nada near need neither nel nella nelle "
    "nem never next nicht nichts niente niet niets nobody noch nog noi non none nor nos nosotros nossa nosso nostro "
    "not nothing notre nous now nowhere nun nunca nur oder off often ogni ohne old oltre omdat once onde onder one "
    "only ons onto ook other others otra otras otro otros ou ought our ours out outra outro over own par para parce "
    "pas pela pelo pendant per perché perhaps pero però peu peut più please plus poco poi pois por porque pour "
    "pourquoi presque prima proprio puede pues quais qual quale quand quando quanto que quel quella quelle quelli "
    "quello quelque quem questa queste questi questo qui quien quite quoi rather really said same sans saw say schon "
    "se sea see seen según sehr sein seine seinem seinen seiner seit selon sem sempre senza ser ses seu several shall "
    "she should sia sich sie siempre since sind sino sobre solche sollte solo some somebody someone something "
    "sometimes somewhere son sondern sono sont soon sopra sotto sous sowie stato sua such sul sulla suo suoi sur são "
    "take taken también também tanto tem ter than that their theirs them then there therefore these they thing things "
    "this those though three through thus tiene toch toda todas today todo todos toen together tomorrow too took tot "
    "tous tout toute toutes toward towards tra trop très tudo tutti tutto two uit uma una und under une uno unos uns "
    "unser unsere unter until upon use used usted veel vers very via viel viele você vom voor vor vostro votre vous "
    "waar wann wanneer want war waren warum was wat wegen weil welche welcher wenn wer werd werden were what whatever "
    "when where whether which while who whole whom whose why wie wieder wij wird with within without worden would "
    "wurde würde yes yesterday yet you your yours yourself zal zelf zich zij zijn zonder zou zum zur zwar zwischen "
    "être über"
)
_ARTICLES = listed("das del den der die dos las los the")
# What stands in programs, forms and instructions, whoever wrote them; and the software that is named after its maker.
_MATTER_OF_COURSE = listed(
    "account action active acute address adobe adult age agent airflow alexa alphabet amazon amount anaconda android "
    "angular anonymous answer anthropic apache array asana async atlassian attribute average await azure base bash "
    "begin bigint bitbucket block body bool boolean bootstrap box branch bug build button bytes call cast category "
    "cell change char chart check child chrome chronic circle class claude clinic close cloudflare cobra code cold "
    "color colour column command commit company condition config confluence const constructor consul content context "
    "contract control copy count create current cursor customer dart data database databricks datadog date deal debug "
    "default delete delta department description detail details diagnosis dict diet discord django docker document "
    "domain double draft drop dropbox drug dtype edit elastic elixir email employee empty end entry enum epic error "
    "event example excel export express extends extern extract facebook factor fail fall false family fastapi feature "
    "figma file filter final firebase firefox fix flask float flutter foreach form format fortran free full func "
    "function gemini general github gitlab global gmail godot google goto gradle grafana group haskell health helm "
    "help heroku high home hospital host hugo human icon image implements import indeed index info input insert "
    "instagram instanceof int integer intel interface invoice item jenkins jest jira job json jupyter kafka key "
    "kotlin kubernetes label lambda language laravel layer left legal length letter level library license line linear "
    "link linkedin linux lisp llama load local location log login loss main manager master match matter maximum "
    "medical medication medicine member menu merge message meta method microsoft mild min minimum mistral mocha mode "
    "model module mongo mongodb mother mutable mysql name namespace negative neon netlify new news node normal note "
    "notion null number nvidia object offer office okta open openai opera operation operator option oracle order "
    "organization outlook output override owner package pandas panel parent part party password patch path patient "
    "pattern perl person phase phone picture pinecone place plan point policy position positive postgres postman "
    "powershell prefix present primary print prisma private process product profile program project prompt property "
    "protected public pull push python query question queue rails random range rate raw react readonly record reddit "
    "redis reference region release remote replace replit report request required reset resource response rest result "
    "return review right role root route rule run safari salesforce sample scala scale school scope score script "
    "search section segment select self sentence sentry serial series server service session set setting settings "
    "severe sheet shopify shot show side sign signal signed single siri site size sizeof slack snap snowflake solid "
    "sort source space span sqlite square stable stage standard start state static status step stop stream string "
    "stripe struct structure student style subject submit suffix suit suite summary supabase super support switch "
    "symbol symptom symptoms synchronized system table target task team teams telegram temp template tensor term "
    "terraform tesla test tests text theme throw throws ticket time timeout title toast token tool top total train "
    "travis treatment trial tuple twitter type typedef typename typeof ubuntu undefined union unique unit unity "
    "university unsigned update upload url user username users using value values var varchar variable vercel version "
    "view virtual visa vision visit void volatile volume warning well width window windows wizard wordpress work "
    "worker world write xcode yahoo youtube zapier zoom"
)
ORDINARY = frozenset(
    word.casefold()
    for word in (
        *COMMON_PARTS,
        *_NAMES,
        *_FUNCTION_WORDS,
        *_MATTER_OF_COURSE,
        *GERMAN,
        *EVERYDAY,
        *INSTRUCTIONS,
        *MATTERS,
        *keyword.kwlist,
    )
)
_PROSE = ORDINARY | frozenset(map(str.casefold, TRADES))
_NOUNS = frozenset(map(str.casefold, GERMAN | TRADES))
_THINGS = frozenset(map(str.casefold, _MATTER_OF_COURSE | EVERYDAY | MATTERS)) - COMMON_PARTS - _NAMES
# Endings that make words, and hardly a surname.
_ENDING = re.compile(
    r"(?:tion(?:en|s)?|ci[o\u00f3]n(?:es)?|\u00e7(?:\u00e3o|\u00f5es)|zion[ei]|[hk]eit(?:en)?|schaft(?:en)?|bility)\Z"
)

_ACCESS = frozenset({EntityType.SECRET, EntityType.USERNAME})
# Their single words are said of anybody: `nurse`, `wife`, `german`, `yesterday`, `salary`. A second mention may be of
# somebody else or of nobody ("act as a nurse", "translate to german"), and hiding it breaks the request.
_SAID_OF_ANYBODY = frozenset(
    kind
    for kind in EntityType
    if kind.category is Category.QUASI and kind not in {EntityType.LOCATION, EntityType.ORGANIZATION}
) | {EntityType.FINANCE}
_SENSITIVE = frozenset(kind for kind in EntityType if kind.category is Category.SENSITIVE)


def is_telling(word: str, kind: EntityType) -> bool:
    """Tell whether a single word is a mention of a value of this type whatever its letter case."""
    if kind in _ACCESS:
        return len(word) >= MIN_ACCESS
    if kind in _SAID_OF_ANYBODY:
        return False
    return len(word) >= (MIN_SENSITIVE if kind in _SENSITIVE else MIN_LETTERS) and word.casefold() not in ORDINARY


def is_said_of_anybody(kind: EntityType) -> bool:
    """Tell whether the words of this type say nothing of one person alone."""
    return kind in _SAID_OF_ANYBODY


def is_function_word(word: str) -> bool:
    """Tell whether a word only joins others, in lower case."""
    return len(word) < MIN_SENSITIVE or word in _FUNCTION_WORDS or word in _ARTICLES


def is_instruction(word: str) -> bool:
    """Tell whether a word is what requests begin with."""
    return word.casefold() in INSTRUCTIONS


def may_be_word(word: str) -> bool:
    """Tell whether a single word in lower case may be no name in running text: listed, formed like a word or short."""
    folded = word.casefold()
    return len(folded) < MIN_UNLISTED or folded in _PROSE or _ENDING.search(folded) is not None


def is_noun(word: str, *, german: bool) -> bool:
    """Tell whether a capitalised word behind an article of German, or of another language, is a thing or a trade."""
    return word.casefold() in (_NOUNS if german else _THINGS)
