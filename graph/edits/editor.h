// A batch in the making: operations become changes, over the base and all edits before.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/changes/delta.h"
#include "graph/store/store_impl.h"
#include "kgwalk/edits.h"
#include "kgwalk/values.h"

namespace kgwalk::graph {

class Editor {
 public:
  // Opens for writing and reads the log. ConfigError for an author that cannot be used.
  Editor(const std::filesystem::path& database, const EditOptions& options);

  void run(const EditOperation& operation);
  // Takes back what record `number` did, as far as it is still so.
  void take_back(std::uint64_t number);
  // Writes what was changed since as one record; `header` gets number of facts and more added.
  EditReport commit(Json header);

  [[nodiscard]] Delta& delta() noexcept { return *delta_; }
  [[nodiscard]] const StoreAccess::Impl& store() const { return StoreAccess::impl(store_); }
  [[nodiscard]] EditReport& report() noexcept { return report_; }
  // The source and weight of facts that this edit adds; shared by those without weight.
  [[nodiscard]] std::shared_ptr<const FactNote> note(std::optional<float> weight);

  // Steps, for update_graph(). Each counts what it does, and tells what was so already.
  EntityId make_entity(std::string_view name, std::string_view id);
  RelationId make_relation(std::string_view name);
  bool add(const Triple& fact, const std::shared_ptr<const FactNote>& note);  // false: is there already
  bool retract(const Triple& fact);                                           // false: is not there
  [[nodiscard]] Triple forward(const Triple& fact) const;  // in the direction that is no inverse
  [[nodiscard]] std::string told(const Triple& fact) const;
  void tell(std::string note);
  [[nodiscard]] std::optional<EntityId> find(std::string_view name) const;
  void rename(EntityId entity, const std::string& name);
  void alias(EntityId entity, const std::string& name);
  void drop_alias(EntityId entity, const std::string& name);  // ConfigError where it is none
  void describe(EntityId entity, const std::string& text);
  [[nodiscard]] bool has_alias(EntityId entity, std::string_view name) const;
  [[nodiscard]] std::string description(EntityId entity) const;

 private:
  void add_named(const EditOperation& operation);
  void retract_named(const EditOperation& operation);
  void merge(EntityId into, EntityId other);
  void refuse_qualified(EntityId into, EntityId other) const;
  void put_back(const Change& change);
  void take_back_name(const Change& change);
  void change(Change change);
  [[nodiscard]] EntityId entity(const std::string& name, std::string_view what) const;
  [[noreturn]] void refuse_name(const std::string& name, std::string_view what, bool may_be_new) const;

  Store store_;
  KnowledgeGraph base_;
  std::unique_ptr<Delta> delta_;
  EditOptions options_;
  std::uint64_t number_;  // of this edit
  std::vector<Change> changes_;
  std::shared_ptr<const FactNote> plain_note_;
  std::unordered_map<EntityId, std::string> descriptions_;  // of edits; looked up alone
  mutable std::optional<Values> values_;                    // of the base, once they are asked for
  EditReport report_;
};

}  // namespace kgwalk::graph
