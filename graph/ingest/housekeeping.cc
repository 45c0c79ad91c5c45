#include "graph/ingest/housekeeping.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_map>

#include "graph/ingest/iri_names.h"
#include "graph/ingest/vocabulary.h"

namespace kgwalk::graph {
namespace {

constexpr double kNearlyAll = 0.9;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "2014-12-09" at its beginning.
bool begins_with_date(std::string_view text) {
  if (text.size() < 10 || text[4] != '-' || text[7] != '-') return false;
  for (const std::size_t i : {0, 1, 2, 3, 5, 6, 8, 9})
    if (!is_digit(text[i])) return false;
  return true;
}

bool is_stamp(std::string_view text) {
  return text.size() > 15 && begins_with_date(text) && (text[10] == 'T' || text[10] == ' ') &&
         is_digit(text[11]) && text[13] == ':';
}

bool is_checksum(std::string_view text) {
  constexpr std::array<std::size_t, 6> kDigits = {32, 40, 56, 64, 96, 128};
  const bool has_letter = text.find_first_of("abcdefABCDEF") != std::string_view::npos;
  return has_letter && std::find(kDigits.begin(), kDigits.end(), text.size()) != kDigits.end() &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
}

// By what its vocabulary keeps it for.
bool is_kept_for_it(std::string_view property) {
  constexpr std::string_view kParts[] = {"wasDerivedFrom",     "isPrimaryTopicOf",  "wikiPageID",
                                         "wikiPageRevisionID", "wikiPageLength",    "wikiPageExternalLink",
                                         "wikiPageWikiLink",   "wikiPageRedirects", "wikiPageUsesTemplate"};
  return std::find(std::begin(kParts), std::end(kParts), local_part(property)) != std::end(kParts);
}

enum class Stamps { kNone, kTimes, kDates };

// What stamps a relation of this name would have.
Stamps stamps_of(std::string_view words) {
  const auto says = [&](std::string_view word) { return words.find(word) != std::string_view::npos; };
  if (says("modif") || says("edited") || says("updated") || says("last change")) return Stamps::kDates;
  return says("created") || says("added") || says("timestamp") || says("issued") ? Stamps::kTimes
                                                                                 : Stamps::kNone;
}

// What a text looks like.
struct Look {
  bool time = false, date = false, address = false, checksum = false;
  [[nodiscard]] bool any() const { return date || address || checksum; }
};

Look look_of(std::string_view text, bool is_address) {
  return {is_stamp(text), begins_with_date(text), is_address, is_checksum(text)};
}

struct Tally {
  std::size_t all = 0, times = 0, dates = 0, addresses = 0, checksums = 0;
  void add(const Look& look) {
    ++all;
    times += look.time;
    dates += look.date;
    addresses += look.address;
    checksums += look.checksum;
  }
};

bool is_housekeeping(std::string_view name, std::string_view id, const Tally& tally) {
  if (is_kept_for_it(id.empty() ? name : id)) return true;
  if (tally.all == 0) return false;
  const auto nearly_all = [&](std::size_t count) {
    return static_cast<double>(count) >= kNearlyAll * static_cast<double>(tally.all);
  };
  const Stamps stamps = stamps_of(relation_words_of(name));
  if (stamps == Stamps::kDates && nearly_all(tally.dates)) return true;
  return (stamps == Stamps::kTimes && nearly_all(tally.times)) || nearly_all(tally.addresses) ||
         nearly_all(tally.checksums);
}

}  // namespace

std::vector<RelationId> housekeeping_relations(const KnowledgeGraph& graph, const Values& values) {
  std::vector<Tally> tallies(graph.num_relations());
  const GraphDetails& given = details(graph);
  std::vector<Look> looks(graph.num_connected());
  for (EntityId entity = 0; entity < graph.num_connected(); ++entity) {
    const std::string_view text = graph.entity_name(entity);
    looks[entity] = look_of(text, is_web_address(text) || is_file_address(given.id(entity)));
  }
  if (std::any_of(looks.begin(), looks.end(), [](const Look& look) { return look.any(); }))
    for (const Edge& edge : graph.edges()) tallies[edge.relation].add(looks[edge.tail]);
  std::unordered_map<std::string_view, RelationId> by_name;  // looked up alone
  if (values.size() > 0)
    for (RelationId r = 0; r < graph.num_relations(); ++r) by_name.emplace(graph.relation_name(r), r);
  for (EntityId entity = 0; !by_name.empty() && entity < graph.num_entities(); ++entity)
    for (const ValueRole role : {ValueRole::kValue, ValueRole::kResource})
      for (const Value& value : values.of(entity, role))
        if (const auto found = by_name.find(value.name); found != by_name.end())
          tallies[found->second].add(look_of(value.text, is_web_address(value.text)));
  std::vector<RelationId> found;
  for (RelationId r = 0; r < graph.num_relations(); ++r)
    if (!graph.relation_name(r).starts_with('~') &&
        is_housekeeping(graph.relation_name(r), given.relation_id(r), tallies[r]))
      found.push_back(r);
  return found;
}

}  // namespace kgwalk::graph
