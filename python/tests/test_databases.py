"""Ingestion, edits, merging."""

import pytest

import kgwalk


def test_ingest_tells_what_was_read(tmp_path, facts_file):
    seen = []
    report = kgwalk.ingest(tmp_path / "kg.db", facts_file, progress=seen.append)
    assert report.edges == 240 and report.skipped == 0 and report.files[0]["triples"] == 120
    assert report.to_dict()["entities"] == report.entities
    assert {event.kind for event in seen} >= {"start", "end"} and "IngestReport(" in repr(report)
    with pytest.raises(kgwalk.StoreError) as caught:
        kgwalk.ingest(tmp_path / "kg.db", facts_file)
    assert caught.value.remedies[0].action == "replace"
    kgwalk.ingest(tmp_path / "kg.db", [facts_file], replace=True)


def test_tables_with_columns_of_ones_own(tmp_path):
    table = tmp_path / "facts.csv"
    table.write_text("what;who;sure\nDune;Denis Villeneuve;0.5\n", encoding="utf-8")
    options = kgwalk.InputOptions(format="csv", separator=";", columns=["what", "who", "who"], weight_column="sure")
    assert options.format == "csv" and options.separator == ";" and options.columns == ["what", "who", "who"]
    kgwalk.ingest(tmp_path / "kg.db", table, input=options)
    graph = kgwalk.KnowledgeGraph.open(tmp_path / "kg.db")
    assert graph.has_weights and graph.weight(0) == pytest.approx(0.5)
    with pytest.raises(kgwalk.ConfigError) as caught:
        kgwalk.InputOptions(seperator=";")
    assert caught.value.nearest[0] == "separator"
    with pytest.raises(kgwalk.ConfigError):
        kgwalk.InputOptions(separator="two signs")


def test_a_table_with_a_row_per_thing_is_planned(tmp_path):
    table = tmp_path / "film.csv"
    table.write_text("id,name,year\n1,Dune,2021\n2,Tenet,2020\n3,Heat,1995\n", encoding="utf-8")
    plan = kgwalk.plan_tables(table)
    assert plan["tables"][0]["table"] == "film"


def test_bad_lines_have_a_file_and_a_line(tmp_path):
    path = tmp_path / "bad.txt"
    path.write_text("a\tto\tb\nno tabs here\n", encoding="utf-8")
    with pytest.raises(kgwalk.DataError) as caught:
        kgwalk.ingest(tmp_path / "kg.db", path, strict=True)
    assert caught.value.file.endswith("bad.txt") and caught.value.line == 2
    assert kgwalk.ingest(tmp_path / "kg.db", path).skipped == 1
    with pytest.raises(kgwalk.IoError) as caught:
        kgwalk.ingest(tmp_path / "other.db", tmp_path / "nothing.txt")
    assert isinstance(caught.value, OSError) and isinstance(caught.value, kgwalk.Error)
    for wrong in (None, 5):
        with pytest.raises((TypeError, kgwalk.ConfigError)):
            kgwalk.ingest(tmp_path / "other.db", wrong)


def test_dialogues(tmp_path, facts_file):
    talk = tmp_path / "talk.csv"
    message = '[{""type"": ""chat"", ""message"": ""Hi there"", ""sender"": ""user""}]'
    talk.write_text(f'Messages,User Rating,Assistant Rating\n"{message}",{{}},{{}}\n', encoding="utf-8")
    kgwalk.ingest(tmp_path / "kg.db", facts_file, dialogues={"train": talk})
    with kgwalk.Store.open(tmp_path / "kg.db") as store:
        assert store.splits() == ["train"] and store.dialogues("train") == [[("user", "Hi there")]]
        with pytest.raises(kgwalk.StoreError):
            store.dialogues("dev")


def test_literals(tmp_path):
    path = tmp_path / "graph.nt"
    path.write_text(
        '<http://e/a> <http://www.w3.org/2000/01/rdf-schema#label> "Ada" .\n'
        '<http://e/a> <http://www.w3.org/2000/01/rdf-schema#comment> "A person." .\n'
        '<http://e/a> <http://e/born> "1815" .\n'
        "<http://e/a> <http://e/knows> <http://e/b> .\n",
        encoding="utf-8",
    )
    kgwalk.ingest(tmp_path / "kg.db", path, input=kgwalk.InputOptions(literals="values"))
    with kgwalk.Store.open(tmp_path / "kg.db") as store:
        graph, literals = store.load_graph(), kgwalk.Literals.load(store)
    ada = graph.entity("Ada")
    assert graph.source_id(ada) == "http://e/a" and graph.find_source_id("http://e/a") == ada
    assert literals.description(ada) == "A person." and len(literals) >= 2
    assert [each.text for each in literals.of(ada)] == ["1815"]
    assert literals.of(ada, "description")[0].role == "description"
    assert literals.of_relation(0) == [] or literals.of_relation(0)[0].text
    with pytest.raises(kgwalk.ConfigError):
        literals.of(ada, "descriptoin")


def test_edits(database):
    report = kgwalk.edit(
        database,
        [{"add": ["Red Harbor", "directed_by", "New Person"], "new": True}, {"alias": ["Drama", "Dramas"]}],
        author="tester",
    )
    assert report.facts_added == 1 and report.new_entities == 1 and report.number == 1
    graph = kgwalk.KnowledgeGraph.open(database)
    assert graph.find_entity("New Person") is not None and graph.aliases(graph.entity("Drama")) == ["Dramas"]
    assert kgwalk.last_edit(graph) == kgwalk.last_edit(database) == 1
    with kgwalk.Store.open(database) as store:
        assert kgwalk.last_edit(store) == 1
    kgwalk.undo_edit(database, 1, author="tester")
    log = kgwalk.edit_log(database)
    assert [record.number for record in log] == [1, 2] and log[1].undoes == 1 and log[0].author == "tester"
    with pytest.raises(kgwalk.ConfigError):
        kgwalk.edit(database, {"ad": ["a", "b", "c"]}, author="tester")
    with pytest.raises(TypeError):
        kgwalk.edit(database, "add", author="tester")
    with pytest.raises(TypeError):
        kgwalk.edit(database, {"retract": ["Red Harbor", "has_genre", "Drama"]})


def test_updates(database, tmp_path):
    more = tmp_path / "more.txt"
    more.write_text("Red Harbor\tdirected_by\tGus Holm\n", encoding="utf-8")
    report = kgwalk.update_graph(database, more, author="tester")
    assert report.edit.facts_added == 1 and report.skipped == 0
    report = kgwalk.update_graph(database, remove=[more], author="tester")
    assert report.edit.facts_retracted == 1


def test_backups_come_back(database, tmp_path):
    made = kgwalk.back_up(database, tmp_path / "backup")
    assert made.files > 3 and made.bytes > 0 and made.last_edit == 0
    restored = kgwalk.restore_backup(tmp_path / "backup", tmp_path / "new.db")
    assert restored.graph_checksum == made.graph_checksum == kgwalk.KnowledgeGraph.open(tmp_path / "new.db").checksum
    (tmp_path / "backup" / "BACKUP").unlink()
    with pytest.raises(kgwalk.StoreError):
        kgwalk.restore_backup(tmp_path / "backup", tmp_path / "new.db", replace=True)


def test_duplicates_are_found_and_merged(tmp_path):
    path = tmp_path / "twins.txt"
    path.write_text("Oslo\tin\tNorway\nBergen\tin\tNorway\n", encoding="utf-8")
    kgwalk.ingest(tmp_path / "kg.db", path)
    graph = kgwalk.KnowledgeGraph.open(tmp_path / "kg.db")
    assert kgwalk.find_duplicates(graph) == []
    report = kgwalk.merge_entities(tmp_path / "kg.db", [("Oslo", "Bergen")])
    assert report.merged == 1
    merged = kgwalk.KnowledgeGraph.open(tmp_path / "kg.db")
    assert merged.find_entity("Bergen") is None and merged.aliases(merged.entity("Oslo")) == ["Bergen"]


def test_an_endpoint_that_is_not_there_is_an_error(tmp_path):
    (tmp_path / "query.rq").write_text("CONSTRUCT WHERE {?s ?p ?o}", encoding="utf-8")
    source = kgwalk.SparqlSource("http://127.0.0.1:9/sparql", tmp_path / "query.rq", page_rows=10)
    assert source.url.endswith("sparql") and source.page_rows == 10 and source.page_seconds == 60
    assert source.query == tmp_path / "query.rq"
    with pytest.raises(kgwalk.Error):
        kgwalk.ingest(tmp_path / "kg.db", sparql=source)
