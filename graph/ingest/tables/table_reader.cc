#include "graph/ingest/tables/table_reader.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "graph/ingest/tables/table_names.h"
#include "graph/ingest/tables/table_profile.h"
#include "kgwalk/error.h"
#include "runtime/problems.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

constexpr std::size_t kRowsBetweenPolls = 8192;
constexpr std::size_t kNoPlaceOfRow = static_cast<std::size_t>(-1);

std::size_t place_of(const std::vector<std::string>& columns, const std::string& name) {
  const auto found = std::find(columns.begin(), columns.end(), name);
  return found == columns.end() ? kNoPlaceOfRow : static_cast<std::size_t>(found - columns.begin());
}

std::string key_of(const std::vector<std::string>& row, std::size_t id, std::size_t number) {
  return id == kNoPlaceOfRow ? "row " + std::to_string(number) : row[id];
}

std::string table_of(const std::string& to) { return to.substr(0, to.find('.')); }

}  // namespace

TableReader::TableReader(const TableSources& sources, const TablePlan& plan)
    : sources_(sources), plan_(plan) {
  check();
}

const TableMapping* TableReader::mapping_of(const std::string& table) const {
  for (const TableMapping& mapping : plan_.tables)
    if (mapping.table == table) return &mapping;
  return nullptr;
}

const TableSource* TableReader::source_of(const std::string& table) const {
  for (const auto& source : sources_)
    if (source->header().name == table) return source.get();
  return nullptr;
}

void TableReader::check() const {
  Problems problems;
  std::vector<std::string> names;
  for (const auto& source : sources_) names.push_back(source->header().name);
  const auto check_column = [&](const std::string& table, const std::string& column) {
    const TableSource* source = source_of(table);
    if (source == nullptr) {
      problems.add(table, "is no table that was given" + did_you_mean(table, names));
    } else if (!column.empty() && place_of(source->header().columns, column) == kNoPlaceOfRow) {
      problems.add(table, "has no column '" + column + "'" + did_you_mean(column, source->header().columns));
    }
  };
  for (const TableMapping& mapping : plan_.tables) {
    const TableSource* objects = source_of(mapping.table);
    if (objects != nullptr && objects->header().is_read_by_format && mapping.use != TableUse::kThings)
      problems.add(mapping.table, "has objects, which are things");
    check_column(mapping.table, mapping.id);
    check_column(mapping.table, mapping.relation_column);
    check_column(mapping.table, mapping.series);
    for (const std::string& column : mapping.name) check_column(mapping.table, column);
    for (const ColumnMapping& column : mapping.columns) {
      check_column(mapping.table, column.column);
      if (column.use != ColumnUse::kLink) continue;
      const std::string table = table_of(column.to);
      const TableMapping* to = mapping_of(table);
      check_column(table, column.to.size() > table.size() ? column.to.substr(table.size() + 1) : "");
      if (to == nullptr || to->use != TableUse::kThings)
        problems.add(mapping.table + "." + column.column,
                     "links to '" + table + "', whose rows the plan does not read as things");
    }
  }
  problems.throw_if_any("the plan of tables");
}

bool TableReader::is_read(const TableSource& source) const {
  const TableMapping* mapping = mapping_of(source.header().name);
  return mapping != nullptr && mapping->use != TableUse::kSkip && !source.header().is_read_by_format;
}

LinkTarget TableReader::target_of(const std::string& to) {
  const std::string table = table_of(to);
  const std::string column = to.size() > table.size() ? to.substr(table.size() + 1) : "";
  const TableMapping& mapping = *mapping_of(table);
  const bool has_things = source_of(table)->header().is_read_by_format && mapping.id.empty();
  if (!has_things && (column.empty() || column == mapping.id)) return {table};
  const auto [known, is_new] = keys_.try_emplace(to);
  if (is_new) {
    const TableSource& source = *source_of(table);
    const std::size_t id = place_of(source.header().columns, mapping.id);
    const std::size_t by = place_of(source.header().columns, column);
    const std::size_t name =
        mapping.name.size() == 1 ? place_of(source.header().columns, mapping.name[0]) : kNoPlaceOfRow;
    ProblemLog log(source.place(), false, 0, silent_reporter());
    const auto cursor = source.rows(log);
    std::size_t number = 0;
    for (std::vector<std::string> row; cursor->next(row);) {
      ++number;
      if (is_empty_cell(row[by])) continue;
      if (!has_things)
        known->second.try_emplace(row[by], RowThing{TermKind::kId, table + "/" + key_of(row, id, number)});
      else if (auto thing = cursor->thing())
        known->second.try_emplace(row[by], std::move(*thing));
      else if (name != kNoPlaceOfRow && !is_empty_cell(row[name]))
        known->second.try_emplace(row[by], RowThing{TermKind::kName, row[name]});
    }
  }
  return {table, &known->second};
}

namespace {

struct ColumnToRead {
  std::size_t place;
  const ColumnMapping* mapping;
  std::optional<LinkTarget> target;  // of a link
  bool was_told = false;             // that a cell is not of the type
};

// Turns the rows of one table into statements.
class PlannedRows {
 public:
  PlannedRows(const TableSource& source, const TableMapping& mapping, std::vector<ColumnToRead> columns,
              const OpenSource& open, StatementSink& sink)
      : source_(source), mapping_(mapping), columns_(std::move(columns)), open_(open), sink_(sink) {
    const std::vector<std::string>& header = source.header().columns;
    id_ = place_of(header, mapping.id);
    relation_column_ = place_of(header, mapping.relation_column);
    when_ = place_of(header, mapping.series);
    for (const std::string& name : mapping.name) names_.push_back(place_of(header, name));
    for (std::size_t i = 0; i < columns_.size(); ++i)
      if (columns_[i].target) links_.push_back(i);
  }

  void read_all() {
    if (when_ != kNoPlaceOfRow) find_latest();
    const auto cursor = source_.rows(open_.log);
    for (std::size_t number = 1; cursor->next(row_); ++number) {
      for (std::string& cell : row_)
        if (says_nothing(cell, mapping_.missing)) cell.clear();
      line_ = cursor->line();
      mapping_.use == TableUse::kEdges ? read_edge() : read_thing(number);
      if (number % kRowsBetweenPolls == 0) open_.at(cursor->position());
    }
    open_.counts.lines = cursor->line();
    open_.counts.format = source_.format();
  }

 private:
  // Calls handle(term) for every row that a cell links to.
  template <class Handle>
  void for_each_end(const ColumnToRead& column, Handle&& handle) {
    for_each_cell_part(row_[column.place], column.mapping->separator, [&](std::string_view part) {
      const std::string key(part);
      const auto* keys = column.target->keys;
      if (keys != nullptr)
        if (const auto known = keys->find(key); known != keys->end()) return handle(known->second.term());
      const std::string object = column.target->table + "/" + key;
      handle(Term{TermKind::kId, object, {}, {}});
    });
  }

  void add_link(const Term& from, std::string_view relation, const Term& to) {
    Statement link{from, {TermKind::kName, relation, {}, {}}, to};
    link.between_nodes = true;
    (void)sink_.add(link, line_);
  }

  // A row of a table of edges joins what its first two links lead to.
  void read_edge() {
    const std::string& relation =
        relation_column_ == kNoPlaceOfRow ? mapping_.relation : row_[relation_column_];
    for_each_end(columns_[links_[0]], [&](const Term& begin) {
      for_each_end(columns_[links_[1]], [&](const Term& end) { add_link(begin, relation, end); });
    });
  }

  // Of each thing with several rows, the latest time that each column has a value of.
  void find_latest() {
    ProblemLog log(source_.place(), false, 0, silent_reporter());
    const auto cursor = source_.rows(log);
    const auto is_there = [&](const std::string& cell) {
      return !is_empty_cell(cell) && !says_nothing(cell, mapping_.missing);
    };
    while (cursor->next(row_)) {
      if (!is_there(row_[id_]) || !is_there(row_[when_])) continue;
      std::vector<std::string>& latest = latest_[row_[id_]];
      latest.resize(columns_.size());
      for (std::size_t i = 0; i < columns_.size(); ++i)
        if (columns_[i].mapping->use == ColumnUse::kSeries && is_there(row_[columns_[i].place]) &&
            is_later(row_[when_], latest[i]))
          latest[i] = row_[when_];
    }
  }

  // Numbers by their sizes; dates and seasons ("2003-04") as they are written.
  [[nodiscard]] static bool is_later(const std::string& a, const std::string& b) {
    const auto digits = [](const std::string& text) {
      return text.find_first_not_of("0123456789") == std::string::npos;
    };
    return digits(a) && digits(b) && a.size() != b.size() ? a.size() > b.size() : a > b;
  }

  void read_thing(std::size_t number) {
    const std::string own = key_of(row_, id_, number);
    if (is_empty_cell(own))
      return open_.log.skip(line_, Reason::kEmptyName, "the id in '" + mapping_.id + "' is empty");
    const std::string key = source_.header().name + "/" + own;
    const Term thing{TermKind::kId, key, {}, {}};
    if (!sink_.mention(thing, line_)) return;
    const bool is_new = when_ == kNoPlaceOfRow || met_.insert(own).second;
    if (is_new) read_name(thing);
    if (is_new && !mapping_.type.empty())
      (void)sink_.add({thing, {TermKind::kIri, kRdfType, {}, {}}, {TermKind::kName, mapping_.type, {}, {}}},
                      line_);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      ColumnToRead& column = columns_[i];
      const std::string& relation = column.mapping->relation;
      if (column.target)
        for_each_end(column, [&](const Term& end) { add_link(thing, relation, end); });
      else if (column.mapping->use == ColumnUse::kSeries)
        read_at_its_time(thing, own, i);
      else if (is_new)
        read_value(thing, relation, column);
    }
  }

  void read_at_its_time(const Term& thing, const std::string& own, std::size_t column) {
    const std::string& when = row_[when_];
    if (is_empty_cell(when)) return;
    const std::string& relation = columns_[column].mapping->relation;
    read_value(thing, when + " " + relation, columns_[column]);
    if (latest_.at(own)[column] == when) read_value(thing, relation, columns_[column]);
  }

  void read_name(const Term& thing) {
    std::string text;
    for (const std::size_t name : names_)
      if (!is_empty_cell(row_[name])) text += (text.empty() ? "" : " ") + row_[name];
    sink_.name(thing, text.empty() ? name_of_row(thing.text) : text, line_);
  }

  void read_value(const Term& thing, const std::string& relation, ColumnToRead& column) {
    const ColumnMapping& how = *column.mapping;
    for_each_cell_part(row_[column.place], how.separator, [&](std::string_view part) {
      const TypedCell cell = typed_cell(part, how.type);
      if (!cell.fits && !std::exchange(column.was_told, true))
        open_.log.note("line " + std::to_string(line_) + ": '" + how.column + "' is no " +
                       std::string(how.type.name()) + " here and kept as text, as are others of its kind");
      (void)sink_.add(
          {thing, {TermKind::kName, relation, {}, {}}, {TermKind::kLiteral, cell.text, {}, cell.datatype}},
          line_);
    });
  }

  const TableSource& source_;
  const TableMapping& mapping_;
  std::vector<ColumnToRead> columns_;
  const OpenSource& open_;
  StatementSink& sink_;
  std::size_t id_ = kNoPlaceOfRow, relation_column_ = kNoPlaceOfRow, when_ = kNoPlaceOfRow;
  std::unordered_map<std::string, std::vector<std::string>> latest_;  // of a series, by things
  std::unordered_set<std::string> met_;
  std::vector<std::size_t> names_;  // the columns that the name is made of
  std::vector<std::size_t> links_;  // of `columns_`
  std::vector<std::string> row_;
  std::size_t line_ = 0;
};

}  // namespace

ObjectPlan TableReader::plan_of_objects(const TableSource& source) {
  ObjectPlan plan;
  const TableMapping* mapping = mapping_of(source.header().name);
  if (mapping == nullptr) return plan;
  for (const ColumnMapping& column : mapping->columns) {
    PlannedKey key{.is_left_out = column.use == ColumnUse::kSkip,
                   .is_list = !column.separator.empty(),
                   .separator = column.separator,
                   .relation = column.relation};
    if (column.use == ColumnUse::kLink) {
      key.things = target_of(column.to).keys;
      key.to = column.to;
    }
    plan.keys.emplace(column.column, std::move(key));
  }
  if (!mapping->id.empty()) plan.keys[mapping->id].rows_of = mapping->table;
  plan.name = mapping->name;
  plan.kind = mapping->type;
  plan.missing = mapping->missing;
  return plan;
}

void TableReader::read(const TableSource& source, const OpenSource& open, StatementSink& sink) {
  const TableMapping& mapping = *mapping_of(source.header().name);
  open.log.note(mapping.told());
  std::vector<ColumnToRead> columns;
  for (const ColumnMapping& column : mapping.columns) {
    if (column.use == ColumnUse::kSkip) continue;
    const bool is_link = column.use == ColumnUse::kLink;
    columns.push_back({place_of(source.header().columns, column.column), &column,
                       is_link ? std::optional(target_of(column.to)) : std::nullopt});
  }
  PlannedRows(source, mapping, std::move(columns), open, sink).read_all();
}

}  // namespace kgwalk::graph
