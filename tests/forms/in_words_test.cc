#include "tests/forms/film_world.h"

namespace kgwalk::forms {
namespace {

using graph::number_value;
using graph::year_value;
using testing::FilmWorld;

class InWords : public FilmWorld {
 protected:
  [[nodiscard]] std::string told(const Query& query) const {
    return in_words(query, values_, engine_.answer(query));
  }
};

TEST_F(InWords, AreExactAndReadable) {
  const Set late = where(both(films(), step(thing("Ben"), relation("~directed by"))), relation("released"),
                         {Comparison::kGreater, year_value(2005)});
  EXPECT_EQ(in_words(late, values_), "films directed by Ben, with released after 2005");
  EXPECT_EQ(in_words(step(thing("Arrow"), relation("director")), values_), "director of Arrow");
  EXPECT_EQ(in_words(by("Ada"), values_), "things whose director is Ada");
  EXPECT_EQ(in_words(but(films(), by("Ada")), values_), "films but not (things whose director is Ada)");
  EXPECT_EQ(in_words(first(films(), value_of(relation("released"))), values_),
            "the one with the earliest released of films");
}

TEST_F(InWords, TellWhatCameOut) {
  EXPECT_EQ(told(count(by("Ada"))), "how many things whose director is Ada: 3");
  EXPECT_EQ(told(find(by("Cyd"))), "things whose director is Cyd: none");
  EXPECT_EQ(told(check(by("Cyd"))), "whether there are things whose director is Cyd: no");
  EXPECT_EQ(told(which({thing("Ada"), thing("Ben")}, value_of(relation("height")))),
            "which of Ada and Ben has the greatest height: Ada (1.8 m)");
  EXPECT_EQ(told(difference(thing("Candle"), thing("Delta"), value_of(relation("released")))),
            "by how much released of Candle exceeds that of Delta: 18 years");
  EXPECT_EQ(told(whether(thing("Cyd"), Comparison::kLess, thing("Ada"), value_of(relation("height")))),
            "whether height of Cyd is less than that of Ada: not known, there is no common value");
  const Query all = find(films());
  EXPECT_EQ(in_words(all, values_, engine_.answer(all), 2), "films: Arrow, Beacon and 3 more");
  EXPECT_EQ(in_words(all, values_, engine_.answer(all, {}, {.max_visits = 1})),
            "films: not known, the limit of visits was met");
}

}  // namespace
}  // namespace kgwalk::forms
