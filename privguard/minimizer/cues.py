"""Task cues: what the current instruction asks for, read off by keywords in seven languages.

A cue is a task and whether the span stands in the request itself or in material that comes with it. Rules instead
of a model: they cost microseconds, can be read, and say the same every time. English, German, French, Spanish,
Italian, Portuguese, Dutch; any other language gets `OTHER`, which has its own row in the need table.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from privguard.core.patterns import lazy_pattern
from privguard.core.segments import Role, Segment

WINDOW = 300  # code points read at either end of a message: instructions stand first or last, material between
MATERIAL = 600  # code points from which on a text is material to work on rather than a question


class Task(StrEnum):
    """What the instruction asks for."""

    REWRITE = "rewrite"  # translate, proofread, rephrase
    SUMMARIZE = "summarize"
    EXTRACT = "extract"  # list, classify, convert to JSON
    PLAN = "plan"  # a journey, a schedule
    CODE = "code"
    COMPUTE = "compute"  # a number, a date, an age
    WRITE = "write"  # an email, a story
    LOOKUP = "lookup"  # a fact about the named thing
    ADVISE = "advise"  # what to do: medical, legal, financial
    OTHER = "other"


@dataclass(frozen=True, slots=True, order=True)
class Cue:
    """One column of the need table."""

    task: Task
    material: bool  # the span stands in material rather than in the request itself

    def __str__(self) -> str:
        return f"{self.task.value}/{'material' if self.material else 'request'}"


CUES = tuple(Cue(task, material) for task in Task for material in (False, True))


def find_task(text: str) -> Task:
    """Return the task of one instruction: the first rule, in the order of `Task`, that finds a word of its own."""
    head_and_tail = text if len(text) <= 2 * WINDOW else f"{text[:WINDOW]}\n{text[-WINDOW:]}"
    lowered = head_and_tail.lower()
    for task, rule in _RULES:
        if rule.search(lowered):
            return task
    return Task.OTHER


def is_material(segment: Segment) -> bool:
    """Tell whether a segment is material: long, or neither the user's nor the system's words."""
    return segment.role not in (Role.USER, Role.SYSTEM) or len(segment.text) > MATERIAL


def find_tasks(segments: Sequence[Segment]) -> tuple[frozenset[Task], ...]:
    """Return the tasks that each segment serves.

    A text serves the instruction of its own user turn and those of all later turns, so that a longer conversation
    only adds tasks and never hides what an earlier request has disclosed. Adjacent user segments are one turn. Where
    a turn shows no task the system text is asked. Without any user turn the system's task is all there is.
    """
    system = find_task("\n".join(_ends(segment.text) for segment in segments if segment.role is Role.SYSTEM))
    turn_of, turns = _turns(segments)
    tasks = [task if (task := find_task(text)) is not Task.OTHER else system for text in turns]
    # A text before the first user turn serves all of them; one after the last serves the last.
    return tuple(frozenset(tasks[max(turn, 0) :]) or frozenset((system,)) for turn in turn_of)


def _turns(segments: Sequence[Segment]) -> tuple[list[int], list[str]]:
    """Return the number of the user turn that each segment belongs to, -1 before the first, and their ends."""
    turn_of: list[int] = []
    turns: list[list[str]] = []
    speaking = False
    for segment in segments:
        if segment.role is Role.USER:
            if not speaking:
                turns.append([])
            turns[-1].append(segment.text)
        speaking = segment.role is Role.USER
        turn_of.append(len(turns) - 1)
    return turn_of, [f"{_ends(texts[0])}\n{_ends(texts[-1])}" if len(texts) > 1 else texts[0] for texts in turns]


def _ends(text: str) -> str:
    # Half a window each, so that the ends of two texts fill one window and none is cut away.
    half = WINDOW // 2 - 1
    return text if len(text) <= 2 * half else f"{text[:half]}\n{text[-half:]}"


def _rule(*words: str) -> re.Pattern[str]:
    """Return a pattern that finds any of the words in lower-case text, at the beginning of a word."""
    # Grouped by first letter, since Python's engine tries the branches of an alternation one by one.
    branches: dict[str, list[str]] = {}
    for word in words:
        first = word[0] if word[0].isalpha() and word[1] not in "?*" else ""
        branches.setdefault(first, []).append(word[len(first) :])
    return lazy_pattern(r"\b(?:" + "|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in branches.items()) + ")")


# Beginnings of words, by language in the order en, de, fr, es, it, pt, nl. The order of the rules is the order of
# precedence: what names an operation on a given text comes before what may merely be mentioned in that text.
# fmt: off
_RULES = (
    (
        Task.REWRITE,
        _rule(
            r"translat", r"proof.?read", r"re-?(?:write|phras|word)", r"paraphras", r"polish", r"grammar", r"tone\b",
            r"shorten", r"simplify", r"rearrange", r"edit (?:this|the|my)",
            r"(?:correct|review) (?:this|the|my|following)",
            r"make (?:it|this|the \w+) (?:sound|more|shorter|clearer|better|formal|friendl)",
            r"more (?:formal|polite|concise|professional)", r"(?:write|say) (?:this|it|that) (?:better|again)",
            r"(?:check|fix|improve) (?:\w+ ){0,3}(?:spelling|english|e-?mail|text|letter|message|paragraph|wording)",
            r"übersetz", r"korrigier", r"umformulier", r"umschreib", r"kürze", r"verbesser", r"lektorier",
            r"tradui", r"corrige", r"reformul", r"réécri", r"améliore", r"raccourci", r"reli[st]", r"relecture",
            r"traduc", r"traduz", r"reescrib", r"corrig", r"mejora", r"acorta",
            r"tradurre", r"riscriv", r"corregg", r"riformul", r"migliora", r"accorcia",
            r"reescrev", r"melhor[ae]", r"encurt",
            r"verta[al]", r"herschrijf", r"herformul", r"verbeter", r"inkort",
        ),
    ),
    (
        Task.SUMMARIZE,
        _rule(
            r"summar", r"tl;?dr", r"sum up", r"recap", r"(?:key|main) points", r"bullet points?", r"condense",
            r"zusammenfass", r"fass\w* .{0,60}zusammen", r"résum", r"resum(?:ir|a\b|en\b|im|o\b)",
            r"resume (?:este|esta|isto|el|la|lo|los|las|o|os|as|en)\b", r"sintetiz", r"riassum",
            r"samenvat", r"vat .{0,60}samen",
        ),
    ),
    (
        Task.EXTRACT,
        _rule(
            r"extract", r"pull out", r"json", r"csv", r"tabul", r"categori[sz]e", r"classif", r"anonymi[sz]",
            r"(?:in)?to (?:an? )?(?:table|ya?ml|xml|spreadsheet|ics)", r"as (?:an? )?(?:table|ya?ml)",
            r"list (?:all|the|every)", r"sort (?:by|these|this|the)",
            r"extrahier", r"tabelle", r"liste alle", r"extrai", r"tableau", r"liste tou", r"extra[ei]r", r"tabla",
            r"estra[ire]", r"tabella", r"tabela", r"tabel\b", r"haal .{0,40}eruit",
        ),
    ),
    (
        Task.PLAN,
        _rule(
            r"itinerar", r"travel", r"(?:day|road|a|my|our|the|week) ?trip", r"vacation", r"holiday", r"tour\b",
            r"timetable", r"meal plan", r"plan (?:my|a|the|our|for|me|\d+|two|three)", r"things to do", r"flight",
            r"places to (?:stay|eat|visit|see)", r"fly(?:ing)? (?:from|to|into)",
            r"reise", r"urlaub", r"ausflug", r"voyage", r"vacances", r"séjour", r"itinéraire", r"viaj", r"vacaciones",
            r"viagg", r"vacanz", r"viagem", r"férias", r"roteiro", r"reis", r"vakantie",
        ),
    ),
    (
        Task.CODE,
        _rule(
            r"code", r"python", r"javascript", r"sql\b", r"script (?:that|to|in)\b", r"function", r"regex", r"bash",
            r"docker", r"stack ?trace", r"traceback", r"exception", r"errors?\b", r"debug", r"excel", r"formula",
            r"html", r"config", r"logs?\b", r"terraform", r"kubernetes", r"programm", r"código", r"codice",
        ),
    ),
    (
        Task.COMPUTE,
        _rule(
            r"calculat", r"comput(?!er)", r"how (?:many|much|old|long|far)\b", r"(?:in|the) total", r"percentage",
            r"probabilit", r"(?:on|the) average", r"work out", r"add (?:up|them|it)", r"solve", r"convert", r"estimate",
            r"split (?:the|it|this)", r"days? (?:until|between|from)", r"step by step",
            r"what(?:'s| is) the (?:last |first |latest )?(?:day|date|age|difference|sum|maximum|minimum|price)",
            r"berechn", r"rechne", r"wie (?:viel|lange|alt|hoch)\b", r"calcul", r"combien", r"quel âge", r"cuánt",
            r"calcol", r"quant[oiae]s?\b", r"bereken", r"hoeveel", r"hoe (?:lang|oud)\b",
        ),
    ),
    (
        Task.WRITE,
        _rule(
            r"write", r"draft", r"compose", r"e-?mail", r"letter", r"reply", r"respond to", r"message to",
            r"stor(?:y|ies)", r"poem", r"song", r"speech", r"essay", r"article", r"blog", r"post\b", r"script",
            r"press release", r"(?:create|prepare|produce|make) (?:an?|me|\d+)\b", r"generate",
            r"schreib", r"verfass", r"entw[iu]rf", r"brief\b", r"mail", r"gedicht", r"écri", r"rédig", r"lettre",
            r"courriel", r"escrib", r"redact", r"carta", r"correo", r"scriv", r"lettera", r"redig", r"escrev", r"redij",
            r"schrijf(?!st)", r"stel .{0,30} op\b",
        ),
    ),
    (
        Task.LOOKUP,
        _rule(
            r"who (?:is|was|are)", r"where (?:is|are|was|can)", r"tell me about", r"what (?:is|are|was)\b",
            r"when (?:is|was|did)", r"which", r"recommend", r"suggest", r"compare", r"best\b", r"near\b", r"rate\b",
            r"information (?:on|about)", r"explain", r"describe",
            r"wer (?:ist|war)", r"wo (?:ist|liegt|kann)", r"was ist", r"erklär", r"empfiehl", r"qui est", r"où\b",
            r"quel", r"qu'est-ce", r"expli(?:qu|ca)", r"recommand", r"quién", r"dónde", r"qué es", r"recomiend",
            r"chi è", r"dove\b", r"cos'è", r"spiega", r"consigli", r"quem", r"onde\b", r"o que é", r"wie is",
            r"waar", r"wat is", r"leg .{0,20}uit",
        ),
    ),
    (
        Task.ADVISE,
        _rule(
            r"should i", r"can i", r"what (?:can|should|do) (?:i|we)", r"advi[cs]", r"help me", r"am i\b",
            r"is (?:it|this) (?:legal|normal|ok|safe)", r"how (?:do|can|should) i", r"soll(?:te)? ich", r"darf ich",
            r"kann ich", r"was (?:kann|soll)", r"rat\b", r"dois-je", r"puis-je", r"que faire", r"conseil", r"debo",
            r"puedo", r"consejo", r"devo", r"posso", r"conselho", r"moet ik", r"mag ik", r"kan ik", r"advies",
        ),
    ),
)
# fmt: on
