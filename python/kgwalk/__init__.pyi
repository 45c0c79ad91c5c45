from typing import List

from ._graph import *
from ._model import *
from .errors import *

__version__: str
_MODEL_NAMES: List[str]

def set_num_threads(count: int) -> None:
    """Set how many threads a loop, matrix product or LibTorch operation may use; 0: all processors."""
