"""Made by scripts/make_python_stubs.py from the docstrings of the module."""

from __future__ import annotations

import os
import pathlib
import typing

import numpy
import numpy.typing

Path = typing.Union[str, "os.PathLike[str]"]
Ids = typing.Union[typing.Sequence[int], numpy.typing.NDArray[typing.Any]]
Form = typing.Union[Query, typing.Dict[str, typing.Any], str]
OnProgress = typing.Union[typing.Callable[[ProgressEvent], object], bool, None]

class StopFlag:
    """
    Asks running work to stop: give it as `stop` and call request() from any thread. It cannot be unset.
    """
    def __init__(self) -> None:
        ...
    def request(self) -> None:
        """
        Ask the work to stop.
        """
    @property
    def requested(self) -> bool:
        """
        Whether request() was called.
        """
class ProgressEvent:
    """
    What a progress callback is told.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def done(self) -> int:
        """
        Units that are finished.
        """
    @property
    def kind(self) -> str:
        """
        'start', 'progress', 'end', 'info' or 'warning'.
        """
    @property
    def note(self) -> str:
        """
        Metrics of the moment ('loss 0.31'), or the line.
        """
    @property
    def total(self) -> int:
        """
        Units that there will be; 0 when unknown.
        """
    @property
    def unit(self) -> str:
        """
        A plural noun: 'triples'.
        """
    @property
    def what(self) -> str:
        """
        The work, as a participle: 'training'. Empty for lines.
        """
class KnowledgeGraph:
    """
    A graph in memory, which never changes: rows of out-edges (CSR), inverses included. Ids of entities and relations begin with 0; entities with an edge come first. Arrays are views without copies, which keep the graph alive and cannot be written.
    """
    @staticmethod
    def from_triples(triples: typing.Iterable[typing.Tuple[str, ...]], extra_entities: typing.Sequence[str] = ...) -> KnowledgeGraph:
        """
        Build from (head, relation, tail) names; inverses are added, duplicates dropped, and names that differ in case or Unicode form are one.
        """
    @staticmethod
    def open(database: Path) -> KnowledgeGraph:
        """
        The graph of a database made by ingest().
        """
    def __contains__(self, arg0: str) -> bool:
        ...
    def __len__(self) -> int:
        ...
    def __repr__(self) -> str:
        ...
    def aliases(self, entity: int) -> list[str]:
        """
        Other names, in the order of the source.
        """
    def annotation_only(self, head: int, relation: int, tail: int) -> bool:
        """
        Whether the fact is known only from an annotation of a dialogue.
        """
    def edge_number(self, head: int, relation: int, tail: int) -> int | None:
        """
        The number of a fact in `edges`, or None when the graph does not have it.
        """
    def entity(self, name: str) -> int:
        """
        The id of an entity by its name, in any case and Unicode form. ConfigError names the nearest.
        """
    def entity_name(self, entity: int) -> str:
        """
        The name of an entity, as it was first spelled.
        """
    def entity_names(self) -> list[str]:
        """
        Names of all entities, by id.
        """
    def facts(self, inverses: bool = False) -> tuple[numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.uint32]]:
        """
        facts(inverses=False): uint32 arrays (heads, relations, tails) of all facts, inverses left out.
        """
    def find_entity(self, name: str) -> int | None:
        """
        As entity(), but None when there is no such name.
        """
    def find_relation(self, name: str) -> int | None:
        """
        As relation(), but None when there is no such name.
        """
    def find_source_id(self, id: str) -> int | None:
        """
        The entity with this id of the source, by its exact spelling, or None.
        """
    def has_edge(self, head: int, relation: int, tail: int) -> bool:
        """
        Whether the fact is known, by ids.
        """
    def inverse(self, relation: int) -> int:
        """
        The relation of the same facts read backwards.
        """
    def is_housekeeping(self, relation: int) -> bool:
        """
        Whether the relation tells of the record (changed at, picture), not of the thing.
        """
    def label(self, entity: int) -> str:
        """
        The name as the source gave it, where ingestion put something behind it; else empty.
        """
    def neighbors(self, entity: int) -> numpy.typing.NDArray[numpy.uint32]:
        """
        uint32, a view: distinct neighbors, ascending; parallel edges once, self-loops left out.
        """
    def out_edges(self, entity: int) -> numpy.typing.NDArray[numpy.void]:
        """
        The out-edges of an entity: a view of `edges`.
        """
    def relation(self, name: str) -> int:
        """
        The same for relations.
        """
    def relation_name(self, relation: int) -> str:
        """
        The name of a relation; an inverse begins with '~'.
        """
    def relation_names(self) -> list[str]:
        """
        Names of all relations, by id, inverses included.
        """
    def relation_source_id(self, relation: int) -> str:
        """
        The same of a relation.
        """
    def source_id(self, entity: int) -> str:
        """
        The IRI or id that the source gave an entity; empty where the name is all.
        """
    def sources(self, edge: int) -> list[str]:
        """
        What an edge was taken from, ascending; empty where nothing was told.
        """
    def suggest_entities(self, name: str, count: int = 3) -> list[str]:
        """
        Nearest names, best first.
        """
    def suggest_relations(self, name: str, count: int = 3) -> list[str]:
        """
        Nearest names, best first.
        """
    def to_edges(self, inverses: bool = False) -> typing.Iterator[tuple[str, str, str]]:
        """
        to_edges(inverses=False): (head, relation, tail) names, one after the other.
        """
    def to_networkx(self, inverses: bool = False) -> typing.Any:
        """
        to_networkx(inverses=False): a networkx.MultiDiGraph of names; keys are relations.
        """
    def to_pandas(self, inverses: bool = False) -> typing.Any:
        """
        to_pandas(inverses=False): a pandas.DataFrame with the columns head, relation and tail.
        """
    def to_scipy(self, relation: int | str | None = None) -> typing.Any:
        """
        to_scipy(relation=None): a scipy.sparse.csr_array [num_entities, num_entities] with the number of edges between two, of one relation or of all.
        """
    def types_of(self, entity: int) -> list[int]:
        """
        Ids of an entity's types, ascending.
        """
    def weight(self, edge: int) -> float | None:
        """
        The weight that the source gave an edge, or None.
        """
    def without_source(self, edge: int) -> bool:
        """
        Whether the fact stands without a source too.
        """
    @property
    def all_neighbors(self) -> numpy.typing.NDArray[numpy.uint32]:
        """
        uint32, a view: the neighbors of all entities, one entity after the other.
        """
    @property
    def checksum(self) -> str:
        """
        Of names and edges, in hexadecimal: tables made for another graph are told by it.
        """
    @property
    def edges(self) -> numpy.typing.NDArray[numpy.void]:
        """
        [num_edges], a view with the fields 'relation' and 'tail' (uint32): all out-edges, inverses included, by head, relation and tail.
        """
    @property
    def has_sources(self) -> bool:
        """
        Whether facts tell what they were taken from.
        """
    @property
    def has_weights(self) -> bool:
        """
        Whether facts have weights.
        """
    @property
    def neighbor_offsets(self) -> numpy.typing.NDArray[numpy.uint64]:
        """
        uint64 [num_entities + 1], a view: rows of all_neighbors.
        """
    @property
    def num_connected(self) -> int:
        """
        Entities with an edge: ids below this.
        """
    @property
    def num_edges(self) -> int:
        """
        Directed edges, inverses included.
        """
    @property
    def num_entities(self) -> int:
        """
        All names.
        """
    @property
    def num_relations(self) -> int:
        """
        Relations, inverses included.
        """
    @property
    def offsets(self) -> numpy.typing.NDArray[numpy.uint64]:
        """
        uint64 [num_entities + 1], a view: the out-edges of entity e are edges[offsets[e]:offsets[e + 1]].
        """
    @property
    def type_relation(self) -> int | None:
        """
        The relation whose tails are types, or None.
        """
class Table:
    """
    A table of the database.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def meta(self) -> typing.Any:
        """
        What made it: json.
        """
    @property
    def values(self) -> numpy.typing.NDArray[numpy.float32]:
        """
        float32 [rows, columns].
        """
class GraphExportReport:
    """
    What was written.
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
        Entities.
        """
    @property
    def facts(self) -> int:
        """
        Facts.
        """
    @property
    def left_out(self) -> int:
        """
        Texts and qualifiers that the format has no place for.
        """
    @property
    def qualifiers(self) -> int:
        """
        Of facts.
        """
    @property
    def values(self) -> int:
        """
        Literals.
        """
class Store:
    """
    A database made by ingest(). Use it as a context manager, or call close(): a store that writes is locked against other writers until then.
    """
    @staticmethod
    def open(path: Path, *, write: bool = False) -> Store:
        """
        Open the folder `path`. StoreError: no database, locked, damaged or of another version.
        """
    def __enter__(self) -> Store:
        ...
    def __exit__(self, *args: typing.Any) -> None:
        ...
    def __repr__(self) -> str:
        ...
    def blob_meta(self, name: str) -> typing.Any | None:
        """
        What was kept beside a blob, or None.
        """
    def blob_names(self) -> list[str]:
        """
        Names of all blobs, ascending.
        """
    def close(self) -> None:
        """
        Close it; twice does no harm.
        """
    def dialogues(self, split: str) -> list[typing.Any]:
        """
        Dialogues of a split, each a list of (speaker, text) and (speaker, [(head, relation, tail), ...]) with ids.
        """
    def export_graph(self, file: Path, *, format: str | None = None, base: str = 'http://example.org/', graph_iri: str = '', progress: OnProgress = None, stop: StopFlag | None = None) -> GraphExportReport:
        """
        Write the graph: 'triples', 'csv', 'ntriples', 'nquads' or 'graphml', by the file's extension where `format` is None.
        """
    def get_blob(self, name: str) -> bytes | None:
        """
        The bytes under a name, or None.
        """
    def get_table(self, name: str) -> Table | None:
        """
        The table under this name ('transe/384/entities'), or None. Its rows are read once and not copied.
        """
    def graph_checksum(self) -> str:
        """
        KnowledgeGraph.checksum of its graph.
        """
    def load_graph(self) -> KnowledgeGraph:
        """
        The graph in memory, which does not need the store any more.
        """
    def meta(self) -> typing.Any:
        """
        What ingestion noted: schema, counts, checksums of the sources.
        """
    def put_blob(self, name: str, bytes: bytes, meta: typing.Any = ...) -> None:
        """
        Keep bytes under a name, as put_table() does tables.
        """
    def put_table(self, name: str, values: numpy.typing.NDArray[typing.Any], meta: typing.Any = ...) -> None:
        """
        Keep float32 [rows, columns] under a name, replacing what it held; all or nothing.
        """
    def read_edges(self, entity: int) -> list[typing.Any]:
        """
        Its out-edges as (relation, tail), without the graph in memory.
        """
    def read_entity(self, name: str) -> int | None:
        """
        The id of an entity, or None, without the graph in memory.
        """
    def remove_blob(self, name: str) -> None:
        """
        Remove a blob; nothing happens when there is none.
        """
    def remove_table(self, name: str) -> None:
        """
        Remove a table; nothing happens when there is none.
        """
    def splits(self) -> list[str]:
        """
        Names of the splits of dialogues, ascending.
        """
    def table_meta(self, name: str) -> typing.Any | None:
        """
        What was kept beside a table, or None.
        """
    def table_names(self) -> list[str]:
        """
        Names of all tables, ascending.
        """
    def verify(self) -> None:
        """
        Read everything and compare checksums; StoreError for the first damage.
        """
    @property
    def closed(self) -> bool:
        """
        Whether close() was called.
        """
    @property
    def path(self) -> pathlib.Path:
        """
        The folder, as open() was given it.
        """
class LiteralValue:
    """
    A text that an entity or relation has beside the graph.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def datatype(self) -> str:
        """
        An IRI, or empty.
        """
    @property
    def language(self) -> str:
        """
        A tag, or empty.
        """
    @property
    def name(self) -> str:
        """
        What it is, in words: 'release date'.
        """
    @property
    def predicate(self) -> str:
        """
        The IRI that `name` was made of, or empty.
        """
    @property
    def role(self) -> str:
        """
        'value', 'description', 'label', 'alias' or 'resource'.
        """
    @property
    def source(self) -> str:
        """
        What gave it, or empty.
        """
    @property
    def text(self) -> str:
        """
        The text as it was written.
        """
class Literals:
    """
    Texts beside the graph of a database: literals that name nothing.
    """
    @staticmethod
    def load(store: Store) -> Literals | None:
        """
        Those of a database, or None when it has none.
        """
    def __len__(self) -> int:
        ...
    def description(self, entity: int) -> str:
        """
        The first description of an entity; empty where there is none.
        """
    def of(self, entity: int, role: str = 'value') -> list[LiteralValue]:
        """
        Those of an entity, in the order of the files.
        """
    def of_relation(self, relation: int) -> list[LiteralValue]:
        """
        Those of a relation, in all roles.
        """
class TypedValue:
    """
    A number, a time, a truth value or a text.
    """
    def __eq__(self, other: object) -> bool:
        ...
    def __hash__(self) -> int:
        ...
    def __repr__(self) -> str:
        ...
    def __str__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def end(self) -> float:
        """
        Of a time where it ends, not included; else as `start`.
        """
    @property
    def kind(self) -> str:
        """
        'thing' (no value), 'text', 'boolean', 'number', 'year', 'year-month', 'date', 'date-time' or 'time'.
        """
    @property
    def start(self) -> float:
        """
        Of a number its size in the base unit (meters, kilograms, seconds, kelvins); of a time where it begins, in milliseconds since 1970.
        """
    @property
    def text(self) -> str:
        """
        Of texts.
        """
    @property
    def unit(self) -> str:
        """
        Symbol of a number's unit, as written; empty where it has none.
        """
class Measured:
    """
    What an entity was ordered or compared by.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def entity(self) -> int:
        """
        Its id.
        """
    @property
    def value(self) -> TypedValue:
        """
        The value; a count is a number.
        """
    @property
    def value_id(self) -> int | None:
        """
        The entity that stands for the value, or None.
        """
class FormAnswer:
    """
    The answer to a form. `names()` of Forms gives names for ids.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def complete(self) -> bool:
        """
        Whether it is whole.
        """
    @property
    def cut(self) -> str:
        """
        Why it is not whole: 'none', 'rows', 'visits', 'time' or 'stopped'.
        """
    @property
    def entities(self) -> list[int]:
        """
        Ids.
        """
    @property
    def measured(self) -> list[Measured]:
        """
        Values, where entities were ordered or compared.
        """
    @property
    def no_common_value(self) -> bool:
        """
        Nothing compared has values that compare.
        """
    @property
    def number(self) -> TypedValue | None:
        """
        A count, sum, average or difference; else None.
        """
    @property
    def order(self) -> str:
        """
        How they are ordered: 'id', 'ascending' or 'descending'.
        """
    @property
    def relations(self) -> list[int]:
        """
        Ids, where relations were asked for.
        """
    @property
    def ties(self) -> bool:
        """
        More than the n asked for, since the last of them are equal.
        """
    @property
    def total(self) -> int:
        """
        How many entities there are, whatever of them is told.
        """
    @property
    def truth(self) -> bool | None:
        """
        Yes or no; else None.
        """
class Query:
    """
    A form: what Forms.query() read.
    """
    def __eq__(self, other: object) -> bool:
        ...
    def __repr__(self) -> str:
        ...
    @property
    def kind(self) -> str:
        """
        'find', 'count', 'sum', 'average', 'which', 'whether', 'difference', 'check' or 'relations'.
        """
class Forms:
    """
    Answers forms over a graph, exactly. Any number of threads may ask it at the same time. A query is a Query, a form as a dictionary or a text of SPARQL.
    """
    def __init__(self, graph: KnowledgeGraph) -> None:
        """
        Read the values of a graph: about a second for a million edges.
        """
    def answer(self, query: Form, before: typing.Sequence[typing.Sequence[int]] = ..., *, max_rows: int = 0, max_visits: int = 100000000, seconds: float = 0.0, stop: StopFlag | None = None) -> FormAnswer:
        """
        Evaluate. `before`: ids of earlier answers, by number. Limits: entities told, edges looked at, wall time in seconds; 0 is none. An answer that meets one says so in `cut`.
        """
    def answer_json(self, answer: FormAnswer) -> typing.Any:
        """
        An answer as json, with names.
        """
    def ends(self, relation: int) -> tuple[typing.Any, ...]:
        """
        Kinds of value at (heads, tails) of a relation.
        """
    def evidence(self, query: Form, entity: int, before: typing.Sequence[typing.Sequence[int]] = ...) -> list[tuple[int, int, int]]:
        """
        Facts (head, relation, tail) by id that make an entity a member of the answer.
        """
    def form(self, query: Form) -> typing.Any:
        """
        The form as json.
        """
    def names(self, answer: FormAnswer) -> list[str]:
        """
        Names of an answer's entities, values as people write them.
        """
    def query(self, query: Form) -> Query:
        """
        Read a form (a dictionary, see docs/reference/forms.md) or a SELECT or ASK of SPARQL (text). ConfigError for unknown keys and names, with the nearest.
        """
    def ranked(self, relation: int) -> list[tuple[float, int]]:
        """
        Distinct tails that can be ordered: (TypedValue.start, entity), ascending.
        """
    def sparql(self, query: Form, before: typing.Sequence[typing.Sequence[int]] = ..., *, base: str = 'http://example.org/') -> str:
        """
        The form as SPARQL. ConfigError where SPARQL has no words for it.
        """
    def value(self, entity: int) -> TypedValue:
        """
        What an entity is by itself, as a value.
        """
    def value_of(self, relation: int, tail: int) -> TypedValue:
        """
        The same as the relation reads its tail.
        """
    def words(self, query: Form, answer: FormAnswer | None = None, most_names: int = 5) -> str:
        """
        The form as an exact phrase, with what came out where `answer` is given.
        """
    @property
    def graph(self) -> KnowledgeGraph:
        """
        The graph that is asked.
        """
class ExactDistances:
    """
    Exact distances of pairs: DistanceIndex, or GoalRows where a graph has no index.
    """
    def distance(self, a: int, b: int) -> int | None:
        """
        Hops between two, or None without a path. GoalRows keep what leads to `b`.
        """
    def distances(self, a: Ids, b: Ids) -> numpy.typing.NDArray[numpy.uint8]:
        """
        uint8 [n]: hops of n pairs, 255 without a path.
        """
class GoalRows(ExactDistances):
    """
    Distances to goals on any graph: a new goal is searched for, then its distances are kept.
    """
    def __init__(self, graph: KnowledgeGraph, *, max_bytes: int = 536870912) -> None:
        """
        Keeps up to `max_bytes`, a byte an entity and goal; the least recently used goals go.
        """
    def prepare(self, goals: Ids, *, stop: StopFlag | None = None) -> None:
        """
        Searches for many goals at once.
        """
    @property
    def num_rows(self) -> int:
        """
        Goals that are kept now.
        """
class DistanceIndex(ExactDistances):
    """
    Exact distance of a pair in microseconds: pruned landmark labeling. Needs neither graph nor store once it is built.
    """
    @staticmethod
    def build(graph: KnowledgeGraph, *, progress: OnProgress = None, stop: StopFlag | None = None) -> DistanceIndex:
        """
        Seconds for 100,000 entities, on all threads.
        """
    @staticmethod
    def load(store: Store) -> DistanceIndex | None:
        """
        What save() left there, or None.
        """
    def save(self, store: Store) -> None:
        """
        Keep it in the database, which must be open for writing.
        """
    @property
    def size_bytes(self) -> int:
        """
        In memory.
        """
class DistanceFactorsReport:
    """
    How well factors give distances back.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def absent_share(self) -> float:
        """
        Ordered pairs without a path, 0 to 1.
        """
    @property
    def exact_share(self) -> float:
        """
        Sampled entries that rounding gives back, 0 to 1.
        """
    @property
    def longest(self) -> int:
        """
        The largest finite distance, in hops.
        """
    @property
    def order_agreement(self) -> float:
        """
        Sampled triples whose nearer one the factors tell, 0 to 1.
        """
    @property
    def relative_error(self) -> float:
        """
        |D - L R^T| / |D|, Frobenius.
        """
    @property
    def rmse(self) -> float:
        """
        The same an entry, in hops.
        """
    @property
    def seconds(self) -> float:
        """
        Wall time.
        """
    @property
    def vertices(self) -> int:
        """
        Entities with an edge.
        """
class DistanceTables:
    """
    Factors of all distances: two rows of `rank` an entity.
    """
    @staticmethod
    def open(store: Store, rank: int = 256) -> DistanceTables | None:
        """
        The factors of this rank, or None.
        """
    def estimate(self, a: int, b: int) -> float:
        """
        Hops from a to b, estimated.
        """
    def left(self, entity: int) -> numpy.typing.NDArray[numpy.float32]:
        """
        float32 [rank], a view: the distance embedding.
        """
    def right(self, entity: int) -> numpy.typing.NDArray[numpy.float32]:
        """
        float32 [rank], a view.
        """
    @property
    def meta(self) -> typing.Any:
        """
        How they were made.
        """
    @property
    def num_entities(self) -> int:
        """
        Rows: entities with an edge.
        """
    @property
    def rank(self) -> int:
        """
        Columns.
        """
class EmbeddingTables:
    """
    Vectors of entities and relations. Names without an edge have none.
    """
    @staticmethod
    def best(store: Store, *, model: str = '', dim: int = 0) -> EmbeddingTables:
        """
        The tables that rank held-out facts best, of one model or width where they are given. StoreError: there are none.
        """
    @staticmethod
    def open(store: Store, model: str, dim: int) -> EmbeddingTables | None:
        """
        Tables of a model ('transe', 'complex', 'rotate' or 'distmult') that are `dim` wide, or None.
        """
    def distance(self, head: int, relation: int, tail: int) -> float:
        """
        The smaller, the likelier the fact: |h + r - t| of TransE, the negated score of products.
        """
    def nearest_entities(self, entity: int, count: int = 10) -> list[tuple[int, float]]:
        """
        Entities with the nearest vectors, nearest first.
        """
    def nearest_heads(self, relation: int, tail: int, count: int = 10) -> list[tuple[int, float]]:
        """
        The likeliest heads as (entity, distance), nearest first.
        """
    def nearest_tails(self, head: int, relation: int, count: int = 10) -> list[tuple[int, float]]:
        """
        The likeliest tails as (entity, distance), nearest first.
        """
    @property
    def dim(self) -> int:
        """
        Width.
        """
    @property
    def entities(self) -> numpy.typing.NDArray[numpy.float32]:
        """
        float32 [num_entities, dim], a view.
        """
    @property
    def meta(self) -> typing.Any:
        """
        How they were made: config, loss, ranks of the facts held out.
        """
    @property
    def model(self) -> str:
        """
        Which model made them.
        """
    @property
    def num_entities(self) -> int:
        """
        Rows of `entities`.
        """
    @property
    def num_relations(self) -> int:
        """
        Rows of `relations`.
        """
    @property
    def relations(self) -> numpy.typing.NDArray[numpy.float32]:
        """
        float32 [num_relations, dim], a view; inverses say the same backwards.
        """
class EmbeddingExportReport:
    """
    What was written.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def dim(self) -> int:
        """
        Width.
        """
    @property
    def entities(self) -> int:
        """
        Vectors of entities.
        """
    @property
    def model(self) -> str:
        """
        Which model made them.
        """
    @property
    def relations(self) -> int:
        """
        Vectors of relations.
        """
class RankMetrics:
    """
    Means over filtered ranks; ties count half.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def count(self) -> int:
        """
        How many ranks.
        """
    @property
    def hits1(self) -> float:
        """
        Share of ranks up to 1, 0 to 1.
        """
    @property
    def hits10(self) -> float:
        """
        Share of ranks up to 10.
        """
    @property
    def hits3(self) -> float:
        """
        Share of ranks up to 3.
        """
    @property
    def mean_rank(self) -> float:
        """
        From 1, the best.
        """
    @property
    def mrr(self) -> float:
        """
        Mean of 1 / rank.
        """
class RankReport:
    """
    Ranks of a split.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def both(self) -> RankMetrics:
        """
        Heads and tails together.
        """
    @property
    def head(self) -> RankMetrics:
        """
        Of the head in (?, r, t).
        """
    @property
    def tail(self) -> RankMetrics:
        """
        Of the tail in (h, r, ?).
        """
class LinkPredictionReport:
    """
    What came of a training.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def history(self) -> list[typing.Any]:
        """
        A row of json a validation.
        """
    @property
    def rank_seconds(self) -> float:
        """
        Wall time of ranking both splits.
        """
    @property
    def seconds(self) -> float:
        """
        Wall time of everything.
        """
    @property
    def test(self) -> RankReport:
        """
        Ranks of the whole split.
        """
    @property
    def train_seconds(self) -> float:
        """
        Wall time, validation not counted.
        """
    @property
    def valid(self) -> RankReport:
        """
        Ranks of the whole split.
        """
class LinkDataset:
    """
    Train, valid and test over one vocabulary.
    """
    @staticmethod
    def load(train: Path, valid: Path, test: Path) -> LinkDataset:
        """
        Read lines of head TAB relation TAB tail; plain or packed.
        """
    def __repr__(self) -> str:
        ...
    def remarks(self) -> list[str]:
        """
        What may not be meant, a sentence each.
        """
    @property
    def entities(self) -> list[str]:
        """
        Names by id.
        """
    @property
    def relations(self) -> list[str]:
        """
        Names by id; no inverses.
        """
    @property
    def test(self) -> list[tuple[int, int, int]]:
        """
        Facts by id.
        """
    @property
    def train(self) -> list[tuple[int, int, int]]:
        """
        Facts (head, relation, tail) by id.
        """
    @property
    def valid(self) -> list[tuple[int, int, int]]:
        """
        Facts by id.
        """
class InputOptions:
    """
    How files of a graph are read: keyword arguments, which are attributes too.
    """
    def __init__(self, **kwargs: typing.Any) -> None:
        ...
    @property
    def aliases(self) -> list[str]:
        """
        What gives things other names.
        """
    @aliases.setter
    def aliases(self, arg0: typing.Sequence[str]) -> None:
        ...
    @property
    def base(self) -> str:
        """
        The IRI that relative ones begin with.
        """
    @base.setter
    def base(self, arg0: str) -> None:
        ...
    @property
    def columns(self) -> list[str]:
        """
        Of csv and tsv: the columns of head, relation and tail, by name or by number from 1.
        """
    @columns.setter
    def columns(self, arg1: typing.Sequence[str]) -> None:
        ...
    @property
    def context(self) -> pathlib.Path:
        """
        Of JSON-LD: a file with a context.
        """
    @context.setter
    def context(self, arg0: Path) -> None:
        ...
    @property
    def descriptions(self) -> list[str]:
        """
        What describes things.
        """
    @descriptions.setter
    def descriptions(self, arg0: typing.Sequence[str]) -> None:
        ...
    @property
    def entity_ids(self) -> pathlib.Path:
        """
        A file of names for numbers in the files.
        """
    @entity_ids.setter
    def entity_ids(self, arg0: Path) -> None:
        ...
    @property
    def format(self) -> str:
        """
        'auto' (by extension), 'triples', 'csv', 'tsv', 'neo4j', 'ntriples', 'nquads', 'turtle', 'trig', 'rdfxml', 'jsonld', 'json', 'graphml' or 'wikidata'.
        """
    @format.setter
    def format(self, arg0: str) -> None:
        ...
    @property
    def id_column(self) -> str:
        """
        Of tables with a row per thing: its id.
        """
    @id_column.setter
    def id_column(self, arg0: str) -> None:
        ...
    @property
    def id_columns(self) -> list[str]:
        """
        Columns of the ids of head and tail, or of head, tail and relation.
        """
    @id_columns.setter
    def id_columns(self, arg0: typing.Sequence[str]) -> None:
        ...
    @property
    def labels(self) -> list[str]:
        """
        What names things, best first; empty: found.
        """
    @labels.setter
    def labels(self, arg0: typing.Sequence[str]) -> None:
        ...
    @property
    def language(self) -> str:
        """
        Labels in this language come first.
        """
    @language.setter
    def language(self, arg0: str) -> None:
        ...
    @property
    def links(self) -> list[str]:
        """
        Links 'table.column=table.column' between such tables.
        """
    @links.setter
    def links(self, arg0: typing.Sequence[str]) -> None:
        ...
    @property
    def list_separator(self) -> str:
        """
        Between several values in one cell.
        """
    @list_separator.setter
    def list_separator(self, arg1: str) -> None:
        ...
    @property
    def literals(self) -> str:
        """
        'entities', 'values' or 'drop'.
        """
    @literals.setter
    def literals(self, arg0: str) -> None:
        ...
    @property
    def max_name_bytes(self) -> int:
        """
        Longer names are skipped.
        """
    @max_name_bytes.setter
    def max_name_bytes(self, arg0: int) -> None:
        ...
    @property
    def name_column(self) -> str:
        """
        Of tables with a row per thing: its name.
        """
    @name_column.setter
    def name_column(self, arg0: str) -> None:
        ...
    @property
    def quote(self) -> str:
        """
        Of csv and Neo4j.
        """
    @quote.setter
    def quote(self, arg1: str) -> None:
        ...
    @property
    def relation_ids(self) -> pathlib.Path:
        """
        The same for relations.
        """
    @relation_ids.setter
    def relation_ids(self, arg0: Path) -> None:
        ...
    @property
    def separator(self) -> str:
        """
        Of tables; empty: as the first line shows.
        """
    @separator.setter
    def separator(self, arg1: str) -> None:
        ...
    @property
    def source_column(self) -> str:
        """
        The column of what a fact was taken from.
        """
    @source_column.setter
    def source_column(self, arg0: str) -> None:
        ...
    @property
    def weight_column(self) -> str:
        """
        The column of the weight of a fact.
        """
    @weight_column.setter
    def weight_column(self, arg0: str) -> None:
        ...
class IngestReport:
    """
    What was read.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def aliases(self) -> int:
        """
        Other names.
        """
    @property
    def connected_entities(self) -> int:
        """
        Those with an edge.
        """
    @property
    def descriptions(self) -> int:
        """
        Descriptions.
        """
    @property
    def duplicate_triples(self) -> int:
        """
        Of these, facts that were there already.
        """
    @property
    def edges(self) -> int:
        """
        Directed edges, inverses included.
        """
    @property
    def entities(self) -> int:
        """
        Names.
        """
    @property
    def files(self) -> typing.Any:
        """
        Counts of each file, in the order of reading.
        """
    @property
    def housekeeping(self) -> list[str]:
        """
        Relations that tell of records, not of things.
        """
    @property
    def labels(self) -> int:
        """
        Statements that name something.
        """
    @property
    def named_by(self) -> dict[str, int]:
        """
        How many names each property gave.
        """
    @property
    def notes(self) -> list[str]:
        """
        What was guessed or found and is good to know.
        """
    @property
    def problems(self) -> list[str]:
        """
        'file:line: why', the first ones of each file.
        """
    @property
    def qualified(self) -> int:
        """
        Facts with qualifiers.
        """
    @property
    def relations(self) -> int:
        """
        Relations, inverses included.
        """
    @property
    def skipped(self) -> int:
        """
        Bad lines.
        """
    @property
    def sourced(self) -> int:
        """
        Facts with a source.
        """
    @property
    def splits(self) -> typing.Any:
        """
        Of dialogues: counts by split.
        """
    @property
    def triple_lines(self) -> int:
        """
        Lines that were used.
        """
    @property
    def values(self) -> int:
        """
        Literals kept beside the graph.
        """
    @property
    def weighted(self) -> int:
        """
        Facts with a weight.
        """
class SparqlSource:
    """
    A graph that a SPARQL endpoint gives by a CONSTRUCT query.
    """
    def __init__(self, url: str, query: Path, *, page_rows: int = 10000, page_seconds: float = 60.0) -> None:
        """
        `query`: a file. Solutions are asked for by pages.
        """
    @property
    def page_rows(self) -> int:
        """
        Solutions of a page.
        """
    @property
    def page_seconds(self) -> float:
        """
        That a page may take.
        """
    @property
    def query(self) -> pathlib.Path:
        """
        The file with the query.
        """
    @property
    def url(self) -> str:
        """
        Where the endpoint takes queries.
        """
class EditReport:
    """
    What an edit changed.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def facts_added(self) -> int:
        """
        Facts.
        """
    @property
    def facts_retracted(self) -> int:
        """
        Facts.
        """
    @property
    def new_entities(self) -> int:
        """
        Entities that were made.
        """
    @property
    def new_relations(self) -> int:
        """
        Relations that were made.
        """
    @property
    def notes(self) -> list[str]:
        """
        Of these, the first 20.
        """
    @property
    def number(self) -> int:
        """
        Of the record; 0: nothing was to be changed.
        """
    @property
    def other_changes(self) -> int:
        """
        Of names, other names and descriptions.
        """
    @property
    def unchanged(self) -> int:
        """
        Operations whose work was done already.
        """
class EditRecord:
    """
    A record of the log.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def author(self) -> str:
        """
        Who edited.
        """
    @property
    def counts(self) -> EditReport:
        """
        What it changed.
        """
    @property
    def number(self) -> int:
        """
        From 1.
        """
    @property
    def time(self) -> str:
        """
        As RFC 3339 has it.
        """
    @property
    def undoes(self) -> int:
        """
        The edit that it takes back; 0: none.
        """
    @property
    def undone_by(self) -> int:
        """
        The edit that takes it back; 0: it stands.
        """
    @property
    def what(self) -> str:
        """
        In a line.
        """
class UpdateReport:
    """
    What an update changed.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def edit(self) -> EditReport:
        """
        The edit.
        """
    @property
    def problems(self) -> list[str]:
        """
        'file:line: why'.
        """
    @property
    def skipped(self) -> int:
        """
        Lines that were left out.
        """
class BackupReport:
    """
    A backup that was made or restored.
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
        Bytes of them.
        """
    @property
    def files(self) -> int:
        """
        Files.
        """
    @property
    def graph_checksum(self) -> str:
        """
        Of the graph that ingestion or the last compaction made.
        """
    @property
    def last_edit(self) -> int:
        """
        That is in it; 0: none.
        """
class Duplicate:
    """
    Two entities that are likely one.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def a(self) -> int:
        """
        The id with more edges.
        """
    @property
    def b(self) -> int:
        """
        The other.
        """
    @property
    def common(self) -> int:
        """
        Neighbors of both.
        """
    @property
    def neighbors(self) -> list[int]:
        """
        The first few of them.
        """
    @property
    def reason(self) -> str:
        """
        In a line.
        """
class MergeReport:
    """
    What became of a merge.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def dropped_tables(self) -> list[str]:
        """
        Tables that have to be made anew.
        """
    @property
    def edges_after(self) -> int:
        """
        Directed edges.
        """
    @property
    def edges_before(self) -> int:
        """
        Directed edges.
        """
    @property
    def merged(self) -> int:
        """
        Entities that are no more.
        """
class BlasInfo:
    """
    The BLAS that this process computes with.
    """
    def __repr__(self) -> str:
        ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The fields by name; records inside become dictionaries too.
        """
    @property
    def gflops_sgemm(self) -> float:
        """
        10^9 operations a second, of a 768^3 product in single precision.
        """
    @property
    def kernels(self) -> str:
        """
        The processor that its kernels are made for; '': it does not tell.
        """
    @property
    def name(self) -> str:
        """
        'OpenBLAS 0.3.21 (openmp)'.
        """
    @property
    def openmp(self) -> bool:
        """
        Whether it shares OpenMP's pool with the engine.
        """
def back_up(database: Path, folder: Path, *, replace: bool = False, progress: OnProgress = None, stop: StopFlag | None = None) -> BackupReport:
    """
    Copy a database whole into a folder, while others use and edit it.
    """
def compare_values(a: TypedValue, test: str, b: TypedValue) -> bool | None:
    """
    Whether `a test b` holds ('<', '<=', '=', '!=', '>=', '>'); None where they do not compare.
    """
def date_value(year: int, month: int, day: int) -> TypedValue:
    """
    A day.
    """
def distance_histogram(graph: KnowledgeGraph, *, progress: OnProgress = None, stop: StopFlag | None = None) -> numpy.typing.NDArray[numpy.uint64]:
    """
    uint64 [256]: how many ordered pairs of entities with an edge lie at each distance; [255] without a path.
    """
def distance_rows(graph: KnowledgeGraph, sources: Ids) -> numpy.typing.NDArray[numpy.uint8]:
    """
    uint8 [len(sources), num_connected]: hops from each source to all entities with an edge; 255 (UNREACHABLE) without a path.
    """
def edit(database: Path, operations: dict[str, typing.Any] | typing.Sequence[dict[str, typing.Any]], *, author: str, time: str = '') -> EditReport:
    """
    Do operations in their order as one edit: {'add': [HEAD, RELATION, TAIL], 'weight': 0.5, 'new': True}, 'retract', 'rename', 'alias', 'unalias', 'describe', 'merge'. `author` is needed; `time` is now where it is empty.
    """
def edit_log(database: Path) -> list[EditRecord]:
    """
    The log, oldest first.
    """
def embed_graph(store: Store, *, run: Path = '', progress: OnProgress = None, stop: StopFlag | None = None, **kwargs: typing.Any) -> EmbeddingTables:
    """
    Train embeddings of the graph of a database, which must be open for writing, and keep the tables there. `run`: a folder for checkpoints, from which a training that was stopped goes on. Options: embedding (a dictionary: model, dim, epochs, learning_rate, ...), held_out, weights, checkpoint_every_s.
    """
def export_embeddings(store: Store, folder: Path, *, format: str = 'npy', dim: int = 0, model: str = '', progress: OnProgress = None, stop: StopFlag | None = None) -> EmbeddingExportReport:
    """
    Write vectors into a folder: 'npy', 'word2vec' or 'projector' (TensorBoard's). dim 0 and no model: the best.
    """
def factorize_distances(store: Store, *, progress: OnProgress = None, stop: StopFlag | None = None, **kwargs: typing.Any) -> DistanceFactorsReport:
    """
    Factorize all distances of a graph and keep the factors in its database, which must be open for writing. Options: rank, oversampling, power_iterations, sample_vertices, sample_pairs, seed.
    """
def find_duplicates(graph: KnowledgeGraph, *, count: int = 100, min_common: int = 1, max_sharing: int = 100) -> list[Duplicate]:
    """
    Pairs with a name and neighbors in common, those with the most in common first.
    """
def format_named(word: str) -> str | None:
    """
    The format that a name, extension or media type stands for, or None.
    """
def format_of(file: Path) -> str:
    """
    The format of a file, by its extension.
    """
def ingest(database: Path, triples: Path | typing.Sequence[Path] | None = None, *, replace: bool = False, input: InputOptions | None = None, mapping: Path = '', entities: Path = '', relations: Path = '', annotation_only: Path = '', dialogues: dict[str, typing.Any] = ..., division: dict[str, float] = ..., division_seed: int = 1, sparql: SparqlSource | None = None, strict: bool = False, max_line_bytes: int = 1048576, max_reported: int = 20, progress: OnProgress = None, stop: StopFlag | None = None) -> IngestReport:
    """
    Make a database of files, all or nothing. `triples`: a path or paths, in any format that InputOptions names. `dialogues`: {'train': FILE or FILES}; those under '' are divided by `division` ({'train': 0.8, 'dev': 0.2}).
    """
def last_edit(of: typing.Any) -> int:
    """
    The number of the last edit of a graph, a store or the folder of a database; 0: none.
    """
def merge_entities(database: Path, pairs: typing.Sequence[tuple[str, str]], *, progress: OnProgress = None, stop: StopFlag | None = None) -> MergeReport:
    """
    Join the second entity of each pair to the first; the database is made anew, and ids change.
    """
def num_threads() -> int:
    """
    How many threads a loop or matrix product may use; 1 or more.
    """
def number_value(number: float, unit: str = '') -> TypedValue:
    """
    A number in a unit: number_value(180, 'cm').
    """
def parse_value(text: str) -> TypedValue | None:
    """
    A value as people write it ('1.72 m', '14 March 1902'), or None for anything else.
    """
def plan_tables(triples: Path | typing.Sequence[Path] | None, *, input: InputOptions | None = None, mapping: Path = '', stop: StopFlag | None = None) -> typing.Any:
    """
    What tables with a row per thing would become, as json: write it to a file, edit it, and give that as `mapping` of ingest().
    """
def probe_blas() -> BlasInfo:
    """
    Name the BLAS and measure it for about 0.2 s.
    """
def restore_backup(folder: Path, database: Path, *, replace: bool = False, progress: OnProgress = None, stop: StopFlag | None = None) -> BackupReport:
    """
    Make a database of a backup, of which every byte is compared with its checksum.
    """
def run_link_prediction(data: LinkDataset, *, run: Path = '', progress: OnProgress = None, stop: StopFlag | None = None, **kwargs: typing.Any) -> LinkPredictionReport:
    """
    Train on data.train and rank data.valid and data.test. `run`: a folder for checkpoints and results. Options: embedding (a dictionary), validate_every, validation_sample, checkpoint_every_s.
    """
def shortest_path(graph: KnowledgeGraph, source: int, target: int) -> list[tuple[int, int, int]] | None:
    """
    Hops (head, relation, tail) by id of one shortest path, or None without one.
    """
def text_value(text: str) -> TypedValue:
    """
    A text.
    """
def undo_edit(database: Path, number: int, *, author: str, time: str = '') -> EditReport:
    """
    Take an edit back, as an edit of its own.
    """
def update_graph(database: Path, add: Path | typing.Sequence[Path] | None = ..., remove: Path | typing.Sequence[Path] | None = ..., *, input: InputOptions | None = None, author: str, time: str = '', strict: bool = False, progress: OnProgress = None, stop: StopFlag | None = None) -> UpdateReport:
    """
    Retract the facts of files, then add those of others, as one edit.
    """
def value_of_literal(literal: str) -> TypedValue:
    """
    A literal as N-Triples writes it.
    """
def year_month_value(year: int, month: int) -> TypedValue:
    """
    A month of a year.
    """
def year_value(year: int) -> TypedValue:
    """
    A year; 0 is 1 BC.
    """
UNREACHABLE: int = 255
__version__: str = '0.1.0'
_shared_torch: str = '1.13.0'
