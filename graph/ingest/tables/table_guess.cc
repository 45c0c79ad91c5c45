#include "graph/ingest/tables/table_guess.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "graph/ingest/tables/table_draft.h"
#include "graph/ingest/tables/table_names.h"
#include "graph/ingest/tables/table_series.h"
#include "graph/ingest/tables/tables_together.h"
#include "kgwalk/error.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

constexpr double kContained = 0.9;       // so many values of a link are ids of the other table
constexpr double kContainedNamed = 0.5;  // where its name says so too
constexpr std::size_t kMostRelations = 50;
constexpr std::size_t kFewestCodes = 3;

// "firstname" and "first_name" are "first name".
std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '_'; });
  return text;
}

class Guess {
 public:
  Guess(const TableSources& tables, const InputOptions& options, const StopFlag& stop)
      : options_(options), stop_(stop) {
    for (const auto& table : tables)
      drafts_.push_back(
          {*table, profile_of(*table, options.list_separator), type_of_table(table->header().name)});
  }

  TablePlan run() {
    for (Draft& draft : drafts_) find_sure_id(draft);
    check_given();
    find_links();
    for (Draft& draft : drafts_) {
      find_name(draft);
      if (draft.id != kNoPlace) continue;
      draft.source.header().is_read_by_format ? find_known_by(draft) : find_other_id(draft);
      if (draft.id == kNoPlace && !draft.source.header().is_read_by_format) find_series(draft, stop_);
    }
    for (Draft& draft : drafts_)
      draft.is_known_by_id = draft.is_known_by_id || shares_numbers(drafts_, draft);
    find_links();  // to ids that were found just now
    for (Draft& draft : drafts_) find_links_by_name(draft);
    for (Draft& draft : drafts_) find_links_by_code(draft);
    TablePlan plan;
    for (const Draft& draft : drafts_) plan.tables.push_back(mapping_of(draft));
    return plan;
  }

 private:
  // Keys of all rows take as long as reading the table: those of sure ids are gathered when they are asked
  // for.
  void set_id(Draft& draft, std::size_t column, bool is_sure) {
    if (!is_sure) {
      ColumnKeys keys = keys_of(draft.source, column, stop_);
      if (keys.repeated > 0) return;
      draft.ids = std::move(keys);
    }
    draft.id = column;
    draft.id_is_sure = is_sure;
  }

  [[nodiscard]] const ColumnKeys& ids_of(const Draft& draft) const {
    if (!draft.ids) draft.ids = keys_of(draft.source, draft.id, stop_);
    return *draft.ids;
  }

  void find_sure_id(Draft& draft) {
    const std::vector<std::string>& columns = draft.columns();
    const std::vector<std::string>& key = draft.source.header().primary_key;
    std::size_t column = options_.id_column.empty() ? kNoPlace : column_of(columns, options_.id_column);
    if (column == kNoPlace && key.size() == 1) column = column_of(columns, key[0]);
    for (std::size_t i = 0; column == kNoPlace && i < columns.size(); ++i)
      if (folded(columns[i]) == "id") column = i;
    if (column != kNoPlace) return set_id(draft, column, true);
    for (std::size_t i = 0; draft.id == kNoPlace && i < columns.size(); ++i)
      if (draft.is_named(stem_of(columns[i])) && draft.tells_apart(i)) set_id(draft, i, false);
  }

  // A column that tells rows apart and is called like ids, the first column, or the name.
  void find_other_id(Draft& draft) {
    const auto may_be = [&](std::size_t i) { return !draft.links.contains(i) && draft.tells_apart(i); };
    for (std::size_t i = 0; draft.id == kNoPlace && i < draft.columns().size(); ++i) {
      const std::string name = folded(draft.columns()[i]);
      const bool called_so = !stem_of(name).empty() || name == "key" || name == "code" || name == "uri" ||
                             name == "iri" || name == "uuid" || name == "isbn";
      if (called_so && i == 0 && may_be(i)) set_id(draft, i, false);
    }
    if (draft.id == kNoPlace && draft.name.size() == 1 && may_be(draft.name[0]))
      set_id(draft, draft.name[0], false);
  }

  // Objects that have a name and no id are known by it, unless several bear it and another key, a code, tells
  // all of them apart: towns of one name.
  void find_known_by(Draft& draft) {
    if (draft.name.size() != 1) return;
    draft.names = keys_of(draft.source, draft.name[0], stop_);
    if (draft.names->repeated == 0) return;
    for (std::size_t i = 0; draft.id == kNoPlace && i < draft.columns().size(); ++i)
      if (i != draft.name[0] && draft.holds_codes(i)) set_id(draft, i, false);
    draft.is_known_by_id = draft.id != kNoPlace;
  }

  void find_name(Draft& draft) {
    const std::vector<std::string>& columns = draft.columns();
    if (!options_.name_column.empty())
      if (const std::size_t given = column_of(columns, options_.name_column); given != kNoPlace) {
        draft.name = {given};
        return;
      }
    const auto called = [&](std::string_view name) {
      for (std::size_t i = 0; i < columns.size(); ++i)
        if (without_blanks(folded(columns[i])) == without_blanks(folded(name)) && !draft.links.contains(i) &&
            !draft.holds_things(i))
          return i;
      return kNoPlace;
    };
    const auto take_first_of = [&](std::initializer_list<std::string> names) {
      for (const std::string& name : names)
        if (const std::size_t column = called(name); column != kNoPlace) {
          draft.name = {column};
          return true;
        }
      return false;
    };
    if (take_first_of({"name", "full name", draft.type + " name"})) return;
    // Before a title, which of people is no name.
    for (const auto& [first, last] : {std::pair("first name", "last name"),
                                      {"given name", "family name"},
                                      {"forename", "surname"},
                                      {"first name", "surname"},
                                      {"fname", "lname"}})
      if (called(first) != kNoPlace && called(last) != kNoPlace) {
        draft.name = {called(first), called(last)};
        return;
      }
    if (take_first_of({"title", "label", draft.type + " title", draft.type})) return;
    // The first column of short texts that are nearly all different.
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const ColumnProfile& column = draft.profile.columns[i];
      const bool is_text = column.types.type() == ValueType::kText && column.list_separator.empty();
      if (i == draft.id || draft.links.contains(i) || !is_text || !stem_of(columns[i]).empty()) continue;
      if (draft.tells_apart(i) && column.letters <= 80 * column.filled) {
        draft.name = {i};
        return;
      }
    }
  }

  // Names of options must be those of some table.
  void check_given() const {
    for (const auto& [option, name] :
         {std::pair("id", &options_.id_column), std::pair("name", &options_.name_column)}) {
      if (name->empty()) continue;
      std::vector<std::string> all;
      for (const Draft& draft : drafts_)
        all.insert(all.end(), draft.columns().begin(), draft.columns().end());
      if (column_of(all, *name) == kNoPlace)
        throw ConfigError("no table has the column '" + *name + "' for the " + option +
                          did_you_mean(*name, all));
    }
    for (const std::string& link : options_.links) check_link(link);
  }

  void check_link(const std::string& link) const {
    const std::size_t equals = link.find('=');
    const std::string to = equals == std::string::npos ? "" : link.substr(equals + 1);
    for (const Draft& draft : drafts_) {
      const std::string& table = draft.source.header().name;
      if (to.starts_with(table + ".") && column_of(draft.columns(), to.substr(table.size() + 1)) != kNoPlace)
        return;
    }
    std::vector<std::string> ids;
    for (const Draft& draft : drafts_)
      if (draft.id != kNoPlace) ids.push_back(draft.source.header().name + "." + draft.columns()[draft.id]);
    throw ConfigError("the link '" + link + "' is not column=table.column of these tables" +
                      (ids.empty() ? "" : "; ids are " + listed(ids)) + did_you_mean(to, ids));
  }

  static std::string listed(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
  }

  // What options or the database say of a column; empty: nothing.
  [[nodiscard]] std::string told_link(const Draft& draft, const std::string& column) const {
    for (const std::string& link : options_.links) {
      const std::string from = link.substr(0, link.find('='));
      if (from == column || from == draft.source.header().name + "." + column)
        return link.substr(link.find('=') + 1);
    }
    for (const DeclaredLink& link : draft.source.header().links)
      for (const Draft& other : drafts_)
        if (link.column == column && link.table == other.source.header().name) {
          const std::string id = other.id == kNoPlace ? "" : other.columns()[other.id];
          return link.table + "." + (link.to_column.empty() ? id : link.to_column);
        }
    return {};
  }

  void find_links() {
    for (Draft& draft : drafts_)
      for (std::size_t i = 0; i < draft.columns().size(); ++i) {
        if (draft.links.contains(i)) continue;
        std::string to = told_link(draft, draft.columns()[i]);
        if (to.empty() && i != draft.id) to = guessed_link(draft, i);
        if (!to.empty()) draft.links[i] = to;
      }
  }

  // Numbers are ids of many tables: there the column's name must speak for a link, too.
  [[nodiscard]] std::string guessed_link(const Draft& draft, std::size_t i) const {
    const ColumnProfile& column = draft.profile.columns[i];
    const std::string stem = stem_of(draft.columns()[i]);
    const ValueType type = column.types.type();
    const bool is_text = type == ValueType::kText;
    if (column.filled == 0 || (!is_text && type != ValueType::kInteger) || draft.holds_things(i)) return {};
    // "people", one number a row: how many, not who.
    const std::string words = words_of_column(draft.columns()[i]);
    const bool counts =
        stem.empty() && !is_text && column.list_separator.empty() && type_of_table(words) != words;
    const Draft* best = nullptr;
    double best_score = 0;
    for (const Draft& other : drafts_) {
      if (other.id == kNoPlace) continue;
      const bool named = !counts && other.is_named(stem.empty() ? words : stem);
      const bool says_so = named || !stem.empty() ||
                           (&other == &draft ? leads_to_own_kind(words) : is_text && other.has_text_ids());
      // Numbers from 1 on lie in every table: an employee is no supplier, which others call by its own name.
      const bool is_another = !named && type == ValueType::kInteger && is_called(drafts_, other) &&
                              !other.is_of_people() && !leads_to_own_kind(stem.empty() ? words : stem);
      if (!says_so || is_another || ids_of(other).hashes.empty()) continue;
      const double share = contained(column, ids_of(other));
      if (share < (named ? kContainedNamed : kContained)) continue;
      const double coverage =
          static_cast<double>(column.values.size()) / static_cast<double>(ids_of(other).hashes.size());
      const double score =
          (named ? 10 : 0) + share + std::min(coverage, 1.0) / 2 - (&other == &draft ? 1 : 0);
      if (best == nullptr || score > best_score) best = &other, best_score = score;
    }
    return best == nullptr ? "" : best->source.header().name + "." + best->columns()[best->id];
  }

  // A column that holds names of another table's rows, all of them different; of its own table's, where
  // things that lie in the rows are called so.
  void find_links_by_name(Draft& draft) {
    for (std::size_t i = 0; i < draft.columns().size(); ++i) {
      const ColumnProfile& column = draft.profile.columns[i];
      const bool is_name = has(draft.name, i);
      if (i == draft.id || is_name || draft.links.contains(i)) continue;
      if (column.values.size() < 2 || column.types.type() != ValueType::kText) continue;
      for (Draft& other : drafts_) {
        const bool may_lead_there = &other != &draft || draft.holds_things(i);
        if (!may_lead_there || other.name.size() != 1 || other.name[0] == other.id) continue;
        if (!other.names) other.names = keys_of(other.source, other.name[0], stop_);
        if (other.names->repeated > 0 || contained(column, *other.names) < kContained) continue;
        draft.links[i] = other.source.header().name + "." + other.columns()[other.name[0]];
        break;
      }
    }
  }

  [[nodiscard]] const ColumnKeys& codes_of(const Draft& draft, std::size_t column) {
    const auto [known, is_new] = draft.codes.try_emplace(column);
    if (is_new) known->second = keys_of(draft.source, column, stop_);
    return known->second;
  }

  // A column that holds codes of rows, of its own table or of another: "borders" holds what "cca3" has.
  void find_links_by_code(Draft& draft) {
    for (std::size_t i = 0; i < draft.columns().size(); ++i) {
      const ColumnProfile& column = draft.profile.columns[i];
      const bool is_name = has(draft.name, i);
      if (i == draft.id || is_name || draft.links.contains(i)) continue;
      if (column.values.size() < kFewestCodes || column.types.type() != ValueType::kText) continue;
      if (draft.holds_things(i)) continue;
      const bool may_be_own =
          !column.list_separator.empty() || column.repeats;  // else another code of the row
      double best = 0;
      for (const Draft& other : drafts_)
        for (std::size_t j = 0; j < other.columns().size(); ++j) {
          if ((&other == &draft && (i == j || !may_be_own)) || !other.holds_codes(j)) continue;
          if (!shares_a_value(column, other.profile.columns[j])) continue;
          const ColumnKeys& codes = codes_of(other, j);
          const double share = codes.repeated > 0 ? 0 : contained(column, codes);
          if (share < kContained || share <= best) continue;
          best = share;
          draft.links[i] = other.source.header().name + "." + other.columns()[j];
        }
    }
  }

  [[nodiscard]] static bool is_key_of(const Draft& draft, std::size_t i) {
    const std::vector<std::string>& key = draft.source.header().primary_key;
    return std::find(key.begin(), key.end(), draft.columns()[i]) != key.end();
  }

  // Two links and nothing else; or beside them a column of few words, which are the relations.
  [[nodiscard]] bool joins(const Draft& draft, std::size_t& relation) const {
    if (draft.links.size() != 2) return false;
    relation = kNoPlace;
    for (std::size_t i = 0; i < draft.columns().size(); ++i) {
      if (draft.links.contains(i) || (i == draft.id && draft.id_is_sure)) continue;
      const ColumnProfile& column = draft.profile.columns[i];
      const bool few = column.types.type() == ValueType::kText && column.list_separator.empty() &&
                       column.filled == draft.profile.rows && column.values.size() <= kMostRelations &&
                       (column.repeats || draft.profile.rows < 3);
      if (!few || relation != kNoPlace) return false;
      relation = i;
    }
    return true;
  }

  [[nodiscard]] TableMapping mapping_of(const Draft& draft) const {
    TableMapping mapping;
    const std::vector<std::string>& columns = draft.columns();
    mapping.table = draft.source.header().name;
    mapping.missing = draft.profile.missing;
    std::size_t relation = kNoPlace;
    if (draft.source.header().is_read_by_format) {
      if (draft.is_known_by_id) mapping.id = columns[draft.id];
      if (!draft.source.header().says_names) {
        for (const std::size_t column : draft.name) mapping.name.push_back(columns[column]);
        mapping.type = draft.kind_by_name();
      }
      // "customer.json", whose companies others know by their customer ids.
      if (is_called(drafts_, draft)) mapping.type = draft.type;
      for (std::size_t i = 0; i < columns.size(); ++i)
        if (draft.links.contains(i) || (i != draft.id && !has(draft.name, i)))
          mapping.columns.push_back(key_mapping(draft, i));
      name_by_table(draft, mapping);
      return mapping;
    }
    if (joins(draft, relation) && !is_linked_to(draft)) {
      mapping.use = TableUse::kEdges;
      if (relation != kNoPlace)
        mapping.relation_column = columns[relation];
      else
        mapping.relation = relation_of_join(draft);
    } else {
      mapping.type = draft.type;
      if (draft.id != kNoPlace) mapping.id = columns[draft.id];
      for (const std::size_t column : draft.name) mapping.name.push_back(columns[column]);
      if (draft.when != kNoPlace) mapping.series = columns[draft.when];
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const bool is_link = draft.links.contains(i);
      const bool is_name = has(draft.name, i);
      if (!is_link && (i == draft.id || is_name || i == relation || i == draft.when)) continue;
      if (!is_link && draft.numbers_rows(i)) continue;
      if (is_link || mapping.use == TableUse::kThings) mapping.columns.push_back(column_mapping(draft, i));
    }
    if (mapping.use == TableUse::kThings) name_by_table(draft, mapping);
    return mapping;
  }

  // "country-by-capital-city" with the columns country and city.
  static void name_by_table(const Draft& draft, TableMapping& mapping) {
    if (draft.name.size() != 1) return;
    const auto by = table_by(mapping.table, draft.columns()[draft.name.front()]);
    if (!by) return;
    if (!mapping.type.empty()) mapping.type = by->things;
    if (mapping.columns.size() == 1)
      mapping.columns.front().relation = relation_told(by->told, mapping.columns.front().relation);
  }

  [[nodiscard]] ColumnMapping column_mapping(const Draft& draft, std::size_t i) const {
    const ColumnProfile& profile = draft.profile.columns[i];
    ColumnMapping column{.column = draft.columns()[i], .relation = words_of_column(draft.columns()[i])};
    column.separator = profile.list_separator;
    column.doubt = doubt_of_name(draft.columns(), i);
    if (const auto link = draft.links.find(i); link != draft.links.end()) {
      column.use = ColumnUse::kLink;
      column.to = link->second;
      if (const std::string stem = stem_of(column.column); !stem.empty()) column.relation = stem;
    } else {
      if (draft.when != kNoPlace && draft.varies[i]) column.use = ColumnUse::kSeries;
      column.type = profile.types.type();
      if (column.doubt.empty()) column.doubt = profile.types.doubt();
    }
    return column;
  }

  // Values of objects have their types.
  [[nodiscard]] ColumnMapping key_mapping(const Draft& draft, std::size_t i) const {
    ColumnMapping key = column_mapping(draft, i);
    return {.column = key.column,
            .use = key.use,
            .relation = key.relation,
            .separator = key.separator,
            .to = key.to};
  }

  // Columns of one name have a number behind it, but for the first.
  [[nodiscard]] static std::string doubt_of_name(const std::vector<std::string>& columns, std::size_t i) {
    const std::size_t bracket = columns[i].rfind(" (");
    const std::string name = columns[i].substr(0, bracket);
    if (bracket == std::string::npos ||
        std::find(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(i), name) ==
            columns.begin() + static_cast<std::ptrdiff_t>(i))
      return {};
    return "is another column called '" + name + "'";
  }

  [[nodiscard]] bool is_linked_to(const Draft& draft) const {
    const std::string begin = draft.source.header().name + ".";
    for (const Draft& other : drafts_)
      for (const auto& [column, to] : other.links)
        if (to.starts_with(begin)) return true;
    return false;
  }

  // "film_actors" from films is "actor".
  [[nodiscard]] std::string relation_of_join(const Draft& draft) const {
    const std::string& to = draft.links.begin()->second;
    for (const Draft& head : drafts_)
      if (to.starts_with(head.source.header().name + "."))
        for (const std::string& begin : {head.type + " ", words_of_column(head.source.header().name) + " "})
          if (draft.type.starts_with(begin)) return draft.type.substr(begin.size());
    return draft.type;
  }

  const InputOptions& options_;
  const StopFlag& stop_;
  std::vector<Draft> drafts_;
};

}  // namespace

TablePlan guess_plan(const TableSources& tables, const InputOptions& options, const StopFlag& stop) {
  return Guess(tables, options, stop).run();
}

}  // namespace kgwalk::graph
