"""Maps are fitted to earlier days and reported on later ones; labels that do not carry one are refused in words."""

from dataclasses import replace

import numpy as np
import pytest

from detection.core.calibration import Isotonic, Platt
from reviews.calibration.fitting import NotFitted, fitted_on, parted
from reviews.calibration.reliability import Sample, figures
from tests.calibration_maps import sample


def test_days_are_parted_whole_where_three_quarters_are_earlier() -> None:
    earlier, later = parted(sample(400, days=10))
    assert (len(earlier.score), len(later.score)) in ((280, 120), (320, 80))
    assert earlier.finished.max() < later.finished.min()
    assert not set(earlier.finished // 86400) & set(later.finished // 86400)


def test_labels_of_one_day_cannot_be_reported_on_later_ones() -> None:
    with pytest.raises(NotFitted, match="All labels are of one day"):
        parted(sample(400, days=0))


@pytest.mark.parametrize("n", [0, 1, 199])
def test_fewer_than_200_labels_are_refused_with_their_number(n: int) -> None:
    for step in (parted, lambda given: fitted_on(given, "isotonic")):
        with pytest.raises(NotFitted, match=rf"^{n} of 200 labels"):
            step(sample(n))


@pytest.mark.parametrize("truth", [True, False])
def test_labels_of_one_class_are_refused(truth: bool) -> None:
    with pytest.raises(NotFitted, match="right answers and wrong ones"):
        fitted_on(replace(sample(300), right=np.full(300, truth)), "platt")


def test_one_confidence_for_all_is_refused() -> None:
    with pytest.raises(NotFitted, match="same confidence"):
        fitted_on(replace(sample(300), score=np.full(300, 0.76)), "isotonic")


@pytest.mark.parametrize(("method", "kind"), [("isotonic", Isotonic), ("platt", Platt)])
def test_a_map_of_earlier_days_improves_later_ones(method: str, kind: type) -> None:
    earlier, later = parted(sample(2000, 5))
    fitted = fitted_on(earlier, method)
    assert isinstance(fitted, kind)
    before, after = figures(later), figures(later.mapped(fitted))
    assert before.ece.value is not None
    assert after.ece.value is not None
    assert before.brier.value is not None
    assert after.brier.value is not None
    assert after.ece.value < before.ece.value / 2
    assert after.brier.value < before.brier.value


def test_the_scale_of_weights_does_not_matter() -> None:
    given = sample(300)
    for method in ("isotonic", "platt"):
        small, large = (fitted_on(replace(given, weight=given.weight * by), method) for by in (1, 46))
        assert [small(at / 10) for at in range(11)] == pytest.approx([large(at / 10) for at in range(11)])


def test_what_counts_for_nothing_is_no_label() -> None:
    given = sample(300)
    assert (
        len(Sample(given.score, given.right, given.weight * 0, given.finished, given.answer).usable().score)
        == 0
    )
