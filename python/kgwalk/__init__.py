"""kgwalk: reasoning over a knowledge graph in a dialogue.

Graph, forms and embeddings are there at once; what needs LibTorch (planners, conversations, sequence tasks) is loaded
when it is used first.
"""

from __future__ import annotations

import atexit
import importlib
import importlib.util
import os
import sys
from typing import Any, List



def _choose_blas_kernels() -> None:
    # OpenBLAS takes a processor that is newer than itself for one of 2004, and computes a third as fast. It reads this
    # when it is loaded, which the next import does.
    try:
        with open("/proc/cpuinfo") as info:
            flags = next((line for line in info if line.startswith("flags")), "").split()
    except OSError:
        return
    if {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"} <= set(flags):
        os.environ.setdefault("OPENBLAS_CORETYPE", "SKYLAKEX")
    elif {"avx2", "fma"} <= set(flags):
        os.environ.setdefault("OPENBLAS_CORETYPE", "HASWELL")


_choose_blas_kernels()

from . import _graph, errors
from ._graph import *  # noqa: F403
from .errors import *  # noqa: F403

__version__ = _graph.__version__

_GRAPH_NAMES = [name for name in vars(_graph) if not name.startswith("_")]
# Names of kgwalk._model, which is not imported to know them.
_MODEL_NAMES: List[str] = [
    "AnsweredEntity",
    "AskedRelation",
    "Completer",
    "Completion",
    "ConnectingPath",
    "Conversation",
    "ConversationsEvaluated",
    "ConversationsKind",
    "Decoded",
    "DemoResult",
    "EntityFound",
    "Explorer",
    "Guide",
    "Hypothesis",
    "KindCount",
    "LanguageModel",
    "Link",
    "ListenerEvaluated",
    "ModelSummary",
    "NamedHop",
    "NeighborGroup",
    "Neighborhood",
    "OpenDialKgResult",
    "PackReport",
    "PackedModel",
    "PathsEvaluated",
    "Perplexity",
    "Plan",
    "PlanAnswer",
    "PlanBranch",
    "PlannedHop",
    "PlannedPath",
    "Planner",
    "Querier",
    "QuestionsEvaluated",
    "QuestionsMade",
    "QuestionsRow",
    "QuickstartResult",
    "RecallAt",
    "Recognizer",
    "RecognizerStream",
    "RelationCount",
    "Reply",
    "Report",
    "Responder",
    "Retrieved",
    "RetrievedFact",
    "Retriever",
    "SpeechHypothesis",
    "SpokenWord",
    "Standing",
    "StartChoice",
    "SuccessEvaluated",
    "SuccessOfRun",
    "SuccessRow",
    "Summarizer",
    "TextEmbedder",
    "Trained",
    "Trajectory",
    "TrajectoryTurn",
    "Transcription",
    "Translator",
    "Understander",
    "Understanding",
    "Utterance",
    "WorkflowResult",
    "WorkflowStep",
    "compute_distances",
    "connect",
    "conversation_commands",
    "demo",
    "embed",
    "estimated_tokens",
    "evaluate_conversations",
    "evaluate_listener",
    "evaluate_paths",
    "evaluate_questions",
    "evaluate_routes",
    "evaluate_success",
    "is_packed_model",
    "make_questions",
    "opendialkg",
    "options_of",
    "pack",
    "pack_model",
    "presets_of",
    "pretrain_text",
    "quickstart",
    "set_device",
    "summarize_model",
    "train_listener",
    "train_responder",
    "train_simulator",
    "train_stage2",
    "train_walker",
    "unpacked_place",
]

_HAS_MODEL = importlib.util.find_spec("kgwalk._model") is not None

__all__ = sorted([*_GRAPH_NAMES, *errors.__all__, *(_MODEL_NAMES if _HAS_MODEL else []), "set_num_threads"])

_modules = [_graph]


def _keep(module: Any) -> None:
    atexit.register(module._at_exit)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=module._after_fork_in_child)


_keep(_graph)


def set_num_threads(count: int) -> None:
    """Set how many threads a loop, matrix product or LibTorch operation may use; 0: all processors."""
    for module in _modules:
        module._set_num_threads(count)


def _refuse_other_torch() -> None:
    """Two LibTorches in one process take each other's functions and end it."""
    torch = sys.modules.get("torch")
    ours: str = _graph._shared_torch
    theirs = getattr(torch, "__version__", ours)
    if ours and theirs.split("+")[0].split(".")[:2] != ours.split(".")[:2]:
        raise ImportError(
            f"kgwalk was built with LibTorch {ours}, and torch {theirs} is loaded already: use Debian's python3-torch, "
            "kgwalk's wheel, which has a LibTorch of its own, or a process of its own"
        )


def __getattr__(name: str) -> Any:
    if name not in _MODEL_NAMES:
        raise AttributeError(f"module 'kgwalk' has no attribute '{name}'")
    if not _HAS_MODEL:
        raise ImportError(f"kgwalk.{name} needs LibTorch, and this kgwalk was built without it")
    _refuse_other_torch()
    model = importlib.import_module("kgwalk._model")
    if model not in _modules:
        _modules.append(model)
        model._set_num_threads(_graph.num_threads())
        _keep(model)
    for each in _MODEL_NAMES:
        globals()[each] = getattr(model, each)
    return globals()[name]


def __dir__() -> List[str]:
    return sorted({*globals(), *__all__})
