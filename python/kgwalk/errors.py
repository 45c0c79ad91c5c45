"""The exceptions of kgwalk: a tree under Error, as in the engine (kgwalk/error.h)."""

from __future__ import annotations

import re
from typing import List, NamedTuple, Tuple

__all__ = [
    "ConfigError",
    "DataError",
    "Error",
    "FormatError",
    "Interrupted",
    "IoError",
    "NumericError",
    "Remedy",
    "ShapeError",
    "Stopped",
    "StoreError",
]

# The engine tells nearest names in one form: did you mean 'A', 'B'?
_ADVICE = re.compile(r"did you mean '(.*?)'\)?\?", re.DOTALL)


class Remedy(NamedTuple):
    """What would mend an error."""

    action: str
    """'ingest', 'reingest', 'replace', 'index_distances', 'factorize_distances', 'embed', 'train', 'give', 'compute_on'."""
    subject: str
    """The database, folder, device or member of an options struct that is meant."""
    arguments: List[Tuple[str, str]]
    """Names and values to be given, in their order."""


class Error(Exception):
    """The root of the tree: str() says what, where and what to do."""

    remedies: List[Remedy] = []
    """Ways to mend it, the nearest first."""

    @property
    def nearest(self) -> List[str]:
        """Names that may have been meant, best first; empty where none is near."""
        found = _ADVICE.search(str(self))
        return found.group(1).split("', '") if found else []


class ConfigError(Error, ValueError):
    """A value of a configuration, option or argument that cannot be used."""


class DataError(Error):
    """Input data that cannot be read."""

    file: str = ""
    """The file."""
    line: int = 0
    """From 1; 0 when the whole file is meant."""


class StoreError(Error):
    """The database cannot be opened, is locked, closed, damaged, half written or of another version."""


class ShapeError(Error, ValueError):
    """Tensors whose shapes do not fit."""


class FormatError(Error):
    """A file that breaks its format."""


class IoError(Error, OSError):
    """The operating system refused: open, write, sync, rename."""


class Stopped(Error):
    """The work was asked to stop; the same call would begin anew."""


class Interrupted(Stopped):
    """Training was asked to stop and has saved; the same call with the same folder goes on."""


class NumericError(Error, ArithmeticError):
    """A loss or gradient that is not finite; the last good checkpoint is kept."""
