#include "data/fact_graph.h"

#include "kgwalk/error.h"
#include "runtime/files.h"

namespace kgwalk::sample {
namespace {

std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + separator.size());
  }
}

constexpr const char* kPronoun = "pronoun";

struct Column {
  std::string relation, kind, constant;  // constant: the tail of every row, no cell
};

struct Cell {
  int head;
  Column column;
  std::string tail;
  std::string file;
  std::size_t line;
};

}  // namespace

class FactReader {
 public:
  void read_table(const std::filesystem::path& path) {
    file_ = path.string();
    columns_.clear();
    line_ = 0;
    for (const std::string& line : split(read_file(path), "\n")) {
      ++line_;
      if (line.empty() || line[0] == '#') continue;
      line[0] == '@' ? read_header(line.substr(1)) : read_row(line);
    }
  }

  // Tails are resolved when all rows are known; topics last, so that any other kind wins.
  FactGraph finish() {
    for (const bool topics : {false, true}) {
      for (const Cell& cell : cells_) {
        if ((cell.column.kind == "topic") == topics) add_fact(cell);
      }
    }
    return std::move(graph_);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw DataError(file_, line_, why); }

  void read_header(const std::string& line) {
    const std::vector<std::string> fields = split(line, "\t");
    if (fields.size() < 3 || fields[1] != "name")
      fail("a header is \"@kind TAB name TAB relation:kind ...\"");
    kind_ = fields[0];
    closed_.insert(kind_);
    columns_.clear();
    for (std::size_t i = 2; i < fields.size(); ++i) {
      const std::size_t equals = fields[i].find('='), colon = fields[i].rfind(':');
      if (equals != std::string::npos) {
        columns_.push_back({fields[i].substr(0, equals), "form", fields[i].substr(equals + 1)});
      } else if (colon != std::string::npos) {
        columns_.push_back({fields[i].substr(0, colon), fields[i].substr(colon + 1), ""});
      } else if (fields[i] == kPronoun) {
        columns_.push_back({kPronoun, kPronoun, ""});
      } else {
        fail("column '" + fields[i] + "' is neither relation:kind nor relation=Tail");
      }
    }
  }

  void read_row(const std::string& line) {
    if (columns_.empty()) fail("a row before any header");
    const std::vector<std::string> fields = split(line, "\t");
    const int head = entity(fields[0], kind_);
    std::size_t next = 1;
    for (const Column& column : columns_) {
      if (!column.constant.empty()) {
        cells_.push_back({head, column, column.constant, file_, line_});
        continue;
      }
      if (next == fields.size()) fail("too few cells");
      const std::string& text = fields[next++];
      if (text.empty()) continue;
      if (column.kind == kPronoun) {
        if (text != "he" && text != "she") fail("'" + text + "' is no pronoun that the phrases know");
        graph_.pronouns_[head] = text;
        continue;
      }
      for (const std::string& tail : split(text, " | ")) cells_.push_back({head, column, tail, file_, line_});
    }
    if (next != fields.size()) fail("too many cells");
  }

  void add_fact(const Cell& cell) {
    file_ = cell.file;
    line_ = cell.line;
    const bool known = graph_.entity_ids_.contains(cell.tail);
    if (!known && closed_.contains(cell.column.kind)) {
      fail("'" + cell.tail + "' has no row as " + cell.column.kind);
    }
    const bool any_kind = cell.column.kind == "topic" && known;
    const int tail = any_kind ? graph_.entity_ids_.at(cell.tail) : entity(cell.tail, cell.column.kind);
    const int relation = relation_id(cell.column.relation);
    add_edge(cell.head, relation, tail);
    add_edge(tail, relation + 1, cell.head);
  }

  void add_edge(int head, int relation, int tail) {
    if (!graph_.seen_.emplace(head, relation, tail).second) return;
    graph_.edges_[head].push_back({relation, tail});
  }

  int entity(const std::string& name, const std::string& kind) {
    if (name.empty() || name.front() == ' ' || name.back() == ' ')
      fail("empty name, or blanks around '" + name + "'");
    const auto [found, fresh] = graph_.entity_ids_.try_emplace(name, graph_.num_entities());
    if (fresh) {
      graph_.names_.push_back(name);
      graph_.kinds_.push_back(kind);
      graph_.pronouns_.emplace_back();
      graph_.edges_.emplace_back();
    } else if (graph_.kinds_[found->second] != kind) {
      fail("'" + name + "' is both " + graph_.kinds_[found->second] + " and " + kind);
    }
    return found->second;
  }

  int relation_id(const std::string& name) {
    const auto [found, fresh] = graph_.relation_ids_.try_emplace(name, graph_.num_relations());
    if (fresh) {
      graph_.relation_ids_.emplace("~" + name, graph_.num_relations() + 1);
      graph_.relations_.push_back(name);
      graph_.relations_.push_back("~" + name);
    }
    return found->second;
  }

  FactGraph graph_;
  std::vector<Cell> cells_;
  std::set<std::string> closed_;
  std::vector<Column> columns_;
  std::string kind_, file_;
  std::size_t line_ = 0;
};

FactGraph FactGraph::read(std::span<const std::filesystem::path> tables) {
  FactReader reader;
  for (const std::filesystem::path& table : tables) reader.read_table(table);
  return reader.finish();
}

int FactGraph::find_relation(std::string_view name) const {
  const auto found = relation_ids_.find(name);
  return found == relation_ids_.end() ? -1 : found->second;
}

std::vector<int> FactGraph::tails(int entity, int relation) const {
  std::vector<int> result;
  for (const FactEdge& edge : edges_.at(entity)) {
    if (edge.relation == relation) result.push_back(edge.tail);
  }
  return result;
}

}  // namespace kgwalk::sample
