// What ingestion sorts beyond memory: equal to the same in memory, however it is cut.
#include <algorithm>
#include <map>
#include <random>

#include "graph/graph_builder.h"
#include "graph/ingest/sorted_records.h"
#include "graph/knowledge_graph_impl.h"
#include "tests/graph/graph_fixtures.h"

namespace kgwalk::graph {
namespace {

using testing::TempFolder;

template <class T>
std::vector<T> all_of(const SpooledArray<T>& array) {
  std::vector<T> values;
  array.for_each_chunk(
      [&](std::span<const T> chunk) { values.insert(values.end(), chunk.begin(), chunk.end()); });
  return values;
}

TEST(SpooledArray, IsAnArrayWhereverItLies) {
  const TempFolder folder;
  for (const std::size_t most : {1, 7, 1000, 1 << 20}) {
    SpooledArray<std::uint32_t> array(folder.path(), most);
    std::vector<std::uint32_t> expected;
    for (std::uint32_t i = 0; i < 200'000; i += 3) {
      array.push_back(i);
      array.append(std::vector{i + 1, i + 2});
      for (std::uint32_t k = 0; k < 3; ++k) expected.push_back(i + k);
    }
    EXPECT_EQ(array.size(), expected.size());
    EXPECT_EQ(all_of(array), expected) << most;
    EXPECT_TRUE(std::ranges::equal(array.view(), expected)) << most;
    array.push_back(5);
    expected.push_back(5);
    EXPECT_EQ(all_of(array), expected) << most;
    EXPECT_TRUE(std::ranges::equal(array.view(), expected)) << most;
  }
}

TEST(GraphRows, AreTheSameInAnyNumberOfParts) {
  const TempFolder folder;
  constexpr std::uint32_t kEntities = 500, kRelations = 6;
  const std::vector<RelationId> inverses = {1, 0, 3, 2, 5, 4};
  std::mt19937 random(4);
  const auto draw = [&](std::uint32_t below) { return static_cast<std::uint32_t>(random() % below); };
  SpooledArray<Triple> kept, spooled(folder.path(), 100);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint32_t hub = draw(3) == 0 ? 7 : draw(kEntities);  // more edges than a part
    const Triple triple{hub, draw(kRelations), draw(kEntities)};
    for (int times = i % 50 == 0 ? 2 : 1; times > 0; --times)
      kept.push_back(triple), spooled.push_back(triple);
  }
  const GraphRows whole = make_rows(kept, kEntities, inverses, {});
  for (const std::uint64_t part_edges : {1, 333, 5'000, 1'000'000}) {
    const GraphRows parts = make_rows(spooled, kEntities, inverses, folder.path(), part_edges);
    EXPECT_EQ(parts.offsets, whole.offsets) << part_edges;
    EXPECT_EQ(parts.neighbor_offsets, whole.neighbor_offsets) << part_edges;
    EXPECT_EQ(all_of(parts.edges), all_of(whole.edges)) << part_edges;
    EXPECT_EQ(all_of(parts.neighbors), all_of(whole.neighbors)) << part_edges;
    EXPECT_EQ(parts.counts.duplicates, whole.counts.duplicates);
    EXPECT_EQ(parts.counts.added_inverses, whole.counts.added_inverses);
    EXPECT_EQ(parts.counts.self_loops, whole.counts.self_loops);
  }
  EXPECT_GT(whole.counts.duplicates, 0U);
  EXPECT_GT(whole.counts.self_loops, 0U);
}

TEST(GraphBuilder, WritesTheFileOfTheGraphThatItMakes) {
  const TempFolder folder;
  const std::vector<NamedTriple> triples = testing::random_triples(300, 4'000, 2);
  GraphBuilder in_memory, in_file;
  in_file.spool_in(folder.path());
  for (GraphBuilder* builder : {&in_memory, &in_file}) {
    for (const NamedTriple& t : triples) {
      const EntityId head = builder->entity(t.head);
      const RelationId relation = builder->relation(t.relation);
      builder->add({head, relation, builder->entity(t.tail)});
    }
    EXPECT_TRUE(builder->mark_annotation_only({0, 0, builder->find_entity(triples[0].tail)}));
    builder->entity("Two  spaces and no edge");
  }
  const KnowledgeGraph made = in_memory.build(), written = in_file.build_in(folder / "graph");
  EXPECT_EQ(GraphAccess::whole_bytes(made), GraphAccess::whole_bytes(written));
  EXPECT_EQ(made.checksum(), written.checksum());
  EXPECT_EQ(written.find_entity("two spaces and no edge"), made.num_entities() - 1);
}

TEST(SortedRecords, GiveWhatASortGives) {
  const TempFolder folder;
  for (const std::size_t part_bytes : {1, 1'000, 100'000, 1 << 26}) {
    SortedRecords records(folder.path(), part_bytes);
    std::vector<std::pair<std::string, std::uint32_t>> expected;
    std::mt19937 random(9);
    for (std::uint32_t i = 0; i < (part_bytes == 1 ? 200U : 3'000U); ++i) {
      std::string text(random() % 12, '\0');
      for (char& c : text) c = static_cast<char>(random() % 4 * 80);  // beyond ASCII too: bytes are unsigned
      if (i % 1'000 == 5) text.append(400'000, 'x');                  // more than is read at once
      records.add(text, i);
      expected.emplace_back(text, i);
    }
    std::sort(expected.begin(), expected.end());
    std::size_t at = 0;
    records.give_all([&](std::string_view text, std::uint32_t number) {
      ASSERT_LT(at, expected.size());
      ASSERT_EQ(text, expected[at].first);
      ASSERT_EQ(number, expected[at].second);
      ++at;
    });
    EXPECT_EQ(at, expected.size()) << part_bytes;
  }
}

}  // namespace
}  // namespace kgwalk::graph
