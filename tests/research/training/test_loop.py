import pytest

pytest.importorskip("torch")

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path

import torch

from privguard.core.errors import ConfigError
from privguard.research.training.examples import UNKNOWN_TAG
from privguard.research.training.loop import CHECKPOINT, LOG, Rounds, RunSpec, Trainer, load_net, need_output
from privguard.research.training.model import Net
from tests.research.training import tiny

SPEC = RunSpec(rounds=3, rate=3e-3, fresh_rate=3e-3, seed=2)


def trainer(folder: Path, spec: RunSpec = SPEC) -> Trainer:
    return Trainer(tiny.net(pieces=4, lean=True), spec, folder)


def stream() -> Rounds:
    return tiny.stream(12, pieces=4)


def weights_of(made: Trainer) -> dict[str, torch.Tensor]:
    return {**made.net.state_dict(), **{f"averaged {name}": value for name, value in made.averaged.items()}}


def test_a_run_that_was_stopped_ends_as_one_that_was_not(tmp_path: Path) -> None:
    whole = trainer(tmp_path / "whole")
    list(whole.run(stream()))
    stopped = trainer(tmp_path / "stopped")
    list(islice(stopped.run(stream()), 1))
    resumed = trainer(tmp_path / "stopped")
    assert resumed.resume()
    assert (resumed.round, resumed.step) == (1, stopped.step)
    figures = list(resumed.run(stream()))
    assert [row["round"] for row in figures] == [2, 3]
    for name, value in weights_of(whole).items():
        assert torch.equal(value, weights_of(resumed)[name]), name


def test_a_finished_run_has_nothing_left_to_do(tmp_path: Path) -> None:
    first = trainer(tmp_path, RunSpec(rounds=1))
    list(first.run(stream()))
    again = trainer(tmp_path, RunSpec(rounds=1))
    assert again.resume()
    assert list(again.run(stream())) == []


def test_evaluation_between_rounds_does_not_change_the_weights(tmp_path: Path) -> None:
    def noisy(net: Net) -> dict[str, float]:
        return {"noise": float(torch.rand(1)), "layers": float(net.spec.layers)}

    plain, evaluated = trainer(tmp_path / "a"), trainer(tmp_path / "b")
    list(plain.run(stream()))
    figures = list(evaluated.run(stream(), noisy))
    assert figures[-1]["layers"] == 2
    assert all(torch.equal(value, weights_of(evaluated)[name]) for name, value in weights_of(plain).items())


def test_a_checkpoint_that_is_half_written_is_never_loaded(tmp_path: Path) -> None:
    first = trainer(tmp_path)
    rounds = first.run(stream())
    next(rounds)
    whole = (tmp_path / CHECKPOINT).read_bytes()
    (tmp_path / f"{CHECKPOINT}.part").write_bytes(whole[: len(whole) // 2])
    resumed = trainer(tmp_path)
    assert resumed.resume()
    assert resumed.round == 1
    (tmp_path / CHECKPOINT).unlink()
    assert not trainer(tmp_path).resume()


def test_the_log_has_a_line_a_round_and_losses_fall(tmp_path: Path) -> None:
    list(trainer(tmp_path, RunSpec(rounds=8, rate=3e-3, fresh_rate=3e-3)).run(stream()))
    rows = [json.loads(line) for line in (tmp_path / LOG).read_text(encoding="utf-8").splitlines()]
    assert [row["round"] for row in rows] == list(range(1, 9))
    for name in ("tag", "begin", "need"):
        assert rows[-1][name] < rows[0][name]


def test_the_averaged_weights_are_what_is_loaded(tmp_path: Path) -> None:
    made = trainer(tmp_path, RunSpec(rounds=1))
    list(made.run(stream()))
    net = load_net(tmp_path / CHECKPOINT)
    assert not net.training
    assert all(torch.equal(value, made.averaged[name]) for name, value in net.state_dict().items())
    assert any(not torch.equal(value, made.averaged[name]) for name, value in made.net.state_dict().items())


def test_a_folder_without_a_checkpoint_is_said_to_be_none_of_a_run(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no checkpoint"):
        load_net(tmp_path / CHECKPOINT)


def rewritten(folder: Path, **fields: object) -> Path:
    state = torch.load(folder / CHECKPOINT, weights_only=True)
    state["spec"] |= fields
    torch.save(state, folder / CHECKPOINT)
    return folder / CHECKPOINT


def test_a_checkpoint_from_before_a_choice_was_given_up_loads_where_the_choice_was_off(tmp_path: Path) -> None:
    made = trainer(tmp_path, RunSpec(rounds=1))
    list(made.run(stream()))
    assert load_net(rewritten(tmp_path, gone=False)).spec == made.net.spec
    with pytest.raises(TypeError):
        load_net(rewritten(tmp_path, gone=True))


def test_the_entry_of_no_piece_stays_zero(tmp_path: Path) -> None:
    made = trainer(tmp_path)
    list(made.run(stream()))
    for weights in (made.net.state_dict(), made.averaged):
        assert (weights["encoder.words.weight"][0] == 0).all()


def test_rates_rise_then_fall(tmp_path: Path) -> None:
    made = trainer(tmp_path, RunSpec(rounds=10, warmup=0.2, steps_a_round=10))
    factors = []
    for step in range(100):
        made.step = step
        factors.append(made._factor())
    assert factors[:20] == sorted(factors[:20])
    assert factors[20:] == sorted(factors[20:], reverse=True)
    assert max(factors) == pytest.approx(1, abs=0.01)
    assert 0.02 <= factors[-1] < 0.03


def test_an_additional_loss_counts(tmp_path: Path) -> None:
    made = Trainer(tiny.net(), SPEC, tmp_path, lambda _batch, logits, _needs: logits.new_tensor(2.5))
    batch = tiny.batch()
    made.net.eval()
    total, parts = made.losses(batch)
    plain, _ = Trainer(made.net, SPEC, tmp_path).losses(batch)
    assert parts["extra"] == 2.5
    assert float(total.detach() - plain.detach()) == pytest.approx(2.5, abs=1e-4)


def test_a_batch_that_nobody_labelled_costs_nothing(tmp_path: Path) -> None:
    one = tiny.batch(4)
    empty = torch.zeros(0, dtype=torch.int64)
    bare = replace(
        one,
        tags=torch.where(one.tags >= 0, UNKNOWN_TAG, one.tags),
        begins=torch.full_like(one.begins, -100),
        span_window=empty,
    )
    total, parts = Trainer(tiny.net(), SPEC, tmp_path).losses(bare)
    assert float(total.detach()) == 0
    assert set(parts) == {"tag", "begin"}


def test_a_span_is_the_mean_of_its_features_and_reads_its_own_instruction() -> None:
    net, batch = tiny.net(), tiny.batch(3)
    torch.manual_seed(1)
    features = torch.randn(*batch.mask.shape, net.spec.features)
    with torch.no_grad():
        together = need_output(net, batch, features)
        for row in range(len(batch.span_window)):
            window, (start, end) = batch.span_window[row], batch.span_tokens[row].tolist()
            places = batch.instruction[batch.span_group[row]][batch.instruction_mask[batch.span_group[row]]]
            alone = net.need(
                features[window, start:end].mean(0)[None],
                batch.span_tags[row][None],
                batch.span_own[row][None],
                features.flatten(0, 1)[places][None],
                torch.ones(1, len(places), dtype=torch.bool),
            )
            assert float(together.b_redact[row]) == pytest.approx(float(alone.b_redact[0]), abs=1e-5)


def test_a_run_of_another_network_is_not_gone_on_with(tmp_path: Path) -> None:
    list(islice(trainer(tmp_path).run(stream()), 1))
    other = Trainer(tiny.net(pieces=4, lean=True, layers=1), SPEC, tmp_path)
    with pytest.raises(ConfigError, match=r"another network \(layers\)"):
        other.resume()


def test_a_run_may_end_under_rounding(tmp_path: Path) -> None:
    plain, rounded = (Net(replace(tiny.spec(), rounded=flag)) for flag in (False, True))
    list(islice(Trainer(plain, SPEC, tmp_path).run(tiny.stream(12)), 1))
    assert Trainer(rounded, SPEC, tmp_path).resume()
