"""What a KnowledgeGraph gives to numpy, scipy, networkx and pandas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, Optional, Tuple, Union

if TYPE_CHECKING:
    from ._graph import KnowledgeGraph


def facts(graph: KnowledgeGraph, inverses: bool = False) -> Tuple[Any, Any, Any]:
    import numpy

    edges = graph.edges
    heads = numpy.repeat(numpy.arange(graph.num_entities, dtype=numpy.uint32), numpy.diff(graph.offsets).astype(numpy.int64))
    relations, tails = edges["relation"], edges["tail"]
    if inverses:
        return heads, relations.copy(), tails.copy()
    # A symmetric relation is its own inverse: its facts stand in both directions and are kept so.
    forward = numpy.array([not name.startswith("~") for name in graph.relation_names()], dtype=bool)
    kept = forward[relations] if len(forward) else numpy.zeros(0, dtype=bool)
    return heads[kept], relations[kept], tails[kept]


def to_edges(graph: KnowledgeGraph, inverses: bool = False) -> Iterator[Tuple[str, str, str]]:
    entities, relations = graph.entity_names(), graph.relation_names()
    columns = facts(graph, inverses)
    for head, relation, tail in zip(*(column.tolist() for column in columns)):
        yield entities[head], relations[relation], entities[tail]


def to_networkx(graph: KnowledgeGraph, inverses: bool = False) -> Any:
    import networkx

    result = networkx.MultiDiGraph()
    result.add_nodes_from(graph.entity_names())
    for head, relation, tail in to_edges(graph, inverses):
        result.add_edge(head, tail, key=relation, relation=relation)
    return result


def to_scipy(graph: KnowledgeGraph, relation: Optional[Union[int, str]] = None) -> Any:
    import numpy
    import scipy.sparse

    heads, relations, tails = facts(graph, inverses=True)
    if relation is not None:
        wanted = graph.relation(relation) if isinstance(relation, str) else relation
        graph.relation_name(wanted)  # refuses an id that is none
        heads, tails = heads[relations == wanted], tails[relations == wanted]
    ones = numpy.ones(len(heads), dtype=numpy.int64)
    size = graph.num_entities
    return scipy.sparse.coo_array((ones, (heads.astype(numpy.int64), tails.astype(numpy.int64))), shape=(size, size)).tocsr()


def to_pandas(graph: KnowledgeGraph, inverses: bool = False) -> Any:
    import numpy
    import pandas

    heads, relations, tails = facts(graph, inverses)
    entities = numpy.array(graph.entity_names(), dtype=object)
    names = numpy.array(graph.relation_names(), dtype=object)
    return pandas.DataFrame({"head": entities[heads], "relation": names[relations], "tail": entities[tails]})
