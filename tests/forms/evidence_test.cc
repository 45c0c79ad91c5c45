#include "tests/forms/film_world.h"

namespace kgwalk::forms {
namespace {

using testing::FilmWorld;

class EvidenceTest : public FilmWorld {
 protected:
  [[nodiscard]] testing::Names edges(const Query& query, std::string_view of) const {
    testing::Names all;
    for (const graph::Triple& edge : engine_.evidence(query, entity(of)))
      all.push_back(std::string(graph_.entity_name(edge.head)) + " " +
                    std::string(graph_.relation_name(edge.relation)) + " " +
                    std::string(graph_.entity_name(edge.tail)));
    return all;
  }
};

TEST_F(EvidenceTest, IsTheWayAndTheConditions) {
  const Query query = find(
      where(both(films(), by("Ada")), relation("released"), {Comparison::kGreater, graph::year_value(1994)}));
  EXPECT_EQ(edges(query, "Candle"),
            (testing::Names{"Candle type Film", "Ada ~director Candle", "Candle released 2005"}));
  EXPECT_TRUE(edges(query, "Arrow").empty());
}

TEST_F(EvidenceTest, GoesUpFromATypeAndAlongSeveralHops) {
  EXPECT_EQ(edges(find(films()), "Delta"),
            (testing::Names{"Delta type Documentary", "Documentary sub class of Film"}));
  EXPECT_EQ(edges(find(step(by("Ada"), relation("starring"))), "Dan"),
            (testing::Names{"Ada ~director Arrow", "Arrow starring Dan"}));
}

TEST_F(EvidenceTest, HasWhatWasMeasuredAndCounted) {
  EXPECT_EQ(edges(find(last(by("Ada"), value_of(relation("minutes")))), "Beacon"),
            (testing::Names{"Ada ~director Beacon", "Beacon minutes 120"}));
  EXPECT_EQ(edges(which({thing("Arrow"), thing("Beacon")}, count_of(relation("starring"))), "Arrow"),
            (testing::Names{"Arrow starring Cyd", "Arrow starring Dan"}));
}

}  // namespace
}  // namespace kgwalk::forms
