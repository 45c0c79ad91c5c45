#include "graph/ingest/tables/table_reader.h"

#include <algorithm>
#include <optional>
#include <utility>

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
    check_column(mapping.table, mapping.id);
    check_column(mapping.table, mapping.relation_column);
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
  return mapping != nullptr && mapping->use != TableUse::kSkip;
}

TableReader::Target TableReader::target_of(const std::string& to) {
  const std::string table = table_of(to);
  const std::string column = to.size() > table.size() ? to.substr(table.size() + 1) : "";
  const TableMapping& mapping = *mapping_of(table);
  if (column.empty() || column == mapping.id) return {table};
  const auto [known, is_new] = keys_.try_emplace(to);
  if (is_new) {
    const TableSource& source = *source_of(table);
    const std::size_t id = place_of(source.header().columns, mapping.id);
    const std::size_t by = place_of(source.header().columns, column);
    ProblemLog log(source.place(), false, 0, silent_reporter());
    const auto cursor = source.rows(log);
    std::size_t number = 0;
    for (std::vector<std::string> row; cursor->next(row);)
      known->second.try_emplace(row[by], key_of(row, id, ++number));
  }
  return {table, &known->second};
}

namespace {

struct ColumnToRead {
  std::size_t place;
  const ColumnMapping* mapping;
  bool was_told = false;  // that a cell is not of the type
};

}  // namespace

void TableReader::read(const TableSource& source, const OpenSource& open, StatementSink& sink) {
  const TableMapping& mapping = *mapping_of(source.header().name);
  const std::vector<std::string>& header = source.header().columns;
  open.log.note(mapping.told());
  const std::size_t id = place_of(header, mapping.id);
  const std::size_t relation_column = place_of(header, mapping.relation_column);
  std::vector<std::size_t> names;
  for (const std::string& name : mapping.name) names.push_back(place_of(header, name));
  std::vector<ColumnToRead> columns;
  std::vector<std::optional<Target>> targets;
  for (const ColumnMapping& column : mapping.columns) {
    if (column.use == ColumnUse::kSkip) continue;
    columns.push_back({place_of(header, column.column), &column});
    targets.push_back(column.use == ColumnUse::kLink ? std::optional(target_of(column.to)) : std::nullopt);
  }
  const auto cursor = source.rows(open.log);
  std::vector<std::string> row;
  std::string key, text, object;

  // Calls handle(term) for every row that a cell links to.
  const auto for_each_end = [&](std::size_t i, auto&& handle) {
    for_each_cell_part(row[columns[i].place], columns[i].mapping->separator, [&](std::string_view part) {
      object = targets[i]->table + "/";
      if (targets[i]->keys != nullptr) {
        const auto found = targets[i]->keys->find(std::string(part));
        object += found == targets[i]->keys->end() ? std::string(part) : found->second;
      } else {
        object += part;
      }
      handle(Term{TermKind::kId, object, {}, {}});
    });
  };
  const auto read_edge = [&] {
    const std::string& relation = relation_column == kNoPlaceOfRow ? mapping.relation : row[relation_column];
    std::string head;
    std::size_t first = columns[0].mapping->use == ColumnUse::kLink ? 0 : 1;
    std::size_t second = first + 1;
    while (targets[first] == std::nullopt) ++first;
    for (second = first + 1; targets[second] == std::nullopt;) ++second;
    for_each_end(first, [&](const Term& begin) {
      head = begin.text;
      for_each_end(second, [&](const Term& end) {
        Statement edge{{TermKind::kId, head, {}, {}}, {TermKind::kName, relation, {}, {}}, end};
        edge.between_nodes = true;
        (void)sink.add(edge, cursor->line());
      });
    });
  };
  const auto read_value = [&](const Term& thing, ColumnToRead& column) {
    const ColumnMapping& how = *column.mapping;
    for_each_cell_part(row[column.place], how.separator, [&](std::string_view part) {
      const TypedCell cell = typed_cell(part, how.type);
      if (!cell.fits && !std::exchange(column.was_told, true))
        open.log.note("line " + std::to_string(cursor->line()) + ": '" + how.column + "' is no " +
                      std::string(how.type.name()) + " here and kept as text, as are others of its kind");
      (void)sink.add({thing,
                      {TermKind::kName, how.relation, {}, {}},
                      {TermKind::kLiteral, cell.text, {}, cell.datatype}},
                     cursor->line());
    });
  };
  const auto read_thing = [&](std::size_t number) {
    const std::string own = key_of(row, id, number);
    if (is_empty_cell(own))
      return open.log.skip(cursor->line(), Reason::kEmptyName, "the id in '" + mapping.id + "' is empty");
    key = source.header().name + "/" + own;
    const Term thing{TermKind::kId, key, {}, {}};
    if (!sink.mention(thing, cursor->line())) return;
    text.clear();
    for (const std::size_t name : names)
      if (!is_empty_cell(row[name])) text += (text.empty() ? "" : " ") + row[name];
    if (!text.empty()) sink.name(thing, text, cursor->line());
    if (!mapping.type.empty())
      (void)sink.add({thing, {TermKind::kIri, kRdfType, {}, {}}, {TermKind::kName, mapping.type, {}, {}}},
                     cursor->line());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (!targets[i]) {
        read_value(thing, columns[i]);
        continue;
      }
      for_each_end(i, [&](const Term& end) {
        Statement link{thing, {TermKind::kName, columns[i].mapping->relation, {}, {}}, end};
        link.between_nodes = true;
        (void)sink.add(link, cursor->line());
      });
    }
  };
  for (std::size_t number = 1; cursor->next(row); ++number) {
    mapping.use == TableUse::kEdges ? read_edge() : read_thing(number);
    if (number % kRowsBetweenPolls == 0) open.at(cursor->position());
  }
  open.counts.lines = cursor->line();
  open.counts.format = source.format();
}

}  // namespace kgwalk::graph
