"""Short and pet forms of given names, in a compact table of our own; a row is one name, its full form first.

Only names whose bearers are nearly always of one sex stand here, since the table also tells Mr from Mrs.
"""

from functools import cache
from typing import NamedTuple

_MALE = """
albert al bert bertie | alexander alex alec sandy xander sascha sasha alejandro alessandro aleksander aleksandr
alexandre olek | alfred alf alfie fred freddy | andrew andy drew andreas andrei andrej andrzej anders andre andrzejek
| anthony tony antony anton antonio toni antoine | arthur art artie artur arturo | benjamin ben benny benji benjamino
| bernard bernie bernhard bernd bernardo | charles charlie chuck chas karl carl carlos carlo charly karel |
christopher chris kit topher christoph christophe cristobal kris krzysztof | christian chris kris cristian | daniel
dan danny daniele danilo | david dave davey davide dawid | dennis denny denis | dominic dom nick dominik dominique
domenico | donald don donnie | edward ed eddie ned ted teddy eduard eduardo edoardo edek | edmund ed eddie ned |
eugene gene eugen eugenio | francis frank frankie francisco paco pancho francesco franz francois franek franciszek
kiko chico | frederick fred freddy freddie rick friedrich fritz frederic federico | gabriel gabe gabi | geoffrey geoff
jeff jeffrey | gerald gerry jerry gerhard gerd | george georgie georg jorge giorgio georges jurgen jorg schorsch jerzy
jurek | gregory greg gregor gregorio grzegorz | harold harry hal harald | henry harry hank hal heinrich heinz hendrik
henk henri enrique enrico henryk | ignatius nacho ignacio | isaac ike | jacob jake jakob kuba jakub jacobo | james jim
jimmy jamie jaime jimbo | jeremiah jerry | jeremy jerry jem | john johnny jack jon jonny johnnie johann johannes hans
hannes juan juanito giovanni gianni joao ivan vanya jan janek jean ian sean | jonathan jon jonny nathan | joseph joe
joey jos josef sepp jose pepe giuseppe beppe jozef jozek youssef | joshua josh | kenneth ken kenny | lawrence larry
laurie lars lorenz lorenzo laurent laurence | leonard leo len lenny leonardo | leopold leo poldi | louis lou louie
ludwig luis luigi lodewijk ludovic | marcus marc mark markus marco marcos marek | martin marty martino | matthew matt
matty matthias matthieu mateo matteo mats mateusz | maximilian max maxi | maxwell max | michael mike mick mickey micky
michel michele miguel mikael michal michail misha mihai | nathaniel nate nat nathan | nicholas nick nicky nico nicolas
nikolaus niklas klaus nikolai kolya niccolo mikolaj | oliver ollie olli olivier | oscar ozzie oskar | patrick pat
paddy patricio patrice | paul paulie paolo pablo paulo pavel pawel paulus | peter pete pedro pietro pierre piotr petr
pyotr petya piet pieter | philip phil pip philipp philippe felipe filippo filip | raymond ray raimund ramon raimundo |
reginald reg reggie | richard rick ricky dick rich richie riccardo ricardo ryszard | robert rob robbie bob bobby bert
roberto | roger rodge rudiger | roland rolf rollo orlando | ronald ron ronnie | rudolf rudi rodolfo | rupert bert
ruprecht | samuel sam sammy | sebastian seb bastian basti sebastiano sebastien | sergei seryozha sergio serge | simon
si simeon | stanley stan stanislaw stanislav staszek | stephen steve stevie steven stefan stephan stefano etienne
esteban stepan szczepan | theodore ted teddy theo theodor teodoro | thomas tom tommy tomas tommaso tomasz | timothy
tim timmy timo timoteo | tobias toby tobi | victor vic viktor vittorio | vincent vince vinny vinnie vinzenz vicente
vincenzo | vladimir vova volodya wladimir wolodymyr | dmitri dima mitya dmitry | alexei alyosha lyosha | walter walt
wally | wilhelm willi willy wim guillaume guillermo memo | william will bill billy willy liam wil | wolfgang wolf |
zachary zach zack | mehmet memo mohammed mohamed muhammad | mustafa musti | ibrahim ibo abraham abe | rafael rafa
raphael rafi | ernest ernie ernst ernesto neto | eric erik rick erich
"""
_FEMALE = """
abigail abby gail | adelaide addie heidi adele | agnes aggie ines agnieszka | alexandra alex sandra lexi sasha sascha
alessandra alejandra ola | alice ali alicia alison | amanda mandy | amelia amy millie | angela angie angelika angelina
| anna ann anne annie anita anya anja hanna ana ania anouk | antonia toni tonia | barbara barb babs barbie basia
babette | beatrice bea trixie beatriz beatrix | bridget biddy brigitte gitte birgit | caroline carrie lina carolina
karoline carol carola | cassandra cass cassie | catherine cathy kate katie kathy katherine kathryn kitty cat kathrin
katrin katharina kathi katja catalina caterina katarzyna kasia ekaterina katya karin | cecilia cecily cissy cilla
celia | charlotte lottie lotte charly | christina chris tina christine kirsten kristina krystyna cristina christiane |
clara claire klara chiara | constance connie | cynthia cindy | deborah deb debbie | diana di diane | dorothy dot
dottie dolly dorothea dora dorota | eleanor ellie nell nora ella elena leonor eleonora | elizabeth liz lizzie beth
betty eliza elsie libby bess lisa elisabeth elli sissi elise elzbieta ela isabel elisabetta bettina | emily em emmy
emilia emilie | emma em emmy | esther essie hester | eva eve evi ewa | florence flo florrie | frances fran franny
francesca franziska franzi paca | gabriele gabi gabriella gabriela | georgina georgie gina | geraldine gerry |
gertrude trudy gertie gertrud | gwendolyn gwen | harriet hattie | helen nell lena elena helena helene ilona |
henrietta hetty etta | irene rena irena irina ira | isabella bella izzy belle isabelle | jacqueline jackie | jane
janie jenny janet | janet jan | jennifer jen jenny | jessica jess jessie | joanna jo joan johanna hanna giovanna joana
asia | josephine jo josie josefine josefa pepita giuseppina | judith judy jutta judit | julia julie jules giulia
juliette juliana | katarina kata | laura laurie lori lola | leila layla | lillian lily lil | linda lindy | louise lou
louisa luise luisa | lucy lucia lucie lucile | ludmila mila luda | madeleine maddie madeline magdalena lena magda |
margaret maggie meg peggy marge greta margarete margarita gretel rita marguerite malgorzata gosia margit | martha
marty marta | mary molly polly maria marie mia mimi maja mitzi masha maryam mariam | matilda tilly mathilde | melanie
mel | melissa mel missy | michelle shelly michaela | miranda mandy randi | monica mona monika monique | nancy nan |
natalie nat natalia natasha nathalie | nicole nicky nicolette | olivia liv livvy | pamela pam | patricia pat patty
trish tricia patrizia | penelope penny | philippa pippa | rachel rae raquel | rebecca becky becca rebekka | roberta
bobbie | rosemary rosie romy | rose rosa rosie rosalie rosalind | samantha sam sammy | sarah sally sadie sara zara |
sophia sophie sonia zosia zofia sofia sofie sonja | stephanie steph stefanie steffi stefania | susan sue susie suzy
susanne susanna susana zuzanna zuza sanne | svetlana sveta lana | tamara tammy toma | teresa terry tess tessa theresa
therese tracy resi | tatiana tanya tania tatjana | theodora thea dora | ursula uschi urszula ula | valentina valya |
valerie val | veronica ronnie vera veronika veronique | victoria vicky tori viktoria vittoria | virginia ginny |
vivian viv vivienne | wilhelmina mina wilma minnie | winifred winnie | yelena lena helena | yevgenia zhenya eugenia |
zeynep zeyno | ayse ayshe aisha | fatima fatma
"""


class GivenName(NamedTuple):
    """What the table knows of a given name."""

    rows: tuple[str, ...]  # the full names that it may stand for
    gender: str  # "m", "f", or "" where it may be either


@cache
def _table() -> dict[str, GivenName]:
    rows: dict[str, list[str]] = {}
    genders: dict[str, set[str]] = {}
    for gender, block in (("m", _MALE), ("f", _FEMALE)):
        for row in block.split("|"):
            words = row.split()
            for word in words:
                rows.setdefault(word, []).append(f"{gender}:{words[0]}")
                genders.setdefault(word, set()).add(gender)
    return {
        word: GivenName(tuple(found), "".join(genders[word]) if len(genders[word]) == 1 else "")
        for word, found in rows.items()
    }


_UNKNOWN = GivenName((), "")


def look_up(folded: str) -> GivenName:
    """Return what is known of a given name, folded; nothing where it is not in the table."""
    return _table().get(folded, _UNKNOWN)
