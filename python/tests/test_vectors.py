"""Distances, factors, TransE, link prediction."""

import numpy
import pytest

import kgwalk


def test_distance_rows_follow_breadth_first_search(graph):
    sources = [graph.entity("Red Harbor"), graph.entity("Drama")]
    rows = kgwalk.distance_rows(graph, sources)
    assert rows.shape == (2, graph.num_connected) and rows.dtype == numpy.uint8
    for source, row in zip(sources, rows):
        expected = numpy.full(graph.num_connected, kgwalk.UNREACHABLE)
        expected[source], frontier, hops = 0, [source], 0
        while frontier:
            hops += 1
            frontier = [n for e in frontier for n in graph.neighbors(e) if expected[n] == kgwalk.UNREACHABLE]
            expected[frontier] = hops
        assert (row == expected).all()
    assert (kgwalk.distance_rows(graph, numpy.array(sources, dtype=numpy.uint32)) == rows).all()
    assert kgwalk.distance_rows(graph, []).shape == (0, graph.num_connected)
    assert kgwalk.distance_histogram(graph).sum() == graph.num_connected * (graph.num_connected - 1)


def test_wrong_ids_are_refused(graph):
    for wrong in ([0.5], ["Drama"], "Drama", 3, numpy.zeros(2, dtype=numpy.float32), None):
        with pytest.raises(TypeError):
            kgwalk.distance_rows(graph, wrong)
    with pytest.raises(ValueError):
        kgwalk.distance_rows(graph, numpy.zeros((2, 2), dtype=numpy.int64))
    for wrong in ([-1], [10**6]):
        with pytest.raises(IndexError):
            kgwalk.distance_rows(graph, wrong)
    with pytest.raises(TypeError):
        kgwalk.distance_rows(None, [0])


def test_paths_and_index(graph, database):
    a, b = graph.entity("Red Harbor"), graph.entity("Gus Holm")
    path = kgwalk.shortest_path(graph, a, b)
    index = kgwalk.DistanceIndex.build(graph)
    assert path[0][0] == a and path[-1][2] == b and len(path) == index.distance(a, b)
    assert index.distances([a, a], [b, a]).tolist() == [len(path), 0] and index.size_bytes > 0
    assert index.distance(a, 10**6) is None
    with pytest.raises(ValueError):
        index.distances([a], [b, a])
    rows = kgwalk.GoalRows(graph, max_bytes=10**6)
    rows.prepare([a, b])
    assert rows.num_rows == 2 and rows.distance(a, b) == len(path) and rows.distance(a, 10**6) is None
    assert rows.distances([a, a], [b, a]).tolist() == [len(path), 0]
    with kgwalk.Store.open(database, write=True) as store:
        assert kgwalk.DistanceIndex.load(store) is None
        kgwalk.DistanceIndex.build(store.load_graph()).save(store)
        assert kgwalk.DistanceIndex.load(store).distance(a, b) == len(path)


def test_factors(database):
    with kgwalk.Store.open(database, write=True) as store:
        report = kgwalk.factorize_distances(store, rank=8, oversampling=8, sample_vertices=20)
        assert report.longest >= 3 and 0 <= report.relative_error < 1
        tables = kgwalk.DistanceTables.open(store, 8)
        assert kgwalk.DistanceTables.open(store, 9) is None
        with pytest.raises(kgwalk.ConfigError):
            kgwalk.factorize_distances(store, rank=0)
        with pytest.raises(kgwalk.ConfigError) as caught:
            kgwalk.factorize_distances(store, rnak=8)
        assert caught.value.nearest == ["rank"]
        with pytest.raises(TypeError, match="rank"):
            kgwalk.factorize_distances(store, rank=2.5)
    assert tables.rank == 8 and tables.num_entities == report.vertices and tables.meta["config"]
    assert tables.estimate(0, 1) == pytest.approx(float(tables.left(0) @ tables.right(1)), rel=1e-4)


def test_embeddings(database, tmp_path):
    seen = []
    with kgwalk.Store.open(database, write=True) as store:
        tables = kgwalk.embed_graph(
            store, embedding={"dim": 16, "epochs": 3, "norm": "l1"}, run=tmp_path / "run", progress=seen.append
        )
        assert kgwalk.EmbeddingTables.open(store, "transe", 16).num_entities == tables.num_entities
        assert kgwalk.EmbeddingTables.open(store, "transe", 17) is None
        assert kgwalk.EmbeddingTables.open(store, "complex", 16) is None
        assert kgwalk.EmbeddingTables.best(store).model == "transe"
        with pytest.raises(kgwalk.StoreError):
            kgwalk.EmbeddingTables.best(store, model="rotate")
        kept = store.get_table("transe/16/entities").values
        report = kgwalk.export_embeddings(store, tmp_path / "vectors")
        assert report.dim == 16 and (tmp_path / "vectors" / "entities.npy").exists()
        with pytest.raises(kgwalk.ConfigError) as caught:
            kgwalk.embed_graph(store, embedding={"norm": "l3"})
        assert caught.value.nearest
        with pytest.raises(TypeError):
            kgwalk.embed_graph(store, embedding=5)
    assert any("loss" in event.note for event in seen)
    assert tables.dim == 16 and tables.entities.shape == (tables.num_entities, 16)
    assert (tables.entities == kept).all() and tables.relations.shape == (tables.num_relations, 16)
    assert not tables.entities.flags.writeable
    assert (tables.entities.__array_interface__["data"]) == tables.entities.__array_interface__["data"]
    h, r, t = tables.entities[0], tables.relations[1], tables.entities[2]
    assert tables.distance(0, 1, 2) == pytest.approx(float(numpy.abs(h + r - t).sum()), rel=1e-4)
    order = [entity for entity, _ in tables.nearest_tails(0, 1, tables.num_entities)]
    distances = [tables.distance(0, 1, entity) for entity in order]
    assert distances == sorted(distances)
    assert len(tables.nearest_heads(1, 2)) == 10 and len(tables.nearest_entities(0, 3)) == 3
    assert tables.meta["config"]["embedding"]["dim"] == 16
    with pytest.raises(kgwalk.ConfigError):
        tables.distance(0, 1, 10**6)


def test_other_embeddings(database):
    with kgwalk.Store.open(database, write=True) as store:
        tables = kgwalk.embed_graph(store, embedding={"model": "complex", "dim": 12, "epochs": 2})
        assert tables.model == "complex" and tables.meta["config"]["embedding"]["reciprocal"]
        assert kgwalk.EmbeddingTables.open(store, "complex", 12).dim == 12
        with pytest.raises(kgwalk.ConfigError, match="even"):
            kgwalk.embed_graph(store, embedding={"model": "complex", "dim": 11})
        store.remove_table("complex/12/entities")
        store.remove_table("complex/12/relations")
    h, r, t = (v[:6] + 1j * v[6:] for v in (tables.entities[0], tables.relations[1], tables.entities[2]))
    assert tables.distance(0, 1, 2) == pytest.approx(-float((h * r * t.conj()).sum().real), rel=1e-4, abs=1e-6)


def test_link_prediction(tmp_path, facts_file):
    data = kgwalk.LinkDataset.load(facts_file, facts_file, facts_file)
    assert len(data.train) == len(data.valid) == len(data.test) == 120 and "facts" in repr(data)
    assert "Red Harbor" in data.entities and "directed_by" in data.relations
    assert any("test" in remark for remark in data.remarks())
    report = kgwalk.run_link_prediction(data, embedding={"dim": 8, "epochs": 2}, validate_every=0)
    assert 0 < report.test.both.mrr <= 1 and report.test.head.count == 120 and report.valid.tail.mean_rank >= 1
    with pytest.raises(kgwalk.IoError):
        kgwalk.LinkDataset.load("nothing", facts_file, facts_file)
