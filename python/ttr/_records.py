"""Lists of dicts that data frames are made of."""

from __future__ import annotations

import importlib
from typing import Any


class Records(list[dict[str, Any]]):
    """A list of dicts with the same keys: `game.routes` and `game.tickets`.

    >>> import ttr
    >>> longest = max(ttr.Game("usa").routes, key=lambda route: route["length"])
    >>> longest["length"], longest["points"]
    (6, 15)
    """

    def to_polars(self) -> Any:
        """The records as a polars.DataFrame (pip install ttr-engine[polars])."""
        return importlib.import_module("polars").DataFrame(list(self), infer_schema_length=None)

    def to_pandas(self) -> Any:
        """The records as a pandas.DataFrame (pip install ttr-engine[pandas])."""
        return importlib.import_module("pandas").DataFrame(list(self))
