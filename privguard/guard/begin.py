"""Guard: detect, spread, merge, need, choose, render. Pure but for the clock and the sink that are passed in."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from functools import cache, partial

from privguard.core.audit import AuditRecord, Outcome
from privguard.core.errors import PlanError, ProtectionError
from privguard.core.holding import Owner
from privguard.core.memory import Memory
from privguard.core.merging import merge_tables
from privguard.core.plan import Plan
from privguard.core.profile import Profile, Unread
from privguard.core.protocols import Detector
from privguard.core.segments import Segment
from privguard.core.targets import Provenance, TargetModel
from privguard.detect.lists import DenyBook
from privguard.guard.announcing import announce
from privguard.guard.beside import is_sensitive
from privguard.guard.choosing import choices_for, own_values
from privguard.guard.context import profile_in_force
from privguard.guard.conversing import forget, setting_of
from privguard.guard.entities import group_entities
from privguard.guard.exchange import Exchange
from privguard.guard.finding import Findings, find, finding_memory
from privguard.guard.hinting import Hints
from privguard.guard.holding import required
from privguard.guard.life import Life
from privguard.guard.notebook import Notebook
from privguard.guard.parts import Parts
from privguard.guard.rehearsing import rehearsal_parts
from privguard.guard.render import Rendered, Renderer, render
from privguard.guard.reopening import reopen
from privguard.guard.reply import Judges, Look, Sent
from privguard.guard.request import Request
from privguard.guard.telling import told
from privguard.guard.tracing import Content, Trace, note_trace, traced
from privguard.guard.turns import words_begun
from privguard.guard.unread import refuse_unread


class Guard:
    """Protect requests. Thread-safe; holds no request."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._scanned: Memory[bool] = Memory()
        self._memory = finding_memory()
        self._checked: Memory[bool] = Memory()
        self._judges = Judges(self._look, parts.need)
        self._is_real = True  # not a rehearsal

    @property
    def parts(self) -> Parts:
        """Return what the guard is made of."""
        return self._parts

    @property
    def keeps(self) -> bool:
        """Tell whether values can be kept for replies that come later."""
        return self._parts.vault is not None

    def begin(
        self,
        segments: Sequence[Segment],
        *,
        target: str,
        profile: str | Profile | None = None,
        route: str = "by-hand",
        earlier: Sequence[str] = (),
        owner: Owner | None = None,
    ) -> Exchange[tuple[Segment, ...]]:
        """Minimize a request for a target model.

        Args:
            segments: all content of the request, in its order.
            target: the name of the model that will read it.
            profile: a name or a profile; default: the one of the innermost `use` block, else `default`.
            route: the name under which the audit record files the request.
            earlier: under which references the vault keeps the values of requests that the provider still knows, the
                oldest first: the reply may speak of them too. What is not there any more is left out.
            owner: whose values the vault is asked for and given; default: those of the guard.

        Raises:
            ProtectionError: the request could not be protected; the record of it is written. `UnrecordedError` where
                the audit is required, and the request could not be recorded.
            ConfigError: no profile has that name, or there is no vault.
        """
        stage_ms: dict[str, float] = {}
        setting = setting_of(self._parts, owner)
        try:
            settings, model = self._settings(target, profile)
            known = setting.recall(earlier)
            with self._timed(stage_ms, "detect"):
                refuse_unread(segments, settings)
                findings = self._find(segments, settings, self._parts.detector)
            entities = group_entities(segments, findings.spans, own_values(settings), findings)
            with self._timed(stage_ms, "need"):
                choices = choices_for(
                    segments, findings, entities, model=model, profile=settings, need=self._parts.need
                )
            with self._timed(stage_ms, "render"):
                renderer = Renderer(
                    key=setting.key,
                    abstractor=self._parts.abstractor,
                    profile=settings,
                    checked=self._checked,
                    earlier=known,
                )
                request = Request(segments=segments, spans=findings.spans, entities=entities, choices=choices)
                rendered = _render(request, renderer)
            hidden = rendered.hidden
            name = told(
                target, lambda text: hidden.stands_in(text, chosen=True), lambda text: self.scan(text, settings)
            )
            table = merge_tables(known, rendered.table) if known else rendered.table
            setting.keep(table)
        except Exception as error:
            self.block(route=route, target=target, error=error)
            raise
        life = Life(
            request_id=self._parts.new_id(),
            at=self._parts.now().isoformat(),
            route=route,
            plan=Plan(
                decisions=rendered.decisions,
                target=replace(model, name=name),
                profile_id=settings.id,
                artifact_ids=(self._parts.detector.id, self._parts.need.id, self._parts.abstractor.id),
            ),
            profile=settings,
            paths=tuple(segment.path for segment in segments),
            table=table,
            holding=setting.holding,
            hidden=hidden,
            emit=self._parts.sink.write,
            timer=self._parts.timer,
            stage_ms=stage_ms,
            begun=words_begun(segments),
            judge=self._judges.of(settings, lambda: Sent.of(segments, entities, table)),
        )
        content = partial(Content, given=tuple(segments), sent=rendered.outgoing, plan=life.plan)
        exchange = traced(Exchange(life, rendered.outgoing), content, is_real=self._is_real)
        return announce(self._parts.sink, exchange, at=life.at, route=route)

    def reopen(
        self,
        *references: str,
        target: str = "",
        profile: str | Profile | None = None,
        route: str = "by-hand",
        owner: Owner | None = None,
    ) -> Exchange[tuple[Segment, ...]]:
        """Take up requests whose reply came later: an exchange that restores what the vault keeps of them.

        It has an audit record of its own, and sends nothing. What the vault keeps stays there until it expires or is
        released.

        Args:
            references: under which the values are kept, the oldest first.
            target: the name of the model that has replied, where it is known.
            profile: as for `begin`: it decides where values may stand now.
            route: the name under which the audit record files the reply.
            owner: whose values they are; default: those of the guard.

        Raises:
            UnknownReferenceError: the vault holds nothing there for this owner; the record of it is written.
            VaultError: the vault could not be used; the record of it is written.
            ConfigError: no profile has that name, or there is no vault.
        """
        settings, model = self._settings(target, profile)
        model = replace(model, name=told(target, lambda text: self.scan(text, settings)))
        holding = setting_of(self._parts, owner).holding
        try:
            reopened = reopen(self._parts, holding, references, self._judges, settings=(settings, model), route=route)
        except Exception as error:
            self._write_refusal(route, target, error, Outcome.FAILED)
            raise
        return traced(reopened, is_real=self._is_real)

    def notebook(self, owner: Owner | None = None) -> Notebook:
        """Return the notes that are kept for later replies, in the conversation in force.

        Args:
            owner: whose they are; default: that of the guard.

        Raises:
            ConfigError: there is no vault.
        """
        holding = setting_of(self._parts, owner).holding
        return Notebook(vault=required(holding.vault), owner=holding.owner)

    def block(self, *, route: str, error: BaseException, target: str = "") -> None:
        """Record a request that was refused before anything was sent."""
        self._write_refusal(route, target, error, Outcome.BLOCKED)

    def _write_refusal(self, route: str, target: str, error: BaseException, outcome: Outcome) -> None:
        record = AuditRecord(
            request_id=self._parts.new_id(),
            at=self._parts.now().isoformat(),
            route=route,
            target=told(target, self.scan),
            theta=0.0,
            target_provenance=Provenance.ASSUMED.value,
            profile_id="",
            artifact_ids=(),
            outcome=outcome,
            error=type(error).__name__,
        )
        note_trace(Trace(record=record), is_real=self._is_real)
        self._parts.sink.write(record)

    def forget(self, conversation: str, *, owner: Owner | None = None) -> bool:
        """Forget what the vault keeps of a conversation, and tell whether there was anything.

        Args:
            conversation: its name, as it was given to `privguard.conversation`.
            owner: whose it is; default: that of the guard.

        Raises:
            VaultError: the vault could not be used.
        """
        return forget(self._parts, conversation, owner)

    def rehearsal(self) -> "Guard":
        """Return a guard that decides like this one and keeps nothing: no record, nothing in the vault."""
        twin = copy(self)
        twin._parts, twin._is_real = rehearsal_parts(self._parts), False  # noqa: SLF001 - of this class
        return twin

    def scan(self, text: str, profile: Profile | None = None, *, key: str = "") -> bool:
        """Tell whether a header value, a query value or an id holds something that identifies or opens something.

        Args:
            text: what is to be sent beside the content.
            profile: whose lists count; default: as for `begin`.
            key: the name of the header or the parameter, which may tell what the value is.

        Raises:
            DetectionError: the detector failed.
        """
        settings = profile or self._settings("", None)[0]
        mark = self._scanned.mark(f"{settings.id}\0{key}\0{text}")
        hit = self._scanned.get(mark)
        if hit is None:
            scanner = self._parts.scanner or self._parts.detector

            def look(segment: Segment, *, is_prose: bool) -> Findings:
                return self._find((segment,), settings, self._parts.detector if is_prose else scanner)

            hit = is_sensitive(text, key, look)
            self._scanned.put(mark, hit)
        return hit

    @contextmanager
    def _timed(self, stage_ms: dict[str, float], stage: str) -> Iterator[None]:
        started = self._parts.timer()
        yield
        stage_ms[stage] = 1000 * (self._parts.timer() - started)

    def _settings(self, target: str, profile: str | Profile | None) -> tuple[Profile, TargetModel]:
        wanted = profile if profile is not None else profile_in_force()
        if isinstance(wanted, Profile):
            return wanted, self._parts.profiles.resolve(target, None)[1]
        return self._parts.profiles.resolve(target, wanted)

    def _look(self, profile: Profile) -> Look:
        """Return what finds what is in the texts of a reply. They are many and small: one index of terms for all."""
        book = cache(lambda: DenyBook(profile.deny))
        hints = Hints(self._parts.abstractor)
        settings = replace(profile, unread=Unread.SEND)  # what a model writes in such a script is no value for that
        return lambda segments: find(segments, settings, self._parts.detector, hints, book=book())

    def _find(self, segments: Sequence[Segment], profile: Profile, detector: Detector) -> Findings:
        return find(segments, profile, detector, Hints(self._parts.abstractor), self._memory)


def _render(request: Request, renderer: Renderer) -> Rendered:
    try:
        return render(request, renderer)
    except ProtectionError:
        raise
    except Exception as error:  # noqa: BLE001 - a ladder may raise anything
        failure = type(error).__name__
    # Raised out here, since its text may hold content and the context of an exception keeps it reachable.
    raise PlanError(f"the plan could not be written ({failure}); nothing was sent")
