"""KnowledgeGraph and Store: names, arrays, tables, and what is refused."""

import gc

import numpy
import pytest

import kgwalk


def test_counts_and_names(graph):
    assert len(graph) == graph.num_entities == graph.num_connected
    assert graph.num_edges == 2 * 4 * 30
    assert graph.num_relations == 8
    assert "red harbor" in graph and "Red Harbour" not in graph
    assert graph.entity_name(graph.entity("RED HARBOR")) == "Red Harbor"
    assert graph.relation_name(graph.inverse(graph.relation("directed_by"))) == "~directed_by"
    assert graph.find_entity("nobody") is None and graph.find_relation("nothing") is None
    assert graph.entity_names()[graph.entity("Drama")] == "Drama"
    assert set(graph.relation_names()) >= {"directed_by", "~directed_by"}
    assert "entities" in repr(graph) and len(graph.checksum) > 10


def test_unknown_names_tell_the_nearest(graph):
    with pytest.raises(kgwalk.ConfigError) as caught:
        graph.entity("Red Harbr")
    assert "Red Harbor" in caught.value.nearest and isinstance(caught.value, ValueError)
    with pytest.raises(kgwalk.ConfigError) as caught:
        graph.relation("directed_buy")
    assert caught.value.nearest[0] == "directed_by"
    assert graph.suggest_entities("Red Harbr", 1) == ["Red Harbor"]
    assert graph.suggest_relations("has_gender")[0] == "has_genre"


def test_arrays_are_views_that_keep_the_graph():
    graph = kgwalk.KnowledgeGraph.from_triples([("a", "to", "b"), ("a", "to", "c"), ("c", "to", "c")])
    edges, offsets = graph.edges, graph.offsets
    assert edges.dtype.names == ("relation", "tail") and offsets.dtype == numpy.uint64
    assert edges.__array_interface__["data"] == graph.edges.__array_interface__["data"]
    assert not edges.flags.writeable and not offsets.flags.writeable
    with pytest.raises(ValueError):
        offsets[0] = 1
    a, c = graph.entity("a"), graph.entity("c")
    assert list(graph.out_edges(a)["tail"]) == list(edges["tail"][int(offsets[a]) : int(offsets[a + 1])])
    assert list(graph.neighbors(c)) == [a]
    assert list(graph.all_neighbors[int(graph.neighbor_offsets[c]) : int(graph.neighbor_offsets[c + 1])]) == [a]
    total = int(edges["tail"].sum())
    del graph
    gc.collect()
    assert int(edges["tail"].sum()) == total


def test_facts_by_id(graph):
    film, by, ada = graph.entity("Red Harbor"), graph.relation("directed_by"), graph.entity("Ada Brook")
    assert graph.has_edge(film, by, ada) and not graph.has_edge(ada, by, film)
    assert not graph.annotation_only(film, by, ada)
    number = graph.edge_number(film, by, ada)
    assert graph.edges[number]["tail"] == ada and graph.edge_number(ada, by, film) is None
    assert graph.weight(number) is None and not graph.has_weights
    assert graph.sources(number) == [] and not graph.has_sources and graph.without_source(number)
    assert graph.source_id(film) == "" and graph.relation_source_id(by) == "" and graph.label(film) == ""
    assert graph.find_source_id("http://nothing") is None
    assert graph.aliases(film) == [] and graph.types_of(film) == [] and graph.type_relation is None
    assert not graph.is_housekeeping(by)


def test_ids_out_of_range_are_index_errors(graph):
    for call in (graph.entity_name, graph.out_edges, graph.neighbors, graph.aliases, graph.relation_name, graph.weight):
        for wrong in (-1, 10**6):
            with pytest.raises(IndexError, match="ids are 0 to"):
                call(wrong)
    with pytest.raises(IndexError):
        graph.has_edge(0, 0, 10**6)


def test_what_is_no_triple_is_refused():
    for wrong in ([("a", "b")], ["abc"], [("a", "b", 3)], [None]):
        with pytest.raises(TypeError, match="triples"):
            kgwalk.KnowledgeGraph.from_triples(wrong)
    with pytest.raises(TypeError):
        kgwalk.KnowledgeGraph.from_triples(None)
    with pytest.raises(kgwalk.ConfigError):
        kgwalk.KnowledgeGraph.from_triples([("", "to", "b")])


def test_names_that_are_not_utf8_are_refused(graph):
    with pytest.raises((TypeError, UnicodeError)):
        kgwalk.KnowledgeGraph.from_triples([("\udcff", "to", "b")])
    with pytest.raises((TypeError, UnicodeError)):
        graph.entity("\udcff")
    with pytest.raises(kgwalk.ConfigError):
        graph.entity(b"\xff\xfe")
    with pytest.raises(TypeError):
        graph.entity(None)


def test_an_empty_graph_converts():
    empty = kgwalk.KnowledgeGraph.from_triples([], ["alone"])
    assert len(empty) == 1 and empty.num_connected == 0 and len(empty.edges) == 0
    assert list(empty.to_edges()) == []


def test_conversions(graph):
    heads, relations, tails = graph.facts()
    assert len(heads) == 120 and heads.dtype == numpy.uint32
    assert len(graph.facts(inverses=True)[0]) == graph.num_edges
    assert ("Red Harbor", "directed_by", "Ada Brook") in set(graph.to_edges())
    networkx = pytest.importorskip("networkx")
    as_networkx = graph.to_networkx()
    assert as_networkx.number_of_edges() == 120 and as_networkx.has_edge("Red Harbor", "Ada Brook", "directed_by")
    assert networkx.has_path(as_networkx, "Red Harbor", "Drama")


def test_to_scipy_and_pandas(graph):
    pytest.importorskip("scipy")
    adjacency = graph.to_scipy()
    assert adjacency.shape == (len(graph), len(graph)) and adjacency.sum() == graph.num_edges
    by = graph.to_scipy("directed_by")
    assert by[graph.entity("Red Harbor"), graph.entity("Ada Brook")] == 1 and by.sum() == 30
    with pytest.raises(IndexError):
        graph.to_scipy(10**6)
    pytest.importorskip("pandas")
    assert list(graph.to_pandas().columns) == ["head", "relation", "tail"] and len(graph.to_pandas()) == 120


def test_a_store_closes(database):
    with kgwalk.Store.open(database) as store:
        assert store.path == database and not store.closed
        assert store.meta()["counts"]["entities"] > 0
        assert store.graph_checksum() == store.load_graph().checksum
        assert store.splits() == [] and kgwalk.Literals.load(store) is None
        entity = store.read_entity("red harbor")
        assert len(store.read_edges(entity)) == 4
        store.verify()
    assert store.closed and "closed" in repr(store)
    store.close()
    with pytest.raises(kgwalk.StoreError, match="closed"):
        store.load_graph()
    with pytest.raises(kgwalk.StoreError):
        kgwalk.Store.open(database / "nothing")


def test_tables(database):
    table = numpy.arange(12, dtype=numpy.float32).reshape(4, 3)
    with kgwalk.Store.open(database, write=True) as store:
        store.put_table("own", table, {"made": "here", "by": [1, 2.5, None, True]})
        store.put_blob("bytes", b"\x00\xff", {})
        assert store.table_names() == ["own"] and store.table_meta("own")["by"] == [1, 2.5, None, True]
        read = store.get_table("own")
        assert (read.values == table).all() and read.meta["made"] == "here"
        assert store.get_table("none") is None and store.get_blob("none") is None
        assert store.get_blob("bytes") == b"\x00\xff" and store.blob_meta("bytes") == {}
        assert "bytes" in store.blob_names()
        store.put_table("own", table[:, ::2])
        assert store.get_table("own").values.shape == (4, 2)
        store.remove_table("own")
        store.remove_blob("bytes")
        assert store.table_names() == []
        for wrong in (table.astype(numpy.float64), table.astype(numpy.int32)):
            with pytest.raises(TypeError, match="float32"):
                store.put_table("wrong", wrong)
        with pytest.raises(ValueError, match="rows, columns"):
            store.put_table("wrong", table.ravel())
        with pytest.raises(TypeError):
            store.put_table("wrong", None)
        with pytest.raises(TypeError):
            store.put_table("wrong", table, {"a set": {1}})
    with kgwalk.Store.open(database) as store, pytest.raises(kgwalk.StoreError):
        store.put_table("own", table)


def test_a_graph_is_written_and_read_again(database, tmp_path, graph):
    with kgwalk.Store.open(database) as store:
        for name in ("graph.nt", "graph.csv", "graph.graphml", "graph.txt"):
            report = store.export_graph(tmp_path / name)
            assert report.facts == 120
        with pytest.raises(kgwalk.ConfigError) as caught:
            store.export_graph(tmp_path / "wrong", format="ntripels")
        assert caught.value.nearest[0] == "ntriples"
    assert kgwalk.format_of(tmp_path / "graph.nt") == "ntriples" and kgwalk.format_named("text/turtle") == "turtle"
    assert kgwalk.format_named("nonsense") is None
    again = kgwalk.ingest(tmp_path / "again.db", tmp_path / "graph.nt")
    assert again.entities == len(graph)
