// Edits of a graph whose entities have ids of their source: names, texts, and what becomes part of the base.
#include <gtest/gtest.h>

#include <algorithm>

#include "kgwalk/graph_details.h"
#include "kgwalk/values.h"
#include "tests/graph/edits/edits_fixture.h"

namespace kgwalk::graph {
namespace {

using testing::expect_sound;
using testing::Fact;
using testing::facts_of;
using testing::kAda;
using Kind = EditOperation::Kind;

// A database of Turtle, whose entities have ids.
class EditsOfIris : public testing::EditedDatabase {
 protected:
  std::filesystem::path put(const char* file, const std::string& text) {
    std::ofstream(folder_.path() / file)
        << "@prefix : <http://e.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
           "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
        << text;
    return folder_.path() / file;
  }
  void make_of(const std::string& text) {
    ingest({.database = db(), .replace = true, .triples = {put("facts.ttl", text)}});
  }
  EditReport update(const std::string& add, const std::string& remove = "") {
    UpdateOptions options{.database = db(), .edit = kAda};
    if (!add.empty()) options.add = {put("add.ttl", add)};
    if (!remove.empty()) options.remove = {put("remove.ttl", remove)};
    return update_graph(options).edit;
  }
  [[nodiscard]] std::optional<Values> texts() const {
    return Values::load(Store::open(db(), Store::Mode::kReadOnly));
  }
};

TEST_F(EditsOfIris, AnUpdateBringsNamesAndDescriptions) {
  make_of(":h :by :m . :h rdfs:label \"Heat\" . :m rdfs:label \"Michael Mann\" .");
  const EditReport report = update(
      ":h rdfs:label \"Heat\"; skos:altLabel \"Heat 95\" . :m rdfs:label \"M. Mann\"; rdfs:comment "
      "\"director\" . :n rdfs:label \"Al Pacino\" .");
  EXPECT_EQ(report.facts_added, 0U);
  const KnowledgeGraph now = graph();
  EXPECT_EQ(details(now).aliases(*now.find_entity("Heat")), std::vector<std::string_view>{"Heat 95"});
  const EntityId mann = *now.find_entity("Michael Mann");
  EXPECT_EQ(details(now).aliases(mann), std::vector<std::string_view>{"M. Mann"});
  EXPECT_EQ(texts()->description(mann), "director");
  EXPECT_EQ(details(now).id(*now.find_entity("Al Pacino")), "http://e.org/n");
  (void)undo_edit(db(), report.number, kAda);
  EXPECT_TRUE(details(graph()).aliases(mann).empty());
  EXPECT_FALSE(graph().find_entity("Al Pacino"));
}

// By number of the edge, which edits shift.
TEST_F(EditsOfIris, WhatIsSaidBesideAFactStaysWithIt) {
  make_of(
      "@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n"
      ":a :by :m , :n . :z :by :m .\n"
      "[] a rdf:Statement ; rdf:subject :a ; rdf:predicate :by ; rdf:object :n ; :in \"1990\" .\n"
      "[] a rdf:Statement ; rdf:subject :z ; rdf:predicate :by ; rdf:object :m ; :in \"2002\" .");
  const auto said = [&](const char* head, const char* tail) {
    const KnowledgeGraph now = graph();
    const auto edge =
        edge_number(now, {*now.find_entity(head), *now.find_relation("by"), *now.find_entity(tail)});
    std::vector<std::string> all;
    if (edge)
      for (const std::span<const Qualifier> statement : details(now).qualifiers(*edge))
        for (const Qualifier& each : statement) all.emplace_back(now.entity_name(each.value));
    return all;
  };
  using Said = std::vector<std::string>;
  EXPECT_EQ(said("a", "n"), Said{"1990"});
  const EditReport report = update(":a :by :b . :m :by :q .", ":a :by :m .");
  EXPECT_EQ(said("a", "n"), Said{"1990"});
  EXPECT_EQ(said("z", "m"), Said{"2002"});
  EXPECT_EQ(said("a", "b"), Said{});
  (void)undo_edit(db(), report.number, kAda);
  EXPECT_EQ(said("a", "n"), Said{"1990"});
  EXPECT_THROW((void)run({.kind = Kind::kMerge, .names = {"z", "a"}}), ConfigError) << "1990 would be lost";
  EXPECT_EQ(said("a", "n"), Said{"1990"});
  (void)update("", ":a :by :n .");
  EXPECT_EQ(said("z", "m"), Said{"2002"});
}

TEST_F(EditsOfIris, AnUpdateThatTakesAwayANameAndGivesAnotherRenames) {
  make_of(":h :by :m . :m rdfs:label \"Michael Man\"; skos:altLabel \"Mike\" .");
  (void)update(":m rdfs:label \"Michael Mann\" .", ":m rdfs:label \"Michael Man\"; skos:altLabel \"Mike\" .");
  const KnowledgeGraph now = graph();
  const auto mann = now.find_entity("Michael Mann");
  ASSERT_TRUE(mann);
  EXPECT_TRUE(details(now).aliases(*mann).empty());
  EXPECT_FALSE(now.find_entity("Michael Man"));
}

TEST_F(EditsOfIris, AMergeKeepsTextsAndIdsAndIsTakenBack) {
  make_of(":a :by :m . :b :by :n . :m rdfs:label \"Mann\"; :note \"" + std::string(100, 'm') +
          "\" . :n rdfs:label \"M. Mann\"; :note \"" + std::string(100, 'n') +
          "\"; rdfs:comment \"director\" .");
  const EntityId one = *graph().find_entity("Mann"), other = *graph().find_entity("M. Mann");
  const std::size_t of_one = texts()->of(one, ValueRole::kDescription).size() + texts()->of(one).size();
  const auto all_of = [&](EntityId e) {
    return texts()->of(e, ValueRole::kDescription).size() + texts()->of(e).size();
  };
  const std::size_t of_other = all_of(other);
  const EditReport merged = run({.kind = Kind::kMerge, .names = {"Mann", "M. Mann"}});
  EXPECT_GT(all_of(one), of_one);
  EXPECT_EQ(all_of(other), 0U);
  const auto aliases = details(graph()).aliases(one);
  EXPECT_TRUE(std::find(aliases.begin(), aliases.end(), "http://e.org/n") != aliases.end());
  // A file that still has the old id speaks of the one.
  EXPECT_EQ(update(":c :by :n .").new_entities, 1U);
  (void)undo_edit(db(), 2, kAda);
  (void)undo_edit(db(), merged.number, kAda);
  EXPECT_EQ(all_of(one), of_one);
  EXPECT_EQ(all_of(other), of_other);
}

TEST_F(EditsOfIris, ACompactedDatabaseIsTheSameAndItsEditsAreTakenBack) {
  make_of(
      ":a :by :m . :b :by :n; :by :m . :m rdfs:label \"Mann\" . :n rdfs:label \"M. Mann\"; rdfs:comment "
      "\"director\" .");
  const KnowledgeGraph ingested = graph();
  const auto all = [&] {
    const KnowledgeGraph now = graph();
    std::set<Fact> facts = facts_of(now);
    for (EntityId e = 0; e < now.num_entities(); ++e) {
      if (now.entity_name(e).empty()) continue;  // is no more
      for (const std::string_view alias : details(now).aliases(e))
        facts.emplace(now.entity_name(e), "also", alias);
      facts.emplace(now.entity_name(e), "id", details(now).id(e));
      facts.emplace(now.entity_name(e), "is", texts() ? texts()->description(e) : "");
      for (std::uint64_t edge = now.offsets()[e]; e < now.num_connected() && edge < now.offsets()[e + 1];
           ++edge)
        for (const std::string_view source : details(now).sources(edge))
          facts.emplace(now.entity_name(e), std::to_string(edge), source);
    }
    return facts;
  };
  std::vector<std::set<Fact>> after = {all()};  // edit by edit
  const auto done = [&](const EditOperation& operation) {
    run(operation);
    after.push_back(all());
  };
  done({.kind = Kind::kRetract, .names = {"a", "by", "Mann"}});
  done({.kind = Kind::kAdd, .names = {"new", "made", "a"}, .weight = 0.5F, .make_new = true});
  done({.kind = Kind::kMerge, .names = {"Mann", "M. Mann"}});
  EXPECT_EQ(compact_edits(db()), 3U);
  EXPECT_EQ(compact_edits(db()), 0U);
  EXPECT_EQ(all(), after.back());
  expect_sound(graph());
  EXPECT_EQ(graph().checksum(), ingested.checksum());
  EXPECT_EQ(last_edit(graph()), 3U);
  EXPECT_EQ(base_size(graph()).entities, ingested.num_entities());
  EXPECT_EQ(edit_log(db()).size(), 3U);
  done({.kind = Kind::kAdd, .names = {"new", "by", "M. Mann"}});
  EXPECT_EQ(base_size(graph()).entities, ingested.num_entities());
  (void)undo_edit(db(), 4, kAda);
  for (const std::uint64_t number : {3, 2}) {
    (void)undo_edit(db(), number, kAda);
    EXPECT_EQ(all(), after[number - 1]) << number;
  }
  EXPECT_EQ(compact_edits(db()), 4U);
  (void)undo_edit(db(), 1, kAda);
  EXPECT_EQ(facts_of(graph()), facts_of(ingested));
  EXPECT_EQ(Store::open(db(), Store::Mode::kReadOnly).blob_names().size(), 2U);
}

}  // namespace
}  // namespace kgwalk::graph
