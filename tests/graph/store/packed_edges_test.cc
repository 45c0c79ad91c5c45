#include "graph/store/packed_edges.h"

#include <random>
#include <set>

#include "kgwalk/error.h"
#include "tests/graph/graph_fixtures.h"

namespace kgwalk::graph {
namespace {

TEST(PackedEdges, HaveTheDocumentedBytes) {
  const std::vector<Edge> row = {{2, 300}, {2, 301}, {2, 310}, {3, 5}};
  // Two groups; relation 2 with 3 tails: 300, +0, +8; relation 3 (3 - 2 - 1 = 0) with one tail: 5.
  EXPECT_EQ(pack_edges(row), std::string("\x02\x02\x03\xac\x02\x00\x08\x00\x01\x05", 10));
  EXPECT_EQ(pack_edges({}), std::string(1, '\0'));
}

TEST(PackedEdges, AreReadBack) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 300; ++round) {
    std::set<Edge> edges;
    for (std::size_t n = random() % 40; n > 0; --n)
      edges.insert({static_cast<RelationId>(random() % 5 + (random() % 2) * 100000),
                    static_cast<EntityId>(random() >> (32 + random() % 32))});
    const std::vector<Edge> row(edges.begin(), edges.end());
    std::vector<Edge> read;
    unpack_edges(pack_edges(row), read);
    ASSERT_EQ(read, row);
  }
}

TEST(PackedEdges, RefuseBytesThatEndEarlyOrLate) {
  const std::vector<Edge> row = {{1, 200}, {1, 70000}, {9, 3}};
  const std::string bytes = pack_edges(row);
  std::vector<Edge> out;
  for (std::size_t n = 0; n < bytes.size(); ++n)
    EXPECT_THROW(unpack_edges(bytes.substr(0, n), out), StoreError) << n;
  EXPECT_THROW(unpack_edges(bytes + "x", out), StoreError);
  EXPECT_THROW(unpack_edges("\x01\x00\xff\xff\xff\x7f\x01", out), StoreError);  // more tails than bytes
}

TEST(Varint, HasUpToTenBytes) {
  for (const std::uint64_t value :
       {std::uint64_t{0}, std::uint64_t{127}, std::uint64_t{128}, ~std::uint64_t{0}}) {
    std::string bytes;
    append_varint(bytes, value);
    std::string_view view = bytes;
    EXPECT_EQ(take_varint(view), value);
    EXPECT_TRUE(view.empty());
  }
  std::string_view endless = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
  EXPECT_THROW((void)take_varint(endless), StoreError);
}

}  // namespace
}  // namespace kgwalk::graph
