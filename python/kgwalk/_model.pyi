"""Made by scripts/make_python_stubs.py from the docstrings of the module."""

from __future__ import annotations

import os
import pathlib
import typing

import numpy
import numpy.typing
from ._graph import Form, InputOptions, KnowledgeGraph, OnProgress, StopFlag

Path = typing.Union[str, "os.PathLike[str]"]
History = typing.Union[str, typing.Sequence[typing.Union[typing.Tuple[str, str], Utterance]]]
Hop = typing.Union[NamedHop, PlannedHop, typing.Tuple[str, str, str]]
OnStep = typing.Union[typing.Callable[[WorkflowStep, typing.Optional[WorkflowResult]], object], None]

class Utterance:
    """
    What somebody said.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def speaker(self) -> str:
        """
        'user' or 'assistant'.
        """
    @property
    def text(self) -> str:
        """
        The words.
        """
class NamedHop:
    """
    An edge by its names.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def head(self) -> str:
        """
        The entity that it leaves.
        """
    @property
    def relation(self) -> str:
        """
        Its relation; '~' reads one backwards.
        """
    @property
    def sources(self) -> list[str]:
        """
        What the fact was taken from.
        """
    @property
    def tail(self) -> str:
        """
        The entity that it comes to.
        """
    @property
    def weight(self) -> float | None:
        """
        As the source gave it, or None.
        """
class PlannedHop:
    """
    An edge of a planned path.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def head(self) -> str:
        """
        The entity that it leaves.
        """
    @property
    def probability(self) -> float:
        """
        Among all out-edges of `head` and stopping, 0 to 1.
        """
    @property
    def relation(self) -> str:
        """
        Its relation; '~' reads one backwards.
        """
    @property
    def sources(self) -> list[str]:
        """
        What the fact was taken from.
        """
    @property
    def tail(self) -> str:
        """
        The entity that it comes to.
        """
    @property
    def weight(self) -> float | None:
        """
        As the source gave it, or None.
        """
class AskedRelation:
    """
    A relation that may be asked for.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def probability(self) -> float:
        """
        0 to 1.
        """
    @property
    def relation(self) -> str:
        """
        Its name.
        """
class AnsweredEntity:
    """
    An entity that may be the answer.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def entity(self) -> str:
        """
        Its name.
        """
    @property
    def hops(self) -> list[NamedHop]:
        """
        The likeliest path to it.
        """
    @property
    def probability(self) -> float:
        """
        That it is a right answer, 0 to 1.
        """
class StartChoice:
    """
    An entity that was weighed as the start.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def entity(self) -> str:
        """
        Its name.
        """
    @property
    def probability(self) -> float:
        """
        0 to 1.
        """
class PlanAnswer:
    """
    What is answered to what was said.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def asked(self) -> float:
        """
        Probability that a fact is asked for.
        """
    @property
    def claim(self) -> str:
        """
        What was to be verified, of 'yes' and 'no'.
        """
    @property
    def entities(self) -> list[AnsweredEntity]:
        """
        Answers, likeliest first.
        """
    @property
    def fact(self) -> NamedHop | None:
        """
        The fact that decides it, or None.
        """
    @property
    def has(self) -> list[str]:
        """
        Of 'not_said': relations of the start, nearest first.
        """
    @property
    def heard(self) -> list[AskedRelation]:
        """
        Relations that are asked for, likeliest first.
        """
    @property
    def kind(self) -> str:
        """
        'nothing_asked', 'one', 'list', 'yes', 'no' or 'not_said'.
        """
    @property
    def missing(self) -> float:
        """
        Probability that the graph does not say it of the start.
        """
class PlannedPath:
    """
    A path with its probabilities.
    """
    def __repr__(self) -> str:
        ...
    def __str__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def distance_to_goal(self) -> int | None:
        """
        Hops of a shortest path from the last entity, or None.
        """
    @property
    def hops(self) -> list[PlannedHop]:
        """
        At least one.
        """
    @property
    def log_prob(self) -> float:
        """
        Natural logarithm, of all hops and of stopping.
        """
    @property
    def stop_probability(self) -> float:
        """
        Of stopping behind the last hop.
        """
class PlanBranch:
    """
    What was weighed at one point.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def at(self) -> str:
        """
        The entity stood on.
        """
    @property
    def candidates(self) -> list[PlannedHop]:
        """
        Best first, at most `beam`.
        """
    @property
    def num_candidates(self) -> int:
        """
        All out-edges that were scored.
        """
    @property
    def prefix(self) -> list[PlannedHop]:
        """
        Hops before it.
        """
    @property
    def stop_probability(self) -> float:
        """
        Of stopping there.
        """
class Plan:
    """
    Paths with what was weighed on the way.
    """
    def __repr__(self) -> str:
        ...
    def __str__(self) -> str:
        ...
    def format(self, format: str) -> str:
        """
        As 'text', 'json', 'dot' or 'html'.
        """
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def answer(self) -> PlanAnswer | None:
        """
        What is answered, or None when the walker does not listen.
        """
    @property
    def branches(self) -> list[PlanBranch]:
        """
        At the start, and behind the first hop of each path.
        """
    @property
    def goal(self) -> str | None:
        """
        As the graph spells it, or None.
        """
    @property
    def goal_standing(self) -> str:
        """
        'none', 'reachable', 'start', 'isolated' or 'apart'.
        """
    @property
    def paths(self) -> list[PlannedPath]:
        """
        Most probable first; before them those to what answers a question.
        """
    @property
    def start(self) -> str:
        """
        As the graph spells it.
        """
    @property
    def start_to_goal(self) -> int | None:
        """
        Hops of a shortest path, or None.
        """
    @property
    def starts(self) -> list[StartChoice]:
        """
        Where a start was chosen, likeliest first.
        """
class TrajectoryTurn:
    """
    A turn of a walk to a goal.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def answers(self) -> bool:
        """
        Whether the hop answers what the user asked.
        """
    @property
    def branch(self) -> PlanBranch:
        """
        What was weighed.
        """
    @property
    def distance_to_goal(self) -> int:
        """
        Hops from where the walk goes on.
        """
    @property
    def hop(self) -> PlannedHop:
        """
        That was taken.
        """
    @property
    def on_from(self) -> str:
        """
        Of an answer: where the walk goes on.
        """
    @property
    def said(self) -> str:
        """
        By the user before the hop.
        """
    @property
    def sentence(self) -> str:
        """
        By the assistant about the hop.
        """
class Trajectory:
    """
    A walk to a goal.
    """
    def __repr__(self) -> str:
        ...
    def __str__(self) -> str:
        ...
    def format(self, format: str) -> str:
        """
        As 'text', 'json', 'dot' or 'html'.
        """
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def distance_left(self) -> int:
        """
        Hops from where it ended.
        """
    @property
    def goal(self) -> str:
        """
        Where it went.
        """
    @property
    def reached(self) -> bool:
        """
        Whether it came to the goal.
        """
    @property
    def start(self) -> str:
        """
        Where it began.
        """
    @property
    def start_to_goal(self) -> int:
        """
        Hops of a shortest path.
        """
    @property
    def turns(self) -> list[TrajectoryTurn]:
        """
        One a hop, in order.
        """
class Planner:
    """
    Plans the next paths of a dialogue over a graph. Any number of threads may ask it at the same time; calls do not hold the interpreter's lock.
    """
    @staticmethod
    def open(database: Path, run: Path | None = None, *, threads: int = 0, text: Path = '', other_graph: bool = False) -> Planner:
        """
        A database and the run of a trained walker, or a packed model alone. Takes seconds. `threads`: of this process, 0 as they are; `text`: folder of the text encoder when it has moved; `other_graph`: the database may hold another graph than the one trained on.
        """
    def __repr__(self) -> str:
        ...
    def explain(self, history: History = ..., *, start: str = '', goal: str | None = None, walked: typing.Sequence[typing.Sequence[Hop]] = ..., k: int = 5, beam: int = 25, max_hops: int = 2) -> Plan:
        """
        The same paths with the answer, what was weighed on the way, and how the goal lies.
        """
    def plan(self, history: History = ..., *, start: str = '', goal: str | None = None, walked: typing.Sequence[typing.Sequence[Hop]] = ..., k: int = 5, beam: int = 25, max_hops: int = 2) -> list[PlannedPath]:
        """
        The k most probable paths, best first. `history`: a text, or ('user' | 'assistant', text) pairs, oldest first; `start`: entity to walk from, '' to choose it from what was said; `goal`: entity to come nearer to; `walked`: paths of earlier turns, of (head, relation, tail); `beam`: partial paths kept.
        """
    def survey(self, start: str, goal: str) -> Plan:
        """
        How a goal lies to a start, nothing planned.
        """
    @property
    def graph(self) -> KnowledgeGraph:
        """
        The graph that is walked on.
        """
    @property
    def stage(self) -> int:
        """
        1, or 2 of a walker that heads for goals.
        """
class Responder:
    """
    Puts answers and paths into sentences.
    """
    @staticmethod
    def ask_anything(turn: int = 0) -> str:
        """
        Asks what to talk about.
        """
    @staticmethod
    def ask_nearest(entities: typing.Sequence[str], turn: int = 0) -> str:
        """
        Asks whether one of these is meant, when a name is unknown.
        """
    @staticmethod
    def ask_which(name: str, entities: typing.Sequence[str], turn: int = 0) -> str:
        """
        Asks which of the entities that bear a name is meant.
        """
    @staticmethod
    def by_wordings() -> Responder:
        """
        By wordings of relations that are built in; it speaks of any graph.
        """
    @staticmethod
    def open(database: Path, run: Path) -> Responder:
        """
        By a trained response model, which names no other entities.
        """
    def say(self, plan: Plan, path: int = 0) -> str:
        """
        A sentence or two: the answer, or where nothing was asked the path with this place.
        """
class Guide:
    """
    Walks to a goal, turn by turn; a walker of stage 2.
    """
    @staticmethod
    def open(database: Path, run: Path, *, simulator: Path = '', text: Path = '', other_graph: bool = False, responder: Responder | None = None) -> Guide:
        """
        `simulator`: run of the simulated user, 'wordings', or '' for a user who says nothing.
        """
    def lead(self, start: str, goal: str, *, turns: int = 10, say: typing.Sequence[str] = ..., shown: int = 10, seed: int = 1) -> Trajectory:
        """
        Walk until the goal is reached or `turns` hops are taken. `say`: what the user says, turn by turn; `shown`: candidates kept a turn.
        """
class ConnectingPath:
    """
    A path that joins two entities.
    """
    def __repr__(self) -> str:
        ...
    def __str__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def hops(self) -> list[NamedHop]:
        """
        In order.
        """
    @property
    def log_prob(self) -> float:
        """
        Natural logarithm: the walker's, of all hops.
        """
    @property
    def reason(self) -> str:
        """
        Why it tells something, in a line.
        """
class Link:
    """
    Two entities and what joins them.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def distance(self) -> int | None:
        """
        Hops of a shortest path, or None.
        """
    @property
    def paths(self) -> list[ConnectingPath]:
        """
        The most telling first.
        """
    @property
    def source(self) -> str:
        """
        As the graph spells it.
        """
    @property
    def target(self) -> str:
        """
        As the graph spells it.
        """
class Completion:
    """
    A fact that may hold.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def distance(self) -> float:
        """
        The smaller, the likelier; see EmbeddingTables.distance.
        """
    @property
    def fact(self) -> NamedHop:
        """
        Whole.
        """
    @property
    def known(self) -> bool:
        """
        Whether the graph holds it.
        """
    @property
    def probability(self) -> float | None:
        """
        That it is the right one, 0 to 1; None where not known.
        """
class Completer:
    """
    Facts with a part missing, by tables of embeddings.
    """
    @staticmethod
    def open(database: Path, dim: int = 0, model: str = '') -> Completer:
        """
        The best tables of a database; those `dim` wide or of one model where they are given.
        """
    def complete(self, *, head: str = '', relation: str = '', tail: str = '', k: int = 10, known: bool = True, having_relation: str = '', having_entity: str = '') -> list[Completion]:
        """
        Likeliest first. Leave out the one of head, relation and tail that is asked for. `known`: False leaves out what the graph holds.
        """
class EntityFound:
    """
    An entity that was looked for.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def edges(self) -> int:
        """
        Out-edges, inverses included.
        """
    @property
    def fit(self) -> str:
        """
        'same', 'begins', 'word_begins' or 'near'.
        """
    @property
    def kind(self) -> str:
        """
        'film', 'person'; empty: not known.
        """
    @property
    def name(self) -> str:
        """
        As the graph spells it.
        """
class NeighborGroup:
    """
    Neighbors by one relation.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def label(self) -> str:
        """
        In everyday words.
        """
    @property
    def relation(self) -> str:
        """
        Its name.
        """
    @property
    def tails(self) -> list[EntityFound]:
        """
        Those with the most edges first.
        """
    @property
    def total(self) -> int:
        """
        Tails that there are.
        """
class Neighborhood:
    """
    What an entity is joined to.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def edges(self) -> int:
        """
        Out-edges, inverses included.
        """
    @property
    def entity(self) -> str:
        """
        As the graph spells it.
        """
    @property
    def groups(self) -> list[NeighborGroup]:
        """
        By relation.
        """
    @property
    def kind(self) -> str:
        """
        'film', 'person'; empty: not known.
        """
class KindCount:
    """
    A kind of entities.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def entities(self) -> int:
        """
        How many.
        """
    @property
    def examples(self) -> list[str]:
        """
        Up to three.
        """
    @property
    def kind(self) -> str:
        """
        Its name.
        """
class RelationCount:
    """
    A relation.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def facts(self) -> int:
        """
        How many.
        """
    @property
    def label(self) -> str:
        """
        In everyday words.
        """
    @property
    def relation(self) -> str:
        """
        Its name.
        """
class Explorer:
    """
    Looks around in a graph.
    """
    def __init__(self, graph: KnowledgeGraph) -> None:
        """
        About 0.1 s for 100,000 names.
        """
    def around(self, entity: str, relation: str = '', *, per_relation: int = 8, skip: int = 0) -> Neighborhood:
        """
        What an entity is joined to, relation by relation.
        """
    def kinds(self) -> list[KindCount]:
        """
        Kinds of entities, those that there are most of first.
        """
    def relations(self, count: int = 20) -> list[RelationCount]:
        """
        Relations, the most frequent first.
        """
    def search(self, text: str, count: int = 10) -> list[EntityFound]:
        """
        Entities for what was typed so far, the best first.
        """
    def way(self, source: str, target: str) -> list[NamedHop] | None:
        """
        Hops of a shortest path, or None without one.
        """
class Querier:
    """
    Answers forms and SPARQL with a sentence, the form in words, and facts as evidence.
    """
    def __init__(self, graph: KnowledgeGraph) -> None:
        """
        Reads the values of a graph once.
        """
    def answer(self, query: Form, *, rows: int = 100, seconds: float = 5.0) -> typing.Any:
        """
        json: 'said', 'words', 'form', 'sparql', 'answer', 'rows', 'evidence'. A dictionary is a form, a text SPARQL.
        """
class RetrievedFact:
    """
    A fact for a prompt.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def fact(self) -> NamedHop:
        """
        Read forward.
        """
    @property
    def source(self) -> str:
        """
        The path that it is a hop of.
        """
    @property
    def weight(self) -> float:
        """
        Probability of the likeliest path with it, 0 to 1.
        """
class Retrieved:
    """
    Facts for a question.
    """
    def __repr__(self) -> str:
        ...
    def __str__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def cut(self) -> bool:
        """
        Whether facts were left out for want of tokens.
        """
    @property
    def entities(self) -> list[str]:
        """
        Named in the question, in its order.
        """
    @property
    def facts(self) -> list[RetrievedFact]:
        """
        The weightiest first.
        """
    @property
    def text(self) -> str:
        """
        A line a fact: 'HEAD | RELATION | TAIL'.
        """
    @property
    def tokens(self) -> int:
        """
        Of the text, estimated.
        """
class Retriever:
    """
    Finds the facts that a question is about.
    """
    @staticmethod
    def open(database: Path, run: Path | None = None) -> Retriever:
        """
        A database and the run of a walker, or a packed model alone.
        """
    def retrieve(self, question: str, *, history: History = ..., tokens: int = 400, k: int = 8, max_hops: int = 2) -> Retrieved:
        """
        Facts worth `tokens` at most; none for a question that names no entity of the graph.
        """
class Reply:
    """
    What comes back for a line.
    """
    def __repr__(self) -> str:
        ...
    def __str__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def forgotten(self) -> bool:
        """
        And all that was said in it (/forget).
        """
    @property
    def over(self) -> bool:
        """
        The conversation has ended (/quit).
        """
    @property
    def said(self) -> str:
        """
        By the assistant alone.
        """
    @property
    def text(self) -> str:
        """
        Whole lines, first what the assistant says.
        """
class Standing:
    """
    Where a conversation stands.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def answered(self) -> typing.Any:
        """
        The form that was answered, as json, or None.
        """
    @property
    def at(self) -> str:
        """
        The entity stood on; empty: nowhere yet.
        """
    @property
    def distance(self) -> int | None:
        """
        Hops from `at` to the goal, or None.
        """
    @property
    def goal(self) -> str | None:
        """
        The goal, or None.
        """
    @property
    def offered(self) -> list[str]:
        """
        Entities that a number picks from, beginning with 1.
        """
    @property
    def plan(self) -> Plan | None:
        """
        Of the last turn, or None.
        """
    @property
    def steps(self) -> int:
        """
        That /undo can take back.
        """
    @property
    def taken(self) -> int | None:
        """
        Which of its paths was walked, or None.
        """
class Conversation:
    """
    Talks about a graph: questions, walks, goals.
    """
    @staticmethod
    def open(database: Path, run: Path | None = None, **kwargs: typing.Any) -> Conversation:
        """
        A database and the run of a walker, or a packed model alone. `speak`: 'templates', 'model' or 'none'; `phrase` and `hear`: a language model, {'url', 'model', 'key', 'timeout_s'}. Options: paths, beam, max_hops, seed, simulator, speak, responder, text, listener, other_graph, trace, phrase, hear.
        """
    def another(self, seed: int = 1) -> Conversation:
        """
        One that begins anew with the same walker; nothing is read again.
        """
    def answer(self, line: str) -> Reply:
        """
        What comes back for a line of the user's.
        """
    def memory(self) -> typing.Any:
        """
        All that it remembers, as json.
        """
    def recall(self, memory: typing.Any) -> None:
        """
        Go on where another one stood.
        """
    def retriever(self) -> Retriever:
        """
        Facts for a language model's prompt, by the same walker.
        """
    def standing(self) -> Standing:
        """
        Where it stands.
        """
    def take(self, hop: Hop) -> Reply:
        """
        Walk a hop that was weighed in place of what was walked.
        """
    def transcript(self) -> typing.Any:
        """
        What was said and walked, turn by turn, as json.
        """
    def welcome(self) -> str:
        """
        What the graph holds and the walker can do.
        """
class PackReport:
    """
    What was packed.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def bytes(self) -> int:
        """
        Of the folder, or of the file.
        """
    @property
    def left_out(self) -> list[str]:
        """
        Tables and caches that the model does without.
        """
    @property
    def manifest(self) -> typing.Any:
        """
        model.json.
        """
    @property
    def out(self) -> pathlib.Path:
        """
        The folder or file.
        """
    @property
    def unpacked(self) -> int:
        """
        Bytes of the folder.
        """
class PackedModel:
    """
    A trained model with all that it needs, as a folder or a file.
    """
    @staticmethod
    def open(model: Path, *, progress: OnProgress = None, stop: StopFlag | None = None) -> PackedModel:
        """
        A folder, or a file, which is unpacked once into unpacked_place().
        """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    def verify(self, *, progress: OnProgress = None, stop: StopFlag | None = None) -> None:
        """
        Read every file and compare checksums; FormatError names the first that differs.
        """
    @property
    def about(self) -> str:
        """
        What its data are.
        """
    @property
    def database(self) -> pathlib.Path:
        """
        The database.
        """
    @property
    def folder(self) -> pathlib.Path:
        """
        Where the parts lie.
        """
    @property
    def license(self) -> str:
        """
        Of its data.
        """
    @property
    def manifest(self) -> typing.Any:
        """
        model.json.
        """
    @property
    def name(self) -> str:
        """
        Of the model.
        """
    @property
    def responder(self) -> pathlib.Path:
        """
        Likewise.
        """
    @property
    def run(self) -> pathlib.Path:
        """
        The walker's run.
        """
    @property
    def simulator(self) -> pathlib.Path:
        """
        Likewise.
        """
    @property
    def text(self) -> pathlib.Path:
        """
        The text encoder; '.' where there is none.
        """
class Hypothesis:
    """
    An output for a source.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def log_prob(self) -> float:
        """
        Natural logarithm, of all pieces and the end.
        """
    @property
    def score(self) -> float:
        """
        After the length penalty.
        """
    @property
    def text(self) -> str:
        """
        The words.
        """
class Decoded:
    """
    What came out for a source.
    """
    def __repr__(self) -> str:
        ...
    def __str__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def cut(self) -> bool:
        """
        The source was longer than the model's limit.
        """
    @property
    def hypotheses(self) -> list[Hypothesis]:
        """
        Best first.
        """
    @property
    def repaired(self) -> bool:
        """
        Bytes that were no UTF-8 were replaced.
        """
    @property
    def text(self) -> str:
        """
        Of the best.
        """
class Translator:
    """
    Translates sentences.
    """
    @staticmethod
    def open(path: Path, *, beam: int = 0, nbest: int = 1, batch: int = 64, int8: bool = False) -> Translator:
        """
        A finished run of `kgwalk task mt train`. `beam` 0: the run's; 1 is greedy. `int8`: products in 8-bit integers.
        """
    def translate(self, lines: typing.Sequence[str]) -> list[Decoded]:
        """
        A result a line, in their order; many lines at once are faster than one by one.
        """
class Summarizer:
    """
    Summarizes dialogues.
    """
    @staticmethod
    def open(path: Path, *, beam: int = 0, nbest: int = 1, batch: int = 64, int8: bool = False) -> Summarizer:
        """
        A finished run of `kgwalk task summarize train`. Options as of Translator.open.
        """
    def summarize(self, dialogues: typing.Sequence[str]) -> list[Decoded]:
        """
        A result a dialogue, each a text with one turn a line, 'NAME: TEXT'.
        """
class Perplexity:
    """
    How well a text is told.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def log_prob(self) -> float:
        """
        Natural logarithm, of the whole text.
        """
    @property
    def per_word(self) -> float:
        """
        exp of the mean of -log p a word, ends of lines counted.
        """
    @property
    def unknown(self) -> int:
        """
        Words that the vocabulary does not hold.
        """
    @property
    def words(self) -> int:
        """
        Ends of lines included.
        """
class LanguageModel:
    """
    Tells and continues lines of words.
    """
    @staticmethod
    def open(path: Path, *, beam: int = 0, nbest: int = 1, words: int = 0, window: int = 0, stride: int = 0) -> LanguageModel:
        """
        A finished run of `kgwalk task lm train`. What is 0 stays as it was trained with.
        """
    def continue_line(self, text: str) -> list[str]:
        """
        What may follow on the line, best first.
        """
    def perplexity(self, lines: typing.Sequence[str]) -> Perplexity:
        """
        Of a text of lines, words separated by spaces.
        """
class TextEmbedder:
    """
    Vectors of texts, by a frozen encoder.
    """
    @staticmethod
    def open(folder: Path) -> TextEmbedder:
        """
        A folder in Hugging Face's form (ALBERT, BERT), or a run of text pre-training.
        """
    def embed(self, texts: typing.Sequence[str]) -> numpy.typing.NDArray[numpy.float32]:
        """
        float32 [len(texts), width]: rows of length 1.
        """
    @property
    def max_tokens(self) -> int:
        """
        What is longer is read up to there.
        """
    @property
    def width(self) -> int:
        """
        Of the vectors.
        """
class SpokenWord:
    """
    A word and when it was said.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def begin_s(self) -> float:
        """
        Seconds from the beginning.
        """
    @property
    def end_s(self) -> float:
        """
        Seconds from the beginning.
        """
    @property
    def text(self) -> str:
        """
        The word.
        """
class SpeechHypothesis:
    """
    What may have been said.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def score(self) -> float:
        """
        Natural logarithm.
        """
    @property
    def text(self) -> str:
        """
        The words.
        """
    @property
    def words(self) -> list[SpokenWord]:
        """
        Empty where the text cannot be aligned.
        """
class Transcription:
    """
    What was heard.
    """
    def __repr__(self) -> str:
        ...
    def __str__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def hypotheses(self) -> list[SpeechHypothesis]:
        """
        Best first, at least one.
        """
    @property
    def note(self) -> str:
        """
        Why the text is empty.
        """
    @property
    def seconds(self) -> float:
        """
        Of sound.
        """
    @property
    def text(self) -> str:
        """
        Of the best.
        """
class Understanding:
    """
    What was understood.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def label(self) -> str:
        """
        An intent or emotion.
        """
    @property
    def probability(self) -> float:
        """
        Of the label, 0 to 1.
        """
    @property
    def slots(self) -> list[str]:
        """
        Types in the order in which they were heard, or 'type=value'.
        """
class RecognizerStream:
    """
    An utterance while it is heard; Recognizer.stream() makes one.
    """
    def finish(self) -> Transcription:
        """
        The end: the same as transcribing the whole sound at once.
        """
    def hear(self, samples: numpy.typing.NDArray[typing.Any]) -> None:
        """
        float32 [n] in [-1, 1] at Recognizer.rate.
        """
    @property
    def heard_s(self) -> float:
        """
        Seconds heard.
        """
    @property
    def settled_s(self) -> float:
        """
        Seconds of them that are settled.
        """
    @property
    def text(self) -> str:
        """
        What is settled so far; it only grows.
        """
class Recognizer:
    """
    Recognizes speech.
    """
    @staticmethod
    def open(path: Path, *, beam: int = 0, nbest: int = 1, language: Path = '') -> Recognizer:
        """
        A finished run of `kgwalk task asr train`. `language`: run of a language model that has a say.
        """
    def stream(self) -> RecognizerStream:
        """
        An utterance while it is heard; of models that were trained to stream.
        """
    def transcribe(self, samples: numpy.typing.NDArray[typing.Any], rate: int) -> Transcription:
        """
        float32 [n] in [-1, 1] of one channel, `rate` samples a second.
        """
    def transcribe_bytes(self, bytes: bytes, name: str = 'sound', max_seconds: float = 600.0) -> Transcription:
        """
        The bytes of a sound file; messages call it `name`.
        """
    def transcribe_file(self, file: Path) -> Transcription:
        """
        A sound file: wav, flac and others.
        """
    @property
    def rate(self) -> int:
        """
        Samples a second that a stream hears.
        """
class Understander:
    """
    Understands speech: intents, emotions, slots.
    """
    @staticmethod
    def open(path: Path) -> Understander:
        """
        A finished run of `kgwalk task slu train`.
        """
    def understand(self, files: typing.Sequence[Path]) -> list[Understanding]:
        """
        A result a sound file, in their order.
        """
    @property
    def labels(self) -> list[str]:
        """
        All labels or slots that the model knows.
        """
class Report:
    """
    What came of work.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def json(self) -> typing.Any:
        """
        All numbers.
        """
    @property
    def text(self) -> str:
        """
        Whole lines, as the command line prints them.
        """
class QuestionsMade:
    """
    What make_questions() made.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def json(self) -> typing.Any:
        """
        All numbers.
        """
    @property
    def questions(self) -> int:
        """
        How many.
        """
    @property
    def text(self) -> str:
        """
        Whole lines, as the command line prints them.
        """
class Trained:
    """
    What a training made.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def best(self) -> typing.Any:
        """
        Metrics there, as json.
        """
    @property
    def best_step(self) -> int:
        """
        Whose weights are used.
        """
    @property
    def epochs(self) -> int:
        """
        Epochs.
        """
    @property
    def json(self) -> typing.Any:
        """
        All numbers.
        """
    @property
    def model(self) -> pathlib.Path:
        """
        What is used by itself; '.': the run is.
        """
    @property
    def processor_seconds(self) -> float:
        """
        Of all threads.
        """
    @property
    def run(self) -> pathlib.Path:
        """
        The folder.
        """
    @property
    def seconds(self) -> float:
        """
        Wall time, over all calls.
        """
    @property
    def steps(self) -> int:
        """
        Updates.
        """
    @property
    def text(self) -> str:
        """
        Whole lines, as the command line prints them.
        """
class RecallAt:
    """
    In percent, with its 95 % interval.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def high(self) -> float:
        """
        Of the interval.
        """
    @property
    def low(self) -> float:
        """
        Of the interval.
        """
    @property
    def percent(self) -> float:
        """
        The share.
        """
class PathsEvaluated:
    """
    How well people's paths are found.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def json(self) -> typing.Any:
        """
        All numbers.
        """
    @property
    def path(self) -> dict[int, RecallAt]:
        """
        By k: the people's path is among the k best.
        """
    @property
    def paths(self) -> int:
        """
        How many.
        """
    @property
    def relation(self) -> dict[int, RecallAt]:
        """
        By k: the same with its relations.
        """
    @property
    def target(self) -> dict[int, RecallAt]:
        """
        By k: its last entity is among the k best.
        """
    @property
    def text(self) -> str:
        """
        Whole lines, as the command line prints them.
        """
    @property
    def unreached(self) -> int:
        """
        That the search did not find.
        """
class QuestionsRow:
    """
    Percent, each over the questions that it is asked of.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def absence_told(self) -> float:
        """
        Of questions that cannot be answered.
        """
    @property
    def act(self) -> float:
        """
        Asked or not is right.
        """
    @property
    def count(self) -> int:
        """
        Questions.
        """
    @property
    def first(self) -> float:
        """
        A right entity comes first.
        """
    @property
    def first3(self) -> float:
        """
        Among the first three.
        """
    @property
    def list_f1(self) -> float:
        """
        Of lists.
        """
    @property
    def list_precision(self) -> float:
        """
        Of lists.
        """
    @property
    def refused(self) -> float:
        """
        Of questions that can.
        """
    @property
    def start(self) -> float:
        """
        The right start came first.
        """
    @property
    def verified(self) -> float:
        """
        Yes or no is right.
        """
class QuestionsEvaluated:
    """
    How well questions are answered.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def json(self) -> typing.Any:
        """
        All numbers.
        """
    @property
    def rows(self) -> dict[str, QuestionsRow]:
        """
        By kind, hops and mention, and 'all'.
        """
    @property
    def text(self) -> str:
        """
        Whole lines, as the command line prints them.
        """
class ListenerEvaluated:
    """
    How well people's questions are heard.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def among(self) -> float:
        """
        Percent with a right one among those weighed.
        """
    @property
    def json(self) -> typing.Any:
        """
        All numbers.
        """
    @property
    def questions(self) -> int:
        """
        How many.
        """
    @property
    def right(self) -> float:
        """
        Percent whose likeliest answer is right.
        """
    @property
    def text(self) -> str:
        """
        Whole lines, as the command line prints them.
        """
class SuccessRow:
    """
    Walks to goals at one distance.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def distance(self) -> int:
        """
        Hops of a shortest path.
        """
    @property
    def log_prob(self) -> float:
        """
        Mean of a hop by stage 1.
        """
    @property
    def pairs(self) -> int:
        """
        Walks.
        """
    @property
    def within_2d(self) -> int:
        """
        Within twice the distance.
        """
    @property
    def within_d(self) -> int:
        """
        That reached the goal within the distance.
        """
    @property
    def within_d_plus_2(self) -> int:
        """
        Within two hops more.
        """
class SuccessOfRun:
    """
    The rows of a run.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def rows(self) -> list[SuccessRow]:
        """
        By distance.
        """
    @property
    def run(self) -> str:
        """
        Its folder.
        """
class SuccessEvaluated:
    """
    How often goals are reached.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def json(self) -> typing.Any:
        """
        All numbers.
        """
    @property
    def runs(self) -> list[SuccessOfRun]:
        """
        A table each.
        """
    @property
    def text(self) -> str:
        """
        Whole lines, as the command line prints them.
        """
class ConversationsKind:
    """
    Turns of one kind.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def name(self) -> str:
        """
        Empty: all together.
        """
    @property
    def right(self) -> int:
        """
        Turns that were right.
        """
    @property
    def turns(self) -> int:
        """
        Turns.
        """
class ConversationsEvaluated:
    """
    How well conversations were held.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def asked_for(self) -> int:
        """
        More than held where it was stopped.
        """
    @property
    def conversations(self) -> int:
        """
        That were held.
        """
    @property
    def json(self) -> typing.Any:
        """
        All numbers.
        """
    @property
    def kinds(self) -> list[ConversationsKind]:
        """
        In the order of the exam.
        """
    @property
    def text(self) -> str:
        """
        Whole lines, as the command line prints them.
        """
class WorkflowStep:
    """
    A step of a workflow.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def arguments(self) -> list[tuple[str, str]]:
        """
        Options that differ from their defaults, as text.
        """
    @property
    def done(self) -> bool:
        """
        By a call before: it is passed over.
        """
    @property
    def function(self) -> str:
        """
        That is called: 'train_walker'.
        """
    @property
    def number(self) -> int:
        """
        From 1.
        """
    @property
    def of(self) -> int:
        """
        Steps of the workflow; 0: not known.
        """
    @property
    def title(self) -> str:
        """
        'The walker'.
        """
class WorkflowResult:
    """
    What came of a step.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def json(self) -> typing.Any:
        """
        All numbers.
        """
    @property
    def learned(self) -> str:
        """
        By a training, in a sentence.
        """
    @property
    def text(self) -> str:
        """
        Whole lines.
        """
class ModelSummary:
    """
    What a model is about and what it can be asked.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def json(self) -> typing.Any:
        """
        All numbers.
        """
    @property
    def text(self) -> str:
        """
        The page, as Markdown.
        """
    @property
    def title(self) -> str:
        """
        Of the page.
        """
class QuickstartResult:
    """
    What quickstart() made.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def database(self) -> pathlib.Path:
        """
        The database.
        """
    @property
    def folder(self) -> pathlib.Path:
        """
        Of everything.
        """
    @property
    def model(self) -> pathlib.Path:
        """
        Packed: Planner.open(model).
        """
    @property
    def page(self) -> pathlib.Path:
        """
        The summary, a file.
        """
    @property
    def run(self) -> pathlib.Path:
        """
        The walker's.
        """
    @property
    def seconds(self) -> float:
        """
        Of all steps.
        """
    @property
    def summary(self) -> ModelSummary:
        """
        The summary.
        """
class OpenDialKgResult:
    """
    What opendialkg() made.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def folder(self) -> pathlib.Path:
        """
        Of everything.
        """
    @property
    def model(self) -> pathlib.Path:
        """
        In one file.
        """
    @property
    def page(self) -> pathlib.Path:
        """
        html: tables, curves, answers.
        """
    @property
    def seconds(self) -> float:
        """
        Of all steps.
        """
class DemoResult:
    """
    What demo() made.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def agent(self) -> pathlib.Path:
        """
        Run of stage 2.
        """
    @property
    def database(self) -> pathlib.Path:
        """
        The database.
        """
    @property
    def listener(self) -> pathlib.Path:
        """
        Run of the listener.
        """
    @property
    def model(self) -> pathlib.Path:
        """
        A file that names the parts.
        """
    @property
    def pages(self) -> list[pathlib.Path]:
        """
        html: a plan, a walk to a goal, dialogues.
        """
    @property
    def simulator(self) -> pathlib.Path:
        """
        Run of the simulated user.
        """
def compute_distances(*, progress: OnProgress = None, stop: StopFlag | None = None, **kwargs: typing.Any) -> Report:
    """
    Exact distances of a graph: their histogram, the index of single pairs that planners read, factors of a rank. Options: database, histogram, sample, index, rank, seed, preset, files, settings.
    """
def connect(planner: Planner, entities: typing.Sequence[str], *, k: int = 3, detour: int = 2, beam: int = 32, history: History = ...) -> list[Link]:
    """
    Paths between 2 to 10 entities; more than two are joined by as few links as possible. `detour`: hops more than a shortest path has.
    """
def conversation_commands() -> list[str]:
    """
    Commands that a line may begin with: '/goal', '/from'.
    """
def demo(*, on_step: OnStep = None, progress: OnProgress = None, stop: StopFlag | None = None, **kwargs: typing.Any) -> DemoResult:
    """
    Both stages on the sample, with a measure of each. Options: data, folder, seed.
    """
def embed(*, progress: OnProgress = None, stop: StopFlag | None = None, **kwargs: typing.Any) -> Report:
    """
    Train embeddings of the graph of a database and keep the tables there; model 'transe', 'complex', 'rotate' or 'distmult', settings such as {'dim': 64, 'epochs': 10}. Options: database, run, seed, preset, files, settings, model.
    """
def estimated_tokens(text: str) -> int:
    """
    What a text costs, by Retrieved.tokens' estimate.
    """
def evaluate_conversations(*, progress: OnProgress = None, stop: StopFlag | None = None, **kwargs: typing.Any) -> ConversationsEvaluated:
    """
    Conversations with what makes an answer right: the file `exam`. Options: packed, database, run, text, listener, simulator, responder, other_graph, exam, log, show, seed.
    """
def evaluate_listener(*, progress: OnProgress = None, stop: StopFlag | None = None, **kwargs: typing.Any) -> ListenerEvaluated:
    """
    A run of train_listener() on people's questions. Options: database, run, text, questions, without_named, heard.
    """
def evaluate_paths(*, progress: OnProgress = None, stop: StopFlag | None = None, **kwargs: typing.Any) -> PathsEvaluated:
    """
    People's paths in a split, or a csv of dialogues. Options: packed, run, runs, database, text, other_graph, split, dialogs, candidate_starts, beam, length_weight, resamples, readings, ranks, seed.
    """
def evaluate_questions(*, progress: OnProgress = None, stop: StopFlag | None = None, **kwargs: typing.Any) -> QuestionsEvaluated:
    """
    A file of make_questions(). Options: packed, run, runs, database, text, other_graph, questions, candidate_starts, beam, output, ranks.
    """
def evaluate_routes(*, progress: OnProgress = None, stop: StopFlag | None = None, **kwargs: typing.Any) -> Report:
    """
    Walks between the ends of real dialogues beside what people did. Options: packed, run, runs, database, text, other_graph, stage1, split, walks, seed, preset, files, settings.
    """
def evaluate_success(*, progress: OnProgress = None, stop: StopFlag | None = None, **kwargs: typing.Any) -> SuccessEvaluated:
    """
    Walks to goals at stated distances. Options: packed, run, runs, database, text, other_graph, stage1, simulator, distances, episodes, extra, goals, ask, walks, plot, seed, preset, files, settings.
    """
def is_packed_model(path: Path) -> bool:
    """
    Whether PackedModel.open() takes it.
    """
def make_questions(*, progress: OnProgress = None, stop: StopFlag | None = None, **kwargs: typing.Any) -> QuestionsMade:
    """
    Questions to learn from, made of a graph or of files, into the file `out` (JSON Lines). Options: database, simplequestions, metaqa, out, bank, count, split, hops, path_labels, without_held, shown, seed, preset, files, settings.
    """
def opendialkg(*, on_step: OnStep = None, progress: OnProgress = None, stop: StopFlag | None = None, **kwargs: typing.Any) -> OpenDialKgResult:
    """
    From the files of OpenDialKG to evaluated walkers of both stages and a packed model. Options: data, folder, text, quick, seed.
    """
def options_of(function: str, preset: str = '') -> typing.Any:
    """
    What may be set for a training: a list of {'name', 'type', 'value', 'range', 'choices', 'description'}.
    """
def pack(*, progress: OnProgress = None, stop: StopFlag | None = None, **kwargs: typing.Any) -> PackReport:
    """
    pack_model() with an introduction for newcomers, for which the model is opened and tried. Options: database, run, out, text, simulator, responder, listener, replace, name, about, license, tables, version, introduction, sources.
    """
def pack_model(*, progress: OnProgress = None, stop: StopFlag | None = None, **kwargs: typing.Any) -> PackReport:
    """
    Pack a database, a run and what belongs to them; `out` ends in '.tar.zst' or is a folder. Options: database, run, out, text, simulator, responder, listener, replace, name, about, license, tables, version, introduction, sources.
    """
def presets_of(function: str) -> list[str]:
    """
    Presets of a training.
    """
def pretrain_text(*, progress: OnProgress = None, stop: StopFlag | None = None, **kwargs: typing.Any) -> Trained:
    """
    A small text encoder from the training dialogues of a database. Options: database, run, seed, preset, files, settings.
    """
def quickstart(*, on_step: OnStep = None, progress: OnProgress = None, stop: StopFlag | None = None, **kwargs: typing.Any) -> QuickstartResult:
    """
    From the files of a graph (`triples`) to a packed model in `folder`. A call that was stopped goes on. Options: triples, input, mapping, entities, dialogues, folder, text, questions, walks, about, license, ask, seed.
    """
def set_device(name: str) -> None:
    """
    Where models compute that are opened from now on: 'cpu', 'cuda' or 'cuda:N'.
    """
def summarize_model(model: Path, ask: typing.Sequence[str] = ..., *, progress: OnProgress = None, stop: StopFlag | None = None) -> ModelSummary:
    """
    What a packed model is about, what it can be asked and how it answers.
    """
def train_listener(*, progress: OnProgress = None, stop: StopFlag | None = None, **kwargs: typing.Any) -> Trained:
    """
    What hears a question as a form over the graph. Options: database, run, seed, preset, files, settings, text, made, questions, without_named, shown.
    """
def train_responder(*, progress: OnProgress = None, stop: StopFlag | None = None, **kwargs: typing.Any) -> Trained:
    """
    What puts paths and answers into sentences. Options: database, run, seed, preset, files, settings.
    """
def train_simulator(*, progress: OnProgress = None, stop: StopFlag | None = None, **kwargs: typing.Any) -> Trained:
    """
    The simulated user. Options: database, run, seed, preset, files, settings.
    """
def train_stage2(*, progress: OnProgress = None, stop: StopFlag | None = None, **kwargs: typing.Any) -> Trained:
    """
    Stage 2: a walker that reaches goals. `stage1`: run of train_walker() with a preset of stage 2. Options: database, run, seed, preset, files, settings, stage1, text, simulator.
    """
def train_walker(*, progress: OnProgress = None, stop: StopFlag | None = None, **kwargs: typing.Any) -> Trained:
    """
    Stage 1: a walker by the paths of dialogues and by questions. `questions`: a file or files of make_questions(). Options: database, run, seed, preset, files, settings, text, questions, model.
    """
def unpacked_place(file: Path) -> pathlib.Path:
    """
    Where a packed file is unpacked to.
    """
