"""The embedded verifier on claim and evidence pairs: ``python -m benchmarks.grounding FILE [FILE …]``.

AUROC of p1 for each source beside word overlap, with 95 % bootstrap intervals over groups; the interval of
the difference is drawn with both on the same rows. Rows the model was fitted on say nothing about new
text: their figures by cross-validation are in ``detection/verifiers/embedded/local_model.json``.
"""

import sys
import time
from pathlib import Path

import numpy as np

from benchmarks.grounding_data import Row, auroc, bootstrap, by_family, read_rows, word_overlap
from detection.verifiers.embedded.local import LocalVerifier


def figures(rows: list[Row]) -> dict[str, float | int | tuple[float, float] | None]:
    """AUROC of the embedded verifier and of word overlap on one source, and Brier score."""
    verifier = LocalVerifier()
    labels = [int(row["y"]) for row in rows]
    ours = [verifier.estimate_probability(str(row["claim"]), str(row["evidence"])).yes[0] for row in rows]
    floor = [word_overlap(row) for row in rows]
    groups = [str(row["group"]) for row in rows]

    def gain(picked: list[int]) -> float | None:
        drawn = [labels[n] for n in picked]
        one, other = auroc(drawn, [ours[n] for n in picked]), auroc(drawn, [floor[n] for n in picked])
        return None if one is None or other is None else one - other

    def ranked(picked: list[int]) -> float | None:
        return auroc([labels[n] for n in picked], [ours[n] for n in picked])

    two_classes = len(set(labels)) == 2
    return {
        "n": len(rows),
        "supported": sum(labels) / len(labels),
        "local": auroc(labels, ours),
        "local_interval": bootstrap(groups, ranked) if two_classes else None,
        "overlap": auroc(labels, floor),
        "gain_interval": bootstrap(groups, gain) if two_classes else None,
        "brier": float(np.mean((np.array(ours) - np.array(labels)) ** 2)),
    }


def main(paths: list[Path]) -> None:
    """Print one line a source."""
    print(
        f"{'source':24}{'n':>7}{'supp.':>7}{'local':>8}{'95 %':>16}{'overlap':>9}{'gain 95 %':>18}{'Brier':>8}{'ms':>7}"
    )
    for path in paths:
        rows = read_rows(path)
        for name, numbers in by_family(rows).items():
            started = time.perf_counter()
            row = figures([rows[n] for n in numbers])
            spent = (time.perf_counter() - started) * 1000 / len(numbers)
            print(
                f"{name:24}{row['n']:7}{row['supported']:7.2f}{_number(row['local']):>8}{_pair(row['local_interval']):>16}"
                f"{_number(row['overlap']):>9}{_pair(row['gain_interval']):>18}{row['brier']:8.3f}{spent:7.2f}"
            )


def _number(value: object) -> str:
    return "–" if value is None else f"{value:.3f}"


def _pair(value: object) -> str:
    return f"{value[0]:.3f} … {value[1]:.3f}" if isinstance(value, tuple) else "–"


if __name__ == "__main__":
    main([Path(argument) for argument in sys.argv[1:]])
