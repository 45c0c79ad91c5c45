#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "embeddings/links/triples.h"
#include "kgwalk/error.h"
#include "kgwalk/link_prediction.h"
#include "tests/embeddings/fixtures.h"
#include "tests/temp_folder.h"

namespace kgwalk::embeddings {
namespace {

TEST(AnswerIndex, HoldsWhatAMapOfSetsHolds) {
  Random random(7);
  const std::vector<Triple> a = random_triples(400, 30, 4, random);
  const std::vector<Triple> b = random_triples(100, 30, 4, random);
  const AnswerIndex index({a, b});
  std::map<std::tuple<int, RelationId, EntityId>, std::set<EntityId>> twin;
  for (const auto* split : {&a, &b})
    for (const Triple& t : *split) {
      twin[{0, t.relation, t.head}].insert(t.tail);
      twin[{1, t.relation, t.tail}].insert(t.head);
    }
  ASSERT_EQ(index.num_groups(), twin.size());
  std::int64_t answers = 0;
  for (const auto& [key, set] : twin) {
    const auto [side, relation, entity] = key;
    const auto found = index.lookup(entity, relation, static_cast<Side>(side));
    EXPECT_TRUE(std::equal(found.begin(), found.end(), set.begin(), set.end()));
    answers += static_cast<std::int64_t>(set.size());
  }
  EXPECT_EQ(index.num_answers(), answers);
  EXPECT_TRUE(index.lookup(31, 0, Side::kTail).empty());
}

class LinkDatasetFiles : public testing::Test {
 protected:
  std::filesystem::path file(const std::string& name, const std::string& text) {
    return folder_.write(name, text);
  }
  test::TempFolder folder_;
};

TEST_F(LinkDatasetFiles, GivesIdsInOrderOfAppearanceAndTakesCrlf) {
  const LinkDataset d = LinkDataset::load(file("train", "a\tr\tb\r\nb\ts\tc\n"), file("valid", "c\tr\ta\n"),
                                          file("test", "d\tr\ta"));
  EXPECT_EQ(d.entities, (std::vector<std::string>{"a", "b", "c", "d"}));
  EXPECT_EQ(d.relations, (std::vector<std::string>{"r", "s"}));
  EXPECT_EQ(d.train, (std::vector<Triple>{{0, 0, 1}, {1, 1, 2}}));
  EXPECT_EQ(d.test, (std::vector<Triple>{{3, 0, 0}}));
}

TEST_F(LinkDatasetFiles, NamesTheLineThatIsMalformed) {
  const auto good = file("good", "a\tr\tb\n");
  for (const char* bad :
       {"a\tr\tb\na\tr\n", "a\tr\tb\na\tr\tb\tc\n", "a\tr\tb\na\t\tb\n", "a\tr\tb\na\tr\t\xff\n"}) {
    try {
      (void)LinkDataset::load(good, file("bad", bad), good);
      ADD_FAILURE() << "accepted " << bad;
    } catch (const DataError& e) {
      EXPECT_EQ(e.line(), 2U);
    }
  }
  EXPECT_THROW((void)LinkDataset::load(good, file("empty", ""), good), DataError);
}

}  // namespace
}  // namespace kgwalk::embeddings
