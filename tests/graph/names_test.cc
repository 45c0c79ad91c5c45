#include "graph/names.h"

#include <map>
#include <random>

#include "graph/graph_builder.h"
#include "kgwalk/error.h"
#include "tests/graph/graph_fixtures.h"

namespace kgwalk::graph {
namespace {

TEST(NameKey, FoldsCaseAndCompatibilityFormsButKeepsInnerSpaces) {
  EXPECT_EQ(name_key("Iron Man"), "iron man");
  EXPECT_EQ(name_key("  Iron Man\t"), "iron man");
  EXPECT_EQ(name_key("John  Williams"), "john  williams");
  EXPECT_EQ(name_key("Schei\xc3\x9f"
                     "e"),
            "scheisse");  // sharp s folds to ss
  EXPECT_EQ(name_key("2\xc2\xbd"),
            "21\xe2\x81\x84"
            "2");                                                    // one half: 1, fraction slash, 2
  EXPECT_EQ(name_key("Am\xc3\xa9lie"), name_key("AME\xcc\x81LIE"));  // precomposed and combining accent
  EXPECT_EQ(name_key("a\xe3\x80\x80"
                     "b"),
            "a b");  // ideographic space
  EXPECT_EQ(name_key("\xe3\x80\x80"), "");
}

TEST(NameKey, IsItsOwnKey) {
  for (const char* name : {"Iron Man", "\xc3\x84rger", "\xe2\x80\xa6trotzdem", "2\xc2\xbd", "\xef\xbc\xa1"})
    EXPECT_EQ(name_key(name_key(name)), name_key(name)) << name;
}

TEST(NameKey, RefusesInvalidUtf8) { EXPECT_THROW((void)name_key("a\xff"), ConfigError); }

TEST(RelationSpelling, PutsTheInversionMarkInFrontOfTheName) {
  EXPECT_EQ(relation_spelling(" ~ written_by "), "~written_by");
  EXPECT_EQ(relation_spelling("written_by"), "written_by");
  EXPECT_EQ(relation_spelling("\xef\xbd\x9e"
                              "Genre"),
            "~genre");  // a full-width tilde
}

TEST(StringSet, EqualsAMapOnRandomStrings) {
  std::mt19937_64 random(7);
  StringSet set;
  std::map<std::string, std::uint32_t> twin;
  for (int i = 0; i < 20000; ++i) {
    const std::string text(1 + random() % 3, static_cast<char>('a' + random() % 20));
    const std::string key = text + std::to_string(random() % 3000);
    const auto it = twin.find(key);
    ASSERT_EQ(set.find(key), it == twin.end() ? kNoName : it->second);
    if (it == twin.end()) {
      const std::uint32_t id = set.insert(key);
      ASSERT_EQ(id, twin.size());
      twin.emplace(key, id);
    }
  }
  EXPECT_EQ(set.size(), twin.size());
  for (const auto& [key, id] : twin) EXPECT_EQ(set.strings()[id], key);
}

TEST(NameInterner, KeepsTheFirstSpellingOfEachName) {
  NameInterner names;
  bool is_new = false;
  const auto first = names.intern("Iron Man", is_new);
  EXPECT_TRUE(is_new);
  EXPECT_EQ(names.intern("IRON MAN", is_new), first);
  EXPECT_FALSE(is_new);
  EXPECT_EQ(names.names()[first], "Iron Man");
  EXPECT_EQ(names.known_spelling("iron man"), kNoName);  // not met in this spelling yet
  EXPECT_EQ(names.find("iron man"), first);
  EXPECT_EQ(names.find("Iron Woman"), kNoName);
}

TEST(Nearest, PrefersWholeWordsThenSmallEditDistance) {
  const std::vector<std::string> names = {
      "Christopher Nolan", "Christopher Golden", "Star Trek (film)", "Stargate", "Zulu", "Christoph Waltz"};
  const auto nearest = [&](std::string_view query, std::size_t limit) {
    return nearest_of(
        query, names.size(), [&](std::size_t i) { return std::string_view(names[i]); }, limit);
  };
  EXPECT_EQ(nearest("Christofer Nolan", 1), (std::vector<std::string>{"Christopher Nolan"}));
  EXPECT_EQ(nearest("star trek", 3), (std::vector<std::string>{"Star Trek (film)"}));
  EXPECT_EQ(nearest("zul", 3), (std::vector<std::string>{"Zulu"}));
  EXPECT_EQ(nearest("Christophe", 3), (std::vector<std::string>{"Christopher Nolan", "Christopher Golden"}))
      << "what is begun";
  EXPECT_TRUE(nearest("qqqqqqqq", 3).empty());
  EXPECT_TRUE(nearest("Zulu", 0).empty());
  EXPECT_TRUE(nearest("\xff", 3).empty());
}

TEST(Nearest, ScoresAsThePlainEditDistanceDoes) {
  std::mt19937_64 random(11);
  const auto word = [&] {
    std::string text;
    for (std::size_t i = 0, n = 3 + random() % 12; i < n; ++i) text += static_cast<char>('a' + random() % 3);
    return text;
  };
  const auto levenshtein = [](const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i;
      for (std::size_t j = 1; j <= b.size(); ++j) {
        const std::size_t best = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
        diagonal = row[j];
        row[j] = best;
      }
    }
    return row[b.size()];
  };
  for (int round = 0; round < 200; ++round) {
    std::vector<std::string> names;
    for (int i = 0; i < 30; ++i) names.push_back(word());
    const std::string query = word();
    const auto found = nearest_of(
        query, names.size(), [&](std::size_t i) { return std::string_view(names[i]); }, names.size());
    std::size_t expected = 0;
    for (const std::string& name : names)
      expected +=
          levenshtein(query, name) <= std::max<std::size_t>(2, query.size() / 3) || name.starts_with(query);
    ASSERT_EQ(found.size(), expected) << query;
    for (std::size_t i = 1; i < found.size(); ++i)
      ASSERT_LE(levenshtein(query, found[i - 1]), levenshtein(query, found[i]));
  }
}

}  // namespace
}  // namespace kgwalk::graph
