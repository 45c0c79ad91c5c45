#include "graph/ingest/tables/json_table.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/ingest/formats/json_lists.h"
#include "graph/ingest/formats/json_parts.h"
#include "graph/ingest/formats/json_reader.h"

namespace kgwalk::graph {
namespace {

constexpr std::size_t kObjectsLookedAt = 5000;
constexpr std::string_view kKey = "pk";

// The objects of a text one by one.
class Objects {
 public:
  Objects(std::string_view bytes, ProblemLog& log) : log_(log), elements_(bytes, log, sink_) {}
  [[nodiscard]] bool next(JsonNode& object) {
    for (JsonElement element; elements_.next(element);) {
      line_ = element.line;
      if (!elements_.read(element, object)) continue;
      if (object.is_object()) return true;
      log_.skip(line_, Reason::kSyntax, "the value is no object; each one is to be a thing");
    }
    return false;
  }
  [[nodiscard]] std::size_t line() const noexcept { return line_; }
  [[nodiscard]] std::size_t position() const noexcept { return sink_.position(); }

 private:
  ProblemLog& log_;
  NoSink sink_;
  ListedElements elements_;
  std::size_t line_ = 0;
};

std::string scalar_text(const JsonNode& value) {
  if (value.is_boolean()) return value.kind == JsonNode::Kind::kTrue ? "true" : "false";
  return value.text;
}

// A value as a part of a cell: scalars, and the names of objects that are known by nothing else.
std::optional<std::string> part_of_cell(const JsonNode& value) {
  if (value.is_scalar()) return scalar_text(value);
  if (!value.is_object()) return std::nullopt;
  auto thing = thing_of_object(value);
  return thing && thing->kind == TermKind::kName ? std::optional(std::move(thing->text)) : std::nullopt;
}

// Empty for a value that has no place in a cell.
std::string cell_of(const JsonNode& value) {
  std::string cell;
  for (const JsonNode* item : values_of(value)) {
    const auto part = part_of_cell(*item);
    if (!part) return {};
    if (!cell.empty()) cell += kJsonListSeparator;
    cell += *part;
  }
  return cell;
}

bool fits_cell(const JsonNode& value) {
  const auto values = values_of(value);
  return !value.is_null() && std::all_of(values.begin(), values.end(), [](const JsonNode* item) {
    return part_of_cell(*item).has_value();
  });
}

bool holds_things(const JsonNode& value) {
  const auto values = values_of(value);
  return std::any_of(values.begin(), values.end(), [](const JsonNode* item) { return item->is_object(); });
}

bool is_fixture(const JsonNode& object) {
  const JsonNode* model = object.find("model");
  const JsonNode* fields = object.find("fields");
  const auto is_known = [](const std::string& key) {
    return key == "model" || key == kKey || key == "fields";
  };
  return model != nullptr && model->is_string() && !model->text.empty() && fields != nullptr &&
         fields->is_object() && std::all_of(object.keys.begin(), object.keys.end(), is_known);
}

// Those of one model, or, where there is none, all of them with their own keys.
class JsonRows final : public TableCursor {
 public:
  JsonRows(std::string_view bytes, const TableHeader& header, const std::string& model, ProblemLog& log)
      : objects_(bytes, log), log_(log), model_(model) {
    for (std::size_t i = 0; i < header.columns.size(); ++i) places_.emplace(header.columns[i], i);
  }

  [[nodiscard]] bool next(std::vector<std::string>& cells) override {
    while (objects_.next(object_)) {
      cells.assign(places_.size(), {});
      if (model_.empty()) return fill(object_, cells), true;
      const JsonNode* model = object_.find("model");
      if (model == nullptr || !model->is_string(model_)) continue;
      if (!is_fixture(object_)) {
        log_.skip(objects_.line(), Reason::kSyntax, "the object is not a model, its pk and its fields");
        continue;
      }
      if (const JsonNode* key = object_.find(kKey)) put(std::string(kKey), *key, cells);
      return fill(*object_.find("fields"), cells), true;
    }
    return false;
  }
  [[nodiscard]] std::size_t line() const override { return objects_.line(); }
  [[nodiscard]] std::size_t position() const override { return objects_.position(); }
  [[nodiscard]] std::optional<RowThing> thing() const override {
    return model_.empty() ? thing_of_object(object_) : std::nullopt;
  }

 private:
  void fill(const JsonNode& object, std::vector<std::string>& cells) const {
    for (std::size_t i = 0; i < object.keys.size(); ++i) put(object.keys[i], object.items[i], cells);
  }
  void put(const std::string& key, const JsonNode& value, std::vector<std::string>& cells) const {
    if (const auto place = places_.find(key); place != places_.end()) cells[place->second] = cell_of(value);
  }

  Objects objects_;
  ProblemLog& log_;
  const std::string& model_;
  std::map<std::string, std::size_t, std::less<>> places_;
  JsonNode object_;
};

class JsonTable final : public TableSource {
 public:
  JsonTable(const std::filesystem::path& file, std::shared_ptr<InputBytes> bytes, TableHeader header,
            std::string model, bool by_format)
      : file_(file == "-" ? "standard input" : file.string()),
        bytes_(std::move(bytes)),
        header_(std::move(header)),
        model_(std::move(model)) {
    header_.list_separator = kJsonListSeparator;
    header_.is_read_by_format = by_format;
  }

  [[nodiscard]] const TableHeader& header() const override { return header_; }
  [[nodiscard]] std::string place() const override {
    return model_.empty() ? file_ : file_ + ":" + header_.name;
  }
  [[nodiscard]] OpenedBytes opened() const override { return {bytes_->bytes(), bytes_->checksum()}; }
  [[nodiscard]] std::string format() const override { return "json"; }
  [[nodiscard]] std::unique_ptr<TableCursor> rows(ProblemLog& log) const override {
    return std::make_unique<JsonRows>(without_byte_order_mark(bytes_->bytes(), log), header_, model_, log);
  }

 private:
  std::string file_;
  std::shared_ptr<InputBytes> bytes_;
  TableHeader header_;
  std::string model_;
};

// Keys in the order in which they were met.
class KeyList {
 public:
  void add(const std::string& key) {
    if (met_.insert(key).second) list_.push_back(key);
  }
  [[nodiscard]] const std::vector<std::string>& list() const noexcept { return list_; }

 private:
  std::set<std::string> met_;
  std::vector<std::string> list_;
};

std::string last_part(const std::string& model) { return model.substr(model.rfind('.') + 1); }

}  // namespace

TableSources open_fixture(const std::filesystem::path& file, const std::shared_ptr<InputBytes>& bytes) {
  ProblemLog log(file.string(), false, 0, silent_reporter());
  Objects objects(without_byte_order_mark(bytes->bytes(), log), log);
  KeyList models;
  std::map<std::string, KeyList> columns;
  std::map<std::string, std::size_t> of_name;
  for (JsonNode object; objects.next(object);) {
    if (!is_fixture(object)) {
      if (models.list().empty()) return {};
      continue;
    }
    const std::string& model = object.find("model")->text;
    const bool is_new = columns.find(model) == columns.end();
    models.add(model);
    of_name[last_part(model)] += is_new ? 1 : 0;
    KeyList& keys = columns[model];
    if (object.has(kKey)) keys.add(std::string(kKey));
    for (const std::string& field : object.find("fields")->keys) keys.add(field);
  }
  TableSources tables;
  for (const std::string& model : models.list()) {
    TableHeader header{.name = of_name[last_part(model)] == 1 ? last_part(model) : model,
                       .columns = columns[model].list()};
    if (std::find(header.columns.begin(), header.columns.end(), kKey) != header.columns.end())
      header.primary_key = {std::string(kKey)};
    tables.push_back(std::make_unique<JsonTable>(file, bytes, std::move(header), model, false));
  }
  return tables;
}

std::unique_ptr<TableSource> open_objects(const std::filesystem::path& file, std::string name,
                                          const std::shared_ptr<InputBytes>& bytes, bool as_rows) {
  ProblemLog log(file.string(), false, 0, silent_reporter());
  Objects objects(without_byte_order_mark(bytes->bytes(), log), log);
  KeyList keys;
  TableHeader header{.name = std::move(name), .columns = {}};
  std::size_t looked_at = 0, named = 0;
  for (JsonNode object; looked_at < kObjectsLookedAt && objects.next(object); ++looked_at) {
    named += has_name(object) ? 1 : 0;
    for (std::size_t i = 0; i < object.keys.size(); ++i) {
      if (!fits_cell(object.items[i]) || object.keys[i].empty()) continue;
      keys.add(object.keys[i]);
      if (holds_things(object.items[i])) header.holds_things.insert(object.keys[i]);
    }
  }
  if (keys.list().empty() || looked_at < 2) return nullptr;
  header.columns = keys.list();
  header.says_names = 2 * named >= looked_at;
  return std::make_unique<JsonTable>(file, bytes, std::move(header), std::string(), !as_rows);
}

}  // namespace kgwalk::graph
