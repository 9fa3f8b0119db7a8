"""From figures to what can be said of them."""

import statistics
from dataclasses import dataclass

# Above this, two figures that differ by less than it may differ by chance.
SPREAD_MAX = 0.10


@dataclass(frozen=True)
class Figures:
    """Of several runs of one thing."""

    median: float
    minimum: float
    spread: float

    @property
    def noisy(self) -> bool:
        return self.spread > SPREAD_MAX

    @staticmethod
    def of(values: list[float]) -> "Figures":
        median = statistics.median(values)
        return Figures(median, min(values), interquartile_range(values) / median if median else 0)


@dataclass(frozen=True)
class Ratio:
    """One thing to another; the minima know less of what else the machine did."""

    median: float
    minimum: float

    @staticmethod
    def of(ours: Figures, theirs: Figures) -> "Ratio":
        return Ratio(ours.median / theirs.median, ours.minimum / theirs.minimum)

    def verdict(self, limit: float) -> str:
        """Whether the ratio keeps to a limit: by medians, and by minima where those disagree."""
        met = self.median <= limit
        words = "met" if met else "not met"
        if (self.minimum <= limit) == met:
            return words
        return f"{words} by medians, {'not met' if met else 'met'} by minima"


def interquartile_range(values: list[float]) -> float:
    if len(values) < 2:
        return 0
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return high - low
