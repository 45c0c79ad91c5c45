#include "graph/values/relation_words.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace kgwalk::graph {
namespace {

// A number alone does not tell a year from an amount (1,984 pages); the relation's words do, and these are
// the words of common vocabularies (schema.org, DBpedia, Wikidata, FOAF, Dublin Core) and of tables for when
// something was.
constexpr std::string_view kTimeWords[] = {
    "year",        "years",     "date",     "born",       "birth",       "birthday",     "died",
    "death",       "founded",   "founding", "foundation", "established", "formed",       "formation",
    "created",     "creation",  "built",    "completed",  "completion",  "opened",       "opening",
    "closed",      "closing",   "released", "release",    "published",   "publication",  "issued",
    "premiere",    "premiered", "aired",    "inception",  "introduced",  "introduction", "discovered",
    "discovery",   "invented",  "started",  "start",      "begin",       "began",        "beginning",
    "ended",       "end",       "since",    "until",      "when",        "dissolved",    "abolished",
    "retired",     "debut",     "debuted",  "launched",   "launch",      "joined",       "elected",
    "inaugurated", "married",   "won",      "awarded",    "held",        "season",       "edition",
    "vintage",     "century",   "decade",   "jahr",       "datum",       "geboren",      "gestorben",
    "année",       "annee",     "fecha",    "año",        "ano",         "anno",         "data",
    "rok"};

constexpr std::string_view kAmountWords[] = {
    "number",      "count",    "amount",   "total",      "population", "inhabitants", "height",    "length",
    "width",       "depth",    "size",     "area",       "weight",     "mass",        "age",       "price",
    "cost",        "budget",   "gross",    "revenue",    "income",     "salary",      "distance",  "speed",
    "rating",      "score",    "votes",    "points",     "goals",      "rank",        "elevation", "altitude",
    "temperature", "capacity", "duration", "runtime",    "pages",      "episodes",    "seasons",   "latitude",
    "longitude",   "gdp",      "density",  "percentage", "percent",    "volume",      "power",     "energy",
    "hp",          "attack",   "defense",  "level",      "tall",       "long",        "high"};

// Its words in small letters: at blanks, marks and the humps of camelCase.
template <class Meet>
void for_each_word(std::string_view relation, Meet&& meet) {
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) meet(word);
    word.clear();
  };
  for (std::size_t i = 0; i < relation.size(); ++i) {
    const auto c = static_cast<unsigned char>(relation[i]);
    const bool hump =
        std::isupper(c) != 0 && i > 0 && std::islower(static_cast<unsigned char>(relation[i - 1])) != 0;
    if (hump || (c < 0x80 && std::isalpha(c) == 0)) end_word();
    if (c >= 0x80 || std::isalpha(c) != 0) word += static_cast<char>(c < 0x80 ? std::tolower(c) : c);
  }
  end_word();
}

template <class Table>
bool has_word(std::string_view relation, const Table& table) {
  bool found = false;
  for_each_word(relation, [&](const std::string& word) {
    found = found || std::find(std::begin(table), std::end(table), word) != std::end(table);
  });
  return found;
}

}  // namespace

bool says_time(std::string_view relation) { return has_word(relation, kTimeWords); }
bool says_amount(std::string_view relation) { return has_word(relation, kAmountWords); }

bool is_year(std::string_view text) noexcept {
  return text.size() == 4 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string_view without_year(std::string_view relation) noexcept {
  const bool of_year = relation.size() > 5 && relation[4] == ' ' && is_year(relation.substr(0, 4));
  return of_year ? relation.substr(5) : relation;
}

}  // namespace kgwalk::graph
