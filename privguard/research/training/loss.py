"""Losses that keep within what each source labels, and that tie need labels to the item-response model."""

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812

from privguard.research.training.examples import ANY_TAG, UNKNOWN_TAG
from privguard.research.training.model import NeedOutput

UNLABELLED_WEIGHT = 0.1


def tag_loss(logits: Tensor, tags: Tensor, scopes: Tensor, unlabelled: float = UNLABELLED_WEIGHT) -> Tensor:
    """Return the mean tag loss over labelled tokens, within each token's label scope.

    A token that a source leaves unlabelled may still be of a type that the source does not annotate. Letting those
    types share the mass of "outside" has a degenerate optimum (flag everything), so they are taken out of the
    softmax instead: they count with a small weight, which is just enough to hold them down where nothing speaks for
    them. A span of unknown type asks for any type but "outside".

    Args:
        logits: `(n, tags)`.
        tags: `(n,)` gold tags, `ANY_TAG`, or `UNKNOWN_TAG`, which does not count.
        scopes: `(n, tags)` 1 where the source of the token labels the tag.
        unlabelled: weight of unlabelled types among the alternatives, 0 to 1.
    """
    # A gold tag always counts in full, even where its source labels the type only now and then.
    weight = torch.where(scopes > 0, 1.0, unlabelled)
    gold = tags.clamp(min=0)
    weight = weight.scatter(1, gold[:, None], 1.0)
    untyped = tags == ANY_TAG
    weight = torch.where(untyped[:, None], torch.ones_like(weight), weight)
    scores = (logits.float() + weight.clamp(min=1e-6).log()).log_softmax(-1)
    typed = -scores.gather(1, gold[:, None])[:, 0]
    anything = -torch.logsumexp(scores[:, 1:], dim=-1)
    known = tags != UNKNOWN_TAG
    return (torch.where(untyped, anything, typed) * known).sum() / known.sum().clamp(min=1)


def need_loss(output: NeedOutput, thresholds: Tensor, reach: Tensor, weights: Tensor) -> Tensor:
    """Return the weighted mean loss of ordinal need labels under the item-response model.

    A label >= 1 says that a competent model fails with REDACT, >= 2 that a frontier model does, >= 3 that a frontier
    model fails with ABSTRACT, and 4 that an even stronger one does.

    Args:
        output: difficulties of `n` spans.
        thresholds: `(3,)` theta of a competent model, of a frontier model, and of the exact-value level.
        reach: `(n, 4)` share of annotations with need >= 1 to 4.
        weights: `(n,)`.
    """
    logits = reach_logits(output, thresholds)
    each = F.binary_cross_entropy_with_logits(logits.float(), reach, reduction="none")
    # The second threshold is the one that decides at a frontier target.
    each = (each * each.new_tensor([0.7, 1.5, 1.0, 0.8])).mean(-1)
    return (each * weights).sum() / weights.sum().clamp(min=1e-6)


def reach_logits(output: NeedOutput, thresholds: Tensor) -> Tensor:
    """Return the logits of need >= 1 to 4, `(n, 4)`; see `need_loss`."""
    return torch.stack(
        [
            output.b_redact - thresholds[0],
            output.b_redact - thresholds[1],
            output.b_abstract - thresholds[1],
            output.b_abstract - thresholds[2],
        ],
        dim=-1,
    )


def owner_loss(logits: Tensor, owner: Tensor, weights: Tensor) -> Tensor:
    """Return the weighted mean cross-entropy of soft owner labels, all `(n, owners)` but the weights `(n,)`."""
    each = -(owner * logits.float().log_softmax(-1)).sum(-1)
    return (each * weights).sum() / weights.sum().clamp(min=1e-6)
