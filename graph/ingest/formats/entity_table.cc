#include "graph/ingest/formats/entity_table.h"

#include <algorithm>
#include <initializer_list>

#include "graph/ingest/formats/table_columns.h"
#include "graph/ingest/formats/table_shape.h"
#include "graph/ingest/iri_names.h"
#include "kgwalk/error.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

std::size_t column_of(const std::vector<std::string>& header, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names)
    for (std::size_t i = 0; i < header.size(); ++i)
      if (fold_name(header[i]) == name) return i;
  return kNoColumn;
}

bool is_one_of(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

// Calls handle(part) for what stands between ';', without spaces around it, as far as there is something.
template <class Handle>
void for_each_of_list(std::string_view text, Handle&& handle) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    std::string_view part = text.substr(0, end);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    if (!part.empty()) handle(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

class EntityRows {
 public:
  EntityRows(const std::vector<std::string>& header, const InputText& text, StatementSink& sink)
      : header_(header),
        input_(text.options),
        sink_(sink),
        log_(text.log),
        id_(column_of(header, {"id"})),
        name_(column_of(header, {"name", "label", "title"})),
        type_(column_of(header, {"type", "types"})) {
    if (id_ == kNoColumn && name_ == kNoColumn)
      throw DataError(log_.file(), 1, "a table of entities needs a column 'id' or 'name'");
  }

  bool read(const std::vector<std::string>& row, std::size_t line) {
    line_ = line;
    const std::string& known_by = row[id_ == kNoColumn ? name_ : id_];
    if (known_by.empty()) {
      log_.skip(line, Reason::kEmptyName, id_ == kNoColumn ? "the name is empty" : "the id is empty");
      return false;
    }
    const Term entity = id_ == kNoColumn ? Term{TermKind::kName, known_by, {}, {}} : term_of_id(known_by);
    if (!sink_.mention(entity, line)) return false;
    if (id_ != kNoColumn && name_ != kNoColumn && !row[name_].empty()) sink_.name(entity, row[name_], line);
    for (std::size_t i = 0; i < row.size(); ++i)
      if (i != id_ && i != name_ && !row[i].empty() && !header_[i].empty()) take(entity, i, row[i]);
    return true;
  }

 private:
  void take(const Term& entity, std::size_t column, const std::string& text) {
    const Term predicate{TermKind::kName, header_[column], {}, {}};
    const Term type{TermKind::kIri, kRdfType, {}, {}};
    if (column == type_)
      return for_each_of_list(text, [&](std::string_view part) {
        add({entity, type, id_ == kNoColumn ? Term{TermKind::kName, part, {}, {}} : term_of_id(part)});
      });
    const auto literal = [&](std::string_view part) {
      add({entity, predicate, {TermKind::kLiteral, part, {}, {}}});
    };
    is_one_of(input_.aliases, header_[column]) ? for_each_of_list(text, literal) : literal(text);
  }

  void add(const Statement& statement) { (void)sink_.add(statement, line_); }

 public:
  [[nodiscard]] bool has_ids() const noexcept { return id_ != kNoColumn; }

 private:
  const std::vector<std::string>& header_;
  const InputOptions& input_;
  StatementSink& sink_;
  ProblemLog& log_;
  std::size_t id_, name_, type_, line_ = 0;
};

}  // namespace

bool is_entity_header(std::string_view line) {
  while (line.ends_with('\r') || line.ends_with('\n')) line.remove_suffix(1);
  if (line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
  std::size_t columns = 0;
  bool known = false;
  for (std::size_t begin = 0; begin <= line.size(); ++columns) {
    const std::size_t end = std::min(line.find_first_of(",;|\t", begin), line.size());
    std::string_view name = line.substr(begin, end - begin);
    if (name.size() > 1 && name.front() == '"' && name.back() == '"') name = name.substr(1, name.size() - 2);
    const std::string folded = invalid_utf8_at(name) ? std::string() : fold_name(name);
    known = known || folded == "id" || folded == "name";
    begin = end + 1;
  }
  return known && columns > 1;
}

Term term_of_id(std::string_view id) {
  if (id.starts_with("_:") && id.size() > 2) return {TermKind::kBlank, id.substr(2), {}, {}};
  const bool iri = id.find("://") != std::string_view::npos || id.starts_with("urn:");
  return {iri ? TermKind::kIri : TermKind::kId, id, {}, {}};
}

bool read_entity_table(const InputText& text, bool quoted, StatementSink& sink) {
  const GuessedShape guessed = shape_of(text, quoted ? ',' : '\t', quoted);
  TableRows rows(guessed.bytes, guessed.shape, text.log);
  std::vector<std::string> header;
  if (!rows.next(header)) throw DataError(text.log.file(), 1, "the header of the table cannot be read");
  EntityRows entities(header, text, sink);
  rows.expect(header.size());
  for (std::vector<std::string> row; rows.next(row);)
    if (entities.read(row, rows.line())) ++text.counts.names;
  text.counts.lines = rows.line();
  return entities.has_ids();
}

}  // namespace kgwalk::graph
