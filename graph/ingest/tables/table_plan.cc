#include "kgwalk/table_plan.h"

#include <algorithm>
#include <utility>

#include "runtime/problems.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

// The members of a json object, each read once; what is left over or of another type is a problem.
class Members {
 public:
  Members(const Json& json, std::string where, Problems& problems)
      : json_(json), where_(std::move(where)), problems_(problems) {
    if (!json.is_object()) problems_.add(where_, "must be an object");
  }

  void read(const char* key, std::string& into) {
    const Json* value = find(key);
    if (value == nullptr) return;
    if (value->is_string())
      into = value->get<std::string>();
    else
      problems_.add(dotted(where_, key), "must be text");
  }
  void read(const char* key, std::vector<std::string>& into) {
    const Json* value = find(key);
    if (value == nullptr) return;
    if (value->is_string()) {
      if (!value->get_ref<const std::string&>().empty()) into = {value->get<std::string>()};
      return;
    }
    bool texts = value->is_array();
    if (texts)
      for (const Json& part : *value) texts = texts && part.is_string();
    if (texts)
      into = value->get<std::vector<std::string>>();
    else
      problems_.add(dotted(where_, key), "must be a column or a list of columns");
  }
  template <class E>
  void read(const char* key, Choice<E>& into) {
    std::string word(into.name());
    read(key, word);
    if (!into.assign(word)) problems_.add(dotted(where_, key), "'" + word + "' " + into.advice(word));
  }
  const Json* find(const char* key) {
    known_.emplace_back(key);
    const auto found = json_.is_object() ? json_.find(key) : json_.end();
    return json_.is_object() && found != json_.end() ? &*found : nullptr;
  }
  void finish() {
    if (!json_.is_object()) return;
    for (const auto& [key, value] : json_.items())
      if (std::find(known_.begin(), known_.end(), key) == known_.end())
        problems_.add(dotted(where_, key), "is no key of a plan" + did_you_mean(key, known_));
  }

 private:
  const Json& json_;
  std::string where_;
  Problems& problems_;
  std::vector<std::string> known_;
};

ColumnMapping column_from(const Json& json, const std::string& where, Problems& problems) {
  ColumnMapping column;
  Members members(json, where, problems);
  members.read("column", column.column);
  members.read("use", column.use);
  members.read("relation", column.relation);
  members.read("type", column.type);
  members.read("separator", column.separator);
  members.read("to", column.to);
  members.finish();
  if (column.column.empty()) problems.add(where, "needs a 'column'");
  if (column.use == ColumnUse::kLink && column.to.empty())
    problems.add(where, "a link needs 'to', the table.column that it leads to");
  if (column.relation.empty()) column.relation = column.column;
  return column;
}

TableMapping table_from(const Json& json, const std::string& where, Problems& problems) {
  TableMapping table;
  Members members(json, where, problems);
  members.read("table", table.table);
  members.read("use", table.use);
  members.read("type", table.type);
  members.read("id", table.id);
  members.read("name", table.name);
  members.read("series", table.series);
  members.read("relation", table.relation);
  members.read("relation_column", table.relation_column);
  members.read("missing", table.missing);
  if (const Json* columns = members.find("columns")) {
    if (!columns->is_array()) problems.add(dotted(where, "columns"), "must be a list");
    for (std::size_t i = 0; columns->is_array() && i < columns->size(); ++i)
      table.columns.push_back(
          column_from((*columns)[i], dotted(where, "columns") + "[" + std::to_string(i) + "]", problems));
  }
  members.finish();
  if (table.table.empty()) problems.add(where, "needs a 'table'");
  for (const ColumnMapping& column : table.columns)
    if (column.use == ColumnUse::kSeries && (table.series.empty() || table.use != TableUse::kThings))
      problems.add(where, "'" + column.column + "' is of a time, and no 'series' says which column tells it");
  if (table.use != TableUse::kEdges) return table;
  std::size_t links = 0;
  for (const ColumnMapping& column : table.columns) links += column.use == ColumnUse::kLink ? 1 : 0;
  if (links != 2) problems.add(where, "edges have two links, not " + std::to_string(links));
  if (table.relation.empty() == table.relation_column.empty())
    problems.add(where, "edges have a 'relation' or a 'relation_column'");
  return table;
}

void put(Json& json, const char* key, const std::string& text) {
  if (!text.empty()) json[key] = text;
}

Json to_json_of(const ColumnMapping& column) {
  Json json = {{"column", column.column}, {"use", std::string(column.use.name())}};
  if (column.use == ColumnUse::kSkip) return json;
  put(json, "relation", column.relation);
  if (column.use == ColumnUse::kValue || column.use == ColumnUse::kSeries)
    json["type"] = std::string(column.type.name());
  put(json, "to", column.to);
  put(json, "separator", column.separator);
  return json;
}

std::string joined_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// Columns of a wide table are told in part; `--plan` writes all.
std::string some_of(std::vector<std::string> columns) {
  constexpr std::size_t kMostTold = 20;
  if (columns.size() <= kMostTold) return joined_words(columns);
  const std::size_t more = columns.size() - kMostTold;
  columns.resize(kMostTold);
  columns.push_back(std::to_string(more) + " more");
  return joined_words(columns);
}

}  // namespace

std::string TableMapping::told() const {
  if (use == TableUse::kSkip) return "not read";
  std::vector<std::string> links, lists, typed;
  std::string doubts;
  for (const ColumnMapping& c : columns) {
    if (const std::string doubt = "; '" + c.column + "' " + c.doubt;
        !c.doubt.empty() && doubts.find(doubt) == std::string::npos)
      doubts += doubt;
    if (c.use == ColumnUse::kLink) links.push_back(c.column + " -> " + c.to);
    if (c.use != ColumnUse::kSkip && !c.separator.empty())
      lists.push_back(c.column + (c.separator[0] < ' ' ? "" : " at '" + c.separator + "'"));
    if ((c.use == ColumnUse::kValue || c.use == ColumnUse::kSeries) && c.type != ValueType::kText)
      typed.push_back(c.column + " " + std::string(c.type.name()));
  }
  std::string text;
  if (use == TableUse::kEdges)
    text =
        "a row per edge: " + (relation.empty() ? "the relation in " + relation_column : "'" + relation + "'");
  else
    text = "a row per thing" + (series.empty() ? "" : " and " + series) +
           (type.empty() ? "" : ", a '" + type + "'") +
           (!id.empty()                    ? ", id " + id
            : type.empty() && name.empty() ? ""  // objects say that themselves
                                           : ", known by its row") +
           (name.empty() ? "" : ", name " + joined_words(name));
  if (!links.empty()) text += "; links " + some_of(links);
  if (!lists.empty()) text += "; lists " + some_of(lists);
  if (!typed.empty()) text += "; " + some_of(typed);
  for (std::size_t i = 0; i < missing.size(); ++i)
    text += (i == 0 ? "; '" : ", '") + missing[i] + (i + 1 == missing.size() ? "' is no value" : "'");
  return text + doubts;
}

Json TablePlan::to_json() const {
  Json list = Json::array();
  for (const TableMapping& table : tables) {
    Json json = {{"table", table.table}, {"use", std::string(table.use.name())}};
    if (table.use == TableUse::kThings) {
      json["type"] = table.type;
      json["id"] = table.id;
      json["name"] = table.name;
      put(json, "series", table.series);
    }
    put(json, "relation", table.relation);
    put(json, "relation_column", table.relation_column);
    if (!table.missing.empty()) json["missing"] = table.missing;
    json["columns"] = Json::array();
    for (const ColumnMapping& column : table.columns) json["columns"].push_back(to_json_of(column));
    list.push_back(std::move(json));
  }
  return {{"tables", std::move(list)}};
}

TablePlan TablePlan::from_json(const Json& json, const std::string& source) {
  TablePlan plan;
  Problems problems;
  Members members(json, "", problems);
  const Json* tables = members.find("tables");
  members.finish();
  if (tables == nullptr || !tables->is_array())
    problems.add("tables", "must be a list of tables");
  else
    for (std::size_t i = 0; i < tables->size(); ++i)
      plan.tables.push_back(table_from((*tables)[i], "tables[" + std::to_string(i) + "]", problems));
  problems.throw_if_any(source);
  return plan;
}

}  // namespace kgwalk::graph
