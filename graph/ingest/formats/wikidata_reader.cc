#include "graph/ingest/formats/wikidata_reader.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph/ingest/formats/json_elements.h"
#include "graph/ingest/formats/wikidata_values.h"
#include "graph/ingest/lines.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

constexpr std::string_view kDirect = "http://www.wikidata.org/prop/direct/";
constexpr std::string_view kAliasIri = "http://www.w3.org/2004/02/skos/core#altLabel";
constexpr std::string_view kDescriptionIri = "http://schema.org/description";
constexpr std::string_view kDirectClaim = "http://wikiba.se/ontology#directClaim";
constexpr int kOtherLanguage = 4;

// How well a language serves: 0 best.
int text_rank(std::string_view tag, std::string_view wanted) {
  if (tag == wanted) return 0;
  if (tag.size() > wanted.size() && tag.starts_with(wanted) && tag[wanted.size()] == '-') return 1;
  return tag == "mul" ? 2 : tag == "en" ? 3 : kOtherLanguage;
}

bool is_entity_id(std::string_view id) {
  return id.size() > 1 && id[0] >= 'A' && id[0] <= 'Z' &&
         std::all_of(id.begin() + 1, id.end(), [](char c) { return c >= '0' && c <= '9'; });
}

class WikidataReading {
 public:
  WikidataReading(const InputText& text, std::string_view bytes, StatementSink& sink)
      : text_(text), log_(text.log), sink_(sink), elements_(bytes, text.log, sink) {}

  void run() {
    sink_.prefix("wd", kWikidataEntity);
    sink_.prefix("wdt", kDirect);
    JsonNode node;
    for (JsonElement element; elements_.next(element);) {
      line_ = element.line;
      if (elements_.read(element, node)) entity(node);
    }
    tell();
  }

 private:
  void entity(const JsonNode& node) {
    const JsonNode* id = node.find("id");
    if (id == nullptr || !id->is_string() || !is_entity_id(id->text))
      return log_.skip(line_, Reason::kSyntax, "no entity of Wikidata: its id is missing, or none as Q42");
    const std::string iri = std::string(kWikidataEntity) + id->text;
    const Term subject{TermKind::kIri, iri, {}, {}};
    if (id->text[0] == 'P') {
      const std::string direct = std::string(kDirect) + id->text;
      add(subject, kDirectClaim, {TermKind::kIri, direct, {}, {}});
    } else if (!sink_.mention(subject, line_)) {
      return;
    }
    best_text(subject, node.find("labels"), kRdfsLabel, kOtherLanguage);
    best_text(subject, node.find("lemmas"), kRdfsLabel, kOtherLanguage);
    best_text(subject, node.find("descriptions"), kDescriptionIri, 1);
    aliases(subject, node.find("aliases"));
    for (const char* key : {"senses", "forms"})
      if (const JsonNode* parts = node.find(key)) num_parts_ += parts->items.size();
    const JsonNode* claims = node.find("claims");
    if (claims == nullptr || !claims->is_object()) return;  // an empty one is an array
    for (std::size_t i = 0; i < claims->keys.size(); ++i)
      property(subject, claims->keys[i], claims->items[i]);
  }

  // The text in the language that serves best, if it is among those of this rank or better.
  void best_text(const Term& subject, const JsonNode* texts, std::string_view predicate, int worst) {
    if (texts == nullptr || !texts->is_object()) return;
    const JsonNode* best = nullptr;
    int best_rank = worst + 1;
    for (std::size_t i = 0; i < texts->keys.size(); ++i)
      if (const int rank = text_rank(texts->keys[i], text_.options.language); rank < best_rank) {
        best = &texts->items[i];
        best_rank = rank;
      }
    num_other_texts_ += texts->keys.size() - (best == nullptr ? 0 : 1);
    if (best != nullptr) text(subject, predicate, *best);
  }

  void aliases(const Term& subject, const JsonNode* lists) {
    if (lists == nullptr || !lists->is_object()) return;
    for (std::size_t i = 0; i < lists->keys.size(); ++i) {
      const bool wanted = text_rank(lists->keys[i], text_.options.language) <= 2;
      if (!wanted) num_other_texts_ += lists->items[i].items.size();
      for (const JsonNode* each : values_of(lists->items[i]))
        if (wanted) text(subject, kAliasIri, *each);
    }
  }

  void text(const Term& subject, std::string_view predicate, const JsonNode& said) {
    const JsonNode *value = said.find("value"), *language = said.find("language");
    if (value == nullptr || !value->is_string() || value->text.empty()) return;
    const bool tagged = language != nullptr && language->text != "mul";
    add(subject, predicate,
        {TermKind::kLiteral, value->text, tagged ? language->text : std::string_view(), {}});
  }

  // Of the statements of one property those of the best rank.
  void property(const Term& subject, const std::string& id, const JsonNode& statements) {
    if (!is_entity_id(id))
      return log_.skip(line_, Reason::kSyntax, "'" + id.substr(0, 40) + "' is no property");
    const auto rank_of = [](const JsonNode& statement) {
      const JsonNode* rank = statement.find("rank");
      return rank == nullptr || rank->is_string("normal") ? 1 : rank->is_string("preferred") ? 2 : 0;
    };
    int best = 1;
    for (const JsonNode* each : values_of(statements)) best = std::max(best, rank_of(*each));
    const std::string predicate = std::string(kDirect) + id;
    for (const JsonNode* each : values_of(statements))
      rank_of(*each) == best ? claim(subject, predicate, *each) : void(++num_other_ranks_);
  }

  // The value of a statement or qualifier; none where it is unknown, which is counted, or broken, which is
  // logged.
  std::optional<WikidataValue> value_of(const JsonNode* snak, std::string_view property) {
    const JsonNode* kind = snak == nullptr ? nullptr : snak->find("snaktype");
    if (kind != nullptr && (kind->is_string("somevalue") || kind->is_string("novalue"))) {
      ++num_unknown_;
      return std::nullopt;
    }
    const JsonNode* given = snak == nullptr ? nullptr : snak->find("datavalue");
    const JsonNode* datatype = snak == nullptr ? nullptr : snak->find("datatype");
    std::string why = "a statement without a value";
    auto value = given == nullptr ? std::nullopt
                                  : wikidata_value(*given, datatype == nullptr ? "" : datatype->text, why);
    if (!value) log_.skip(line_, Reason::kSyntax, std::string(property) + ": " + why);
    if (!value || value->text.empty()) return std::nullopt;
    num_units_ += value->has_unknown_unit;
    return value;
  }

  void claim(const Term& subject, const std::string& predicate, const JsonNode& statement) {
    if (const JsonNode* references = statement.find("references"))
      num_references_ += references->items.size();
    const auto value =
        value_of(statement.find("mainsnak"), std::string_view(predicate).substr(kDirect.size()));
    if (!value) return;
    read_qualifiers(statement.find("qualifiers"));
    std::vector<QualifierTerms> qualifiers;
    for (const auto& [property, said] : qualifiers_)
      qualifiers.push_back({{TermKind::kIri, property, {}, {}}, said.term()});
    (void)sink_.add({.subject = subject,
                     .predicate = {TermKind::kIri, predicate, {}, {}},
                     .object = value->term(),
                     .qualifiers = qualifiers},
                    line_);
  }

  // By property a list of snaks.
  void read_qualifiers(const JsonNode* given) {
    qualifiers_.clear();
    if (given == nullptr || !given->is_object()) return;
    for (std::size_t i = 0; i < given->keys.size(); ++i) {
      if (!is_entity_id(given->keys[i])) continue;
      for (const JsonNode* snak : values_of(given->items[i]))
        if (auto value = value_of(snak, given->keys[i]))
          qualifiers_.emplace_back(std::string(kDirect) + given->keys[i], std::move(*value));
    }
  }

  void add(const Term& subject, std::string_view predicate, const Term& object) {
    (void)sink_.add({subject, {TermKind::kIri, predicate, {}, {}}, object}, line_);
  }

  void tell() const {
    const std::pair<std::size_t, const char*> left[] = {
        {num_other_texts_, "labels, descriptions and aliases in other languages"},
        {num_other_ranks_, "statements that are not of the best rank"},
        {num_unknown_, "values that are unknown or none"},
        {num_references_, "references"},
        {num_parts_, "senses and forms"}};
    std::string list;
    for (const auto& [count, what] : left)
      if (count > 0)
        list += (list.empty() ? "" : ", ") + with_commas(static_cast<long long>(count)) + " " + what;
    if (!list.empty()) log_.note("left out: " + list);
    if (num_units_ > 0)
      log_.note(with_commas(static_cast<long long>(num_units_)) +
                " quantities are in units that are not known, and keep the unit's id");
  }

  const InputText& text_;
  ProblemLog& log_;
  StatementSink& sink_;
  JsonElements elements_;
  std::size_t line_ = 0;
  std::size_t num_other_texts_ = 0, num_other_ranks_ = 0, num_unknown_ = 0, num_references_ = 0,
              num_parts_ = 0, num_units_ = 0;
  std::vector<std::pair<std::string, WikidataValue>> qualifiers_;  // of the statement at hand
};

}  // namespace

void read_wikidata(const InputText& text, StatementSink& sink) {
  WikidataReading(text, without_byte_order_mark(text.bytes, text.log), sink).run();
  text.counts.lines = lines_of(text.bytes);
}

}  // namespace kgwalk::graph
