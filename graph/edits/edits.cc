#include "kgwalk/edits.h"

#include <utility>

#include "graph/edits/editor.h"
#include "graph/knowledge_graph_impl.h"
#include "kgwalk/error.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

// Names a kind takes, as the row of edit_json.cc has it.
void check_shape(const EditOperation& operation) { (void)EditOperation::from_json(operation.to_json()); }

std::string shortened(std::string text) {
  constexpr std::size_t kLongest = 200;
  if (text.size() <= kLongest) return text;
  text.resize(kLongest);
  while (invalid_utf8_at(text)) text.pop_back();
  return text + "...";
}

std::string line_of(const EditOperation& operation) {
  using Kind = EditOperation::Kind;
  const std::vector<std::string>& n = operation.names;
  if (operation.kind == Kind::kAdd || operation.kind == Kind::kRetract)
    return shortened((operation.kind == Kind::kAdd ? "add " : "retract ") + n[0] + " -[" + n[1] + "]-> " +
                     n[2]);
  const char* word = operation.kind == Kind::kRename      ? "rename "
                     : operation.kind == Kind::kAlias     ? "alias "
                     : operation.kind == Kind::kDropAlias ? "unalias "
                     : operation.kind == Kind::kDescribe  ? "describe "
                                                          : "merge ";
  return shortened(word + n[0] + (operation.kind == Kind::kMerge ? " and " : ": ") + n[1]);
}

EditRecord record_of(const StoredEdit& stored, std::uint64_t number) {
  const Json& header = stored.header;
  EditRecord record;
  record.number = number;
  record.author = header.value("author", "");
  record.time = header.value("time", "");
  record.what = header.value("what", "");
  record.undoes = header.value("undoes", std::uint64_t{0});
  const Json counts = header.value("counts", Json::object());
  const auto count = [&](const char* name) { return counts.value(name, std::uint64_t{0}); };
  record.counts.number = number;
  record.counts.facts_added = count("facts_added");
  record.counts.facts_retracted = count("facts_retracted");
  record.counts.new_entities = count("new_entities");
  record.counts.new_relations = count("new_relations");
  record.counts.other_changes = count("other_changes");
  record.counts.unchanged = count("unchanged");
  return record;
}

// From the last to the first: an undo that is itself undone takes nothing back.
std::vector<EditRecord> log_of(const StoreAccess::Impl& store) {
  std::vector<EditRecord> log;
  for (std::uint64_t number = 1, last = store.last_edit(); number <= last; ++number)
    log.push_back(record_of(store.edit(number), number));
  for (auto at = log.rbegin(); at != log.rend(); ++at)
    if (at->undoes != 0 && at->undone_by == 0 && at->undoes < at->number) {
      EditRecord& undone = log[at->undoes - 1];
      if (undone.undone_by == 0) undone.undone_by = at->number;
    }
  return log;
}

}  // namespace

EditReport edit(const std::filesystem::path& database, std::span<const EditOperation> operations,
                const EditOptions& options) {
  if (operations.empty()) throw ConfigError("an edit needs at least one operation");
  for (const EditOperation& operation : operations) check_shape(operation);
  Editor editor(database, options);
  for (std::size_t i = 0; i < operations.size(); ++i) try {
      editor.run(operations[i]);
    } catch (const ConfigError& error) {
      if (operations.size() == 1) throw;
      throw ConfigError("operation " + std::to_string(i + 1) + ": " + error.what(),
                        {error.remedies().begin(), error.remedies().end()});
    }
  std::string what = line_of(operations.front());
  if (operations.size() > 1)
    what += ", and " + with_commas(static_cast<long long>(operations.size() - 1)) + " more";
  return editor.commit({{"what", what}});
}

EditReport undo_edit(const std::filesystem::path& database, std::uint64_t number,
                     const EditOptions& options) {
  Editor editor(database, options);
  const std::vector<EditRecord> log = log_of(editor.store());
  if (number == 0 || number > log.size())
    throw ConfigError("there is no edit " + std::to_string(number) + "; " +
                      (log.empty() ? "there is none at all" : "the last is " + std::to_string(log.size())));
  const EditRecord& record = log[number - 1];
  if (record.undone_by != 0)
    throw ConfigError("edit " + std::to_string(number) + " is taken back already, by edit " +
                      std::to_string(record.undone_by) + "; take that one back to have it again");
  editor.take_back(number);
  const EditReport report =
      editor.commit({{"what", "undo " + std::to_string(number) + ": " + record.what}, {"undoes", number}});
  if (report.number == 0)
    throw ConfigError("nothing of edit " + std::to_string(number) + " is left to be taken back" +
                      (report.notes.empty() ? "" : ": " + report.notes.front()));
  return report;
}

std::uint64_t last_edit(const KnowledgeGraph& graph) noexcept { return GraphAccess::last_edit(graph); }
BaseSize base_size(const KnowledgeGraph& graph) noexcept { return GraphAccess::ingested_size(graph); }
std::span<const EntityId> renamed_entities(const KnowledgeGraph& graph) noexcept {
  return GraphAccess::renamed(graph);
}
std::uint64_t last_edit(const Store& store) { return StoreAccess::impl(store).last_edit(); }
std::uint64_t last_edit_noticed(const std::filesystem::path& database) { return noticed_edit(database); }

std::vector<EditRecord> edit_log(const std::filesystem::path& database) {
  const Store store = Store::open(database, Store::Mode::kReadOnly);
  return log_of(StoreAccess::impl(store));
}

}  // namespace kgwalk::graph
