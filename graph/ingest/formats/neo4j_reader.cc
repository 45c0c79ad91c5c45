#include "graph/ingest/formats/neo4j_reader.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string>
#include <utility>

#include "graph/ingest/formats/table_columns.h"
#include "kgwalk/error.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

struct Property {
  std::size_t column;
  std::string name;
  bool is_list, is_point = false;
};

// An id column with its space: ids of different spaces are different nodes.
struct IdColumn {
  std::size_t column = kNone;
  std::string space = {};
  [[nodiscard]] std::string key(const std::vector<std::string>& row) const {
    return space.empty() ? row[column] : space + "/" + row[column];
  }
};

struct Layout {
  IdColumn id, start, end;
  std::size_t labels = kNone, type = kNone, weight = kNone, source = kNone;
  std::vector<Property> properties;
  char label_separator = ';', list_separator = ';';
};

std::string_view without_spaces(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

bool is_coordinate(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// The coordinates in "{latitude: 55.6, longitude: 13.0, crs: WGS-84}", by their names. Those of a plane are x
// and y. Empty for what is no point.
std::vector<std::pair<std::string, std::string>> coordinates_in(std::string_view text) {
  constexpr std::string_view kNames[] = {"latitude", "longitude", "height", "x", "y", "z"};
  text = without_spaces(text);
  if (!text.starts_with('{') || !text.ends_with('}') || text.size() < 2) return {};
  text = text.substr(1, text.size() - 2);
  std::vector<std::pair<std::string, std::string>> out;
  while (!text.empty()) {
    const std::string_view field = text.substr(0, text.find(','));
    text.remove_prefix(std::min(field.size() + 1, text.size()));
    const std::size_t colon = field.find(':');
    if (colon == std::string_view::npos) return {};
    const std::string name = fold_name(field.substr(0, colon));
    const std::string_view value = without_spaces(field.substr(colon + 1));
    if (std::find(std::begin(kNames), std::end(kNames), name) == std::end(kNames)) continue;
    if (!is_coordinate(value)) return {};
    out.emplace_back(name, value);
  }
  return out;
}

// What stands in brackets: the id space.
std::string space_of(std::string_view tag) {
  const std::size_t open = tag.find('('), close = tag.find(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  return std::string(tag.substr(open + 1, close - open - 1));
}

// "place:point{crs:WGS-84}" has options in braces behind its type.
void add_admin_column(Layout& layout, const std::string& header, std::size_t column) {
  const std::string field = header.ends_with('}') ? header.substr(0, header.rfind('{')) : header;
  const std::size_t colon = field.rfind(':');
  const std::string tag = colon == std::string::npos ? std::string() : field.substr(colon + 1);
  const std::string name = field.substr(0, colon);
  if (tag.starts_with("ID"))
    layout.id = {column, space_of(tag)};
  else if (tag.starts_with("START_ID"))
    layout.start = {column, space_of(tag)};
  else if (tag.starts_with("END_ID"))
    layout.end = {column, space_of(tag)};
  else if (tag == "LABEL")
    layout.labels = column;
  else if (tag == "TYPE")
    layout.type = column;
  else if (tag != "IGNORE" && !name.empty())
    layout.properties.push_back({column, name, tag.ends_with("[]"), tag == "point" || tag == "point[]"});
}

void add_apoc_column(Layout& layout, const std::string& field, std::size_t column) {
  if (field == "_id")
    layout.id = {column};
  else if (field == "_labels")
    layout.labels = column;
  else if (field == "_start")
    layout.start = {column};
  else if (field == "_end")
    layout.end = {column};
  else if (field == "_type")
    layout.type = column;
  else if (!field.empty())
    layout.properties.push_back({column, field, false});
}

Layout layout_of(const std::vector<std::string>& header, const std::string& file) {
  Layout layout;
  const bool apoc = std::any_of(header.begin(), header.end(),
                                [](const std::string& f) { return f == "_id" || f == "_start"; });
  if (apoc) layout.label_separator = ':';
  for (std::size_t i = 0; i < header.size(); ++i)
    apoc ? add_apoc_column(layout, header[i], i) : add_admin_column(layout, header[i], i);
  const bool has_ends = layout.start.column != kNone && layout.end.column != kNone && layout.type != kNone;
  if (layout.id.column == kNone && !has_ends)
    throw DataError(
        file, 1,
        "the header is none of Neo4j's: neither :ID nor :START_ID, :END_ID and :TYPE (apoc: _id, or "
        "_start, _end and _type)");
  return layout;
}

class Rows {
 public:
  Rows(const Layout& layout, ProblemLog& log, StatementSink& sink)
      : layout_(layout), log_(log), sink_(sink) {}

  void read(const std::vector<std::string>& row, std::size_t line) {
    line_ = line;
    if (filled(layout_.id.column, row)) return node(row);
    if (layout_.start.column == kNone) return empty("the node's id");
    for (const std::size_t column : {layout_.start.column, layout_.end.column, layout_.type})
      if (!filled(column, row)) return empty("an end or the type of a relationship");
    const std::string start = layout_.start.key(row), end = layout_.end.key(row);
    Statement statement{{TermKind::kIri, start, {}, {}},
                        {TermKind::kIri, row[layout_.type], {}, {}},
                        {TermKind::kIri, end, {}, {}}};
    statement.between_nodes = true;
    if (filled(layout_.source, row)) statement.source = row[layout_.source];
    if (filled(layout_.weight, row)) {
      statement.weight = weight_in(row[layout_.weight]);
      if (!statement.weight) {
        log_.skip(line_, Reason::kBadWeight,
                  "the weight '" + row[layout_.weight] + "' is no number of 0 or more");
        return;
      }
    }
    const std::vector<QualifierTerms> beside = qualifiers(row);
    statement.qualifiers = beside;
    sink_.add(statement, line_);
  }

 private:
  // Properties of a relationship, but for its weight and source.
  std::vector<QualifierTerms> qualifiers(const std::vector<std::string>& row) const {
    std::vector<QualifierTerms> all;
    for (const Property& property : layout_.properties) {
      if (property.column == layout_.weight || property.column == layout_.source) continue;
      const auto take = [&](std::string_view text) {
        all.push_back({{TermKind::kIri, property.name, {}, {}}, {TermKind::kLiteral, text, {}, {}}});
      };
      const std::string& value = row[property.column];
      if (property.is_list)
        for_each_part(value, layout_.list_separator, take);
      else if (!value.empty())
        take(value);
    }
    return all;
  }

  static bool filled(std::size_t column, const std::vector<std::string>& row) {
    return column != kNone && !row[column].empty();
  }
  void empty(const std::string& what) { log_.skip(line_, Reason::kEmptyName, what + " is empty"); }

  void add(const Term& subject, std::string_view predicate, const Term& object) {
    sink_.add({subject, {TermKind::kIri, predicate, {}, {}}, object}, line_);
  }

  // Calls handle(part) for each part that is not empty.
  template <class Handle>
  static void for_each_part(std::string_view text, char separator, Handle&& handle) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find(separator), text.size());
      if (end > 0) handle(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  void node(const std::vector<std::string>& row) {
    const std::string key = layout_.id.key(row);
    const Term subject{TermKind::kIri, key, {}, {}};
    if (!sink_.mention(subject, line_)) return;
    if (layout_.labels != kNone)
      for_each_part(row[layout_.labels], layout_.label_separator, [&](std::string_view label) {
        const std::string name = "label/" + std::string(label);  // no id of a node
        add(subject, kRdfType, {TermKind::kIri, name, {}, {}});
      });
    for (const Property& property : layout_.properties) {
      const std::string& value = row[property.column];
      const auto take = [&](std::string_view text) {
        if (property.is_point && point(subject, property.name, text)) return;
        add(subject, property.name, {TermKind::kLiteral, text, {}, {}});
      };
      if (property.is_list)
        for_each_part(value, layout_.list_separator, take);
      else if (!value.empty())
        take(value);
    }
  }

  // A point is a value for each coordinate. False for what is none, which is kept as it stands.
  bool point(const Term& subject, const std::string& name, std::string_view text) {
    const auto coordinates = coordinates_in(text);
    for (const auto& [coordinate, value] : coordinates)
      add(subject, name + " " + coordinate, {TermKind::kLiteral, value, {}, {}});
    return !coordinates.empty();
  }

  const Layout& layout_;
  ProblemLog& log_;
  StatementSink& sink_;
  std::size_t line_ = 0;
};

}  // namespace

void read_neo4j(const std::vector<std::string>& header, TableRows& rows, const InputText& text,
                StatementSink& sink) {
  const InputOptions& input = text.options;
  Layout layout = layout_of(header, text.log.file());
  if (input.list_separator != '\0') {
    layout.list_separator = input.list_separator;
    if (layout.label_separator == ';') layout.label_separator = input.list_separator;
  }
  for (const Property& property : layout.properties) {
    if (property.name == input.weight_column) layout.weight = property.column;
    if (property.name == input.source_column) layout.source = property.column;
  }
  rows.expect(header.size());
  Rows reader(layout, text.log, sink);
  for (std::vector<std::string> row; rows.next(row);) {
    reader.read(row, rows.line());
    sink.at(rows.position());
  }
}

}  // namespace kgwalk::graph
