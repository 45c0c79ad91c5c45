#include "graph/edits/editor.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <set>
#include <utility>

#include "graph/names.h"
#include "kgwalk/error.h"
#include "kgwalk/graph_details.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

constexpr std::size_t kMaxAuthorBytes = 200;
constexpr std::size_t kMaxNameBytes = 2000;
constexpr std::size_t kMaxTextBytes = 1 << 20;
constexpr std::size_t kMaxNotes = 20;

std::string now_text() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

EditOptions checked(EditOptions options) {
  if (invalid_utf8_at(options.author) || fold_name(options.author).empty() ||
      options.author.size() > kMaxAuthorBytes || options.author.find_first_of("\n\r\t") != std::string::npos)
    throw ConfigError("an edit needs an author: a name of at most 200 bytes, in UTF-8 and on one line",
                      Remedy{Remedy::kGive, "author"});
  if (options.time.empty()) options.time = now_text();
  return options;
}

// A name that an edit may give.
void check_given_name(std::string_view name, std::string_view what) {
  const std::string told(what);
  if (const auto at = invalid_utf8_at(name))
    throw ConfigError("the " + told + " is not valid UTF-8 at byte " + std::to_string(*at));
  if (name_key(name).empty() || name_key(name) == "~") throw ConfigError("the " + told + " is empty");
  if (name.size() > kMaxNameBytes)
    throw ConfigError("the " + told + " has " + std::to_string(name.size()) + " bytes; at most " +
                      std::to_string(kMaxNameBytes) + " are taken");
  if (name.find_first_of(std::string_view("\0\n\r", 3)) != std::string_view::npos)
    throw ConfigError("the " + told + " has a line break or NUL");
}

std::string spaces_cut(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  return first == std::string_view::npos
             ? std::string()
             : std::string(text.substr(first, text.find_last_not_of(' ') + 1 - first));
}

std::string near_text(const std::vector<std::string>& near) {
  std::string text;
  for (const std::string& other : near) text += (text.empty() ? "; did you mean '" : ", '") + other + "'";
  return text.empty() ? text : text + "?";
}

}  // namespace

Editor::Editor(const std::filesystem::path& database, const EditOptions& options)
    : store_(Store::open(database, Store::Mode::kReadWrite)),
      base_(StoreAccess::impl(store_).load_base()),
      delta_(std::make_unique<Delta>(base_)),
      options_(checked(options)),
      number_(StoreAccess::impl(store_).last_edit() + 1) {
  for (std::uint64_t number = store().compaction().edit + 1; number < number_; ++number)
    for (const Change& change : decode_changes(store().edit(number).changes)) {
      delta_->apply(change);
      if (change.kind == ChangeKind::kDescribe) descriptions_[change.entity] = change.after;
    }
}

void Editor::change(Change change) {
  delta_->apply(change);
  if (change.kind == ChangeKind::kDescribe) descriptions_[change.entity] = change.after;
  changes_.push_back(std::move(change));
}

void Editor::tell(std::string note) {
  ++report_.unchanged;
  if (report_.notes.size() < kMaxNotes) report_.notes.push_back(std::move(note));
}

std::shared_ptr<const FactNote> Editor::note(std::optional<float> weight) {
  if (weight && !(std::isfinite(*weight) && *weight >= 0))
    throw ConfigError("a weight must be a number of 0 or more");
  const std::string source =
      "edit " + std::to_string(number_) + " by " + options_.author + ", " + options_.time;
  if (weight) return std::make_shared<const FactNote>(FactNote{weight, {source}});
  if (!plain_note_) plain_note_ = std::make_shared<const FactNote>(FactNote{{}, {source}});
  return plain_note_;
}

bool Editor::has_alias(EntityId entity, std::string_view name) const {
  const std::string key = name_key(name);
  const std::vector<std::string> all = delta_->aliases_of(entity);
  return std::any_of(all.begin(), all.end(),
                     [&](const std::string& alias) { return name_key(alias) == key; });
}

// By name or id; then by another name, where one entity alone bears it.
std::optional<EntityId> Editor::find(std::string_view name) const {
  if (const auto found = delta_->find_entity(name)) return found;
  if (invalid_utf8_at(name)) return std::nullopt;
  const std::set<EntityId> bearing = delta_->called(name);
  if (bearing.empty()) return std::nullopt;
  if (bearing.size() == 1) return *bearing.begin();
  std::string names;
  for (const EntityId e : bearing)
    if (names.size() < 200) names += (names.empty() ? "" : ", ") + std::string(delta_->entity_name(e));
  throw ConfigError("several entities are called '" + std::string(name) + "' beside their names: " + names +
                    "; give the name of one");
}

void Editor::refuse_name(const std::string& name, std::string_view what, bool may_be_new) const {
  if (const auto at = invalid_utf8_at(name))
    throw ConfigError("the " + std::string(what) + " is not valid UTF-8 at byte " + std::to_string(*at));
  const bool is_relation = what == "relation";
  std::vector<std::string> near = is_relation ? base_.suggest_relations(name) : base_.suggest_entities(name);
  const auto later = nearest_of(
      name, is_relation ? delta_->new_relations().size() : delta_->new_names().size(),
      [&](std::size_t i) -> std::string_view {
        return is_relation ? delta_->new_relations()[i] : delta_->new_names()[i];
      },
      3);
  near.insert(near.begin(), later.begin(), later.end());
  std::erase_if(near, [&](const std::string& other) { return !is_relation && !delta_->find_entity(other); });
  if (near.size() > 3) near.resize(3);
  const std::string text = std::string(what) + " '" + name + "' is not in the graph" + near_text(near);
  if (!may_be_new) throw ConfigError(text);
  throw ConfigError(text + (near.empty() ? "; if" : " If") + " it is a new one, say so",
                    Remedy{Remedy::kGive, "new"});
}

EntityId Editor::entity(const std::string& name, std::string_view what) const {
  if (const auto found = find(name)) return *found;
  refuse_name(name, what, false);
}

Triple Editor::forward(const Triple& fact) const {
  if (!delta_->relation_name(fact.relation).starts_with('~')) return fact;
  return {fact.tail, delta_->inverse(fact.relation), fact.head};
}

std::string Editor::told(const Triple& fact) const {
  return std::string(delta_->entity_name(fact.head)) + " -[" +
         std::string(delta_->relation_name(fact.relation)) + "]-> " +
         std::string(delta_->entity_name(fact.tail));
}

EntityId Editor::make_entity(std::string_view name, std::string_view id) {
  check_given_name(name, "name");
  const EntityId entity = delta_->num_entities();
  if (entity == kNoName) throw ConfigError("the graph has as many entities as there are ids");
  change({.kind = ChangeKind::kName, .entity = entity, .after = spaces_cut(name)});
  if (!id.empty()) change({.kind = ChangeKind::kId, .entity = entity, .after = std::string(id)});
  ++report_.new_entities;
  return entity;
}

RelationId Editor::make_relation(std::string_view name) {
  check_given_name(name, "relation");
  std::string spelled = relation_spelling(spaces_cut(name));
  const bool inverse = spelled.starts_with('~');
  if (inverse) spelled.erase(0, 1);
  const RelationId relation = delta_->num_relations();
  change({.kind = ChangeKind::kRelation, .after = spelled});
  ++report_.new_relations;
  return inverse ? relation + 1 : relation;
}

bool Editor::add(const Triple& given, const std::shared_ptr<const FactNote>& note) {
  const Triple fact = forward(given);
  if (delta_->has_fact(fact)) return false;
  change({.kind = ChangeKind::kAdd, .fact = fact, .note = note});
  ++report_.facts_added;
  return true;
}

bool Editor::retract(const Triple& given) {
  const Triple fact = forward(given);
  if (!delta_->has_fact(fact)) return false;
  const auto added = delta_->added().find(fact);
  if (added != delta_->added().end())
    change({.kind = ChangeKind::kDrop, .fact = fact, .note = std::shared_ptr(added->second)});
  else
    change({.kind = ChangeKind::kHide, .fact = fact});
  ++report_.facts_retracted;
  return true;
}

void Editor::add_named(const EditOperation& operation) {
  const std::shared_ptr<const FactNote> with = note(operation.weight);
  const auto end = [&](const std::string& name, std::string_view what) {
    if (const auto found = find(name)) return *found;
    check_given_name(name, what);
    if (!operation.make_new) refuse_name(name, what, true);
    return make_entity(name, {});
  };
  // All names are looked at before any is made.
  check_given_name(operation.names[1], "relation");
  if (!operation.make_new && !delta_->find_relation(operation.names[1]))
    refuse_name(operation.names[1], "relation", true);
  const EntityId head = end(operation.names[0], "head");
  const auto known = delta_->find_relation(operation.names[1]);
  const RelationId relation = known ? *known : make_relation(operation.names[1]);
  const Triple fact{head, relation, end(operation.names[2], "tail")};
  if (!add(fact, with)) tell("is there already: " + told(fact));
}

void Editor::retract_named(const EditOperation& operation) {
  const EntityId head = entity(operation.names[0], "head");
  const auto relation = delta_->find_relation(operation.names[1]);
  if (!relation) refuse_name(operation.names[1], "relation", false);
  const Triple fact{head, *relation, entity(operation.names[2], "tail")};
  if (retract(fact)) return;
  std::string there;
  for (const Edge& edge : delta_->edges_of(head))
    if (edge.relation == *relation || edge.tail == fact.tail)
      if (there.size() < 200) there += "; there is " + told({head, edge.relation, edge.tail});
  throw ConfigError("the graph does not have " + told(fact) + there);
}

// The name before is kept as another one.
void Editor::rename(EntityId entity, const std::string& given) {
  check_given_name(given, "name");
  const std::string name = spaces_cut(given), before(delta_->entity_name(entity));
  if (name == before) return tell("is called so already: " + name);
  const auto other = delta_->find_entity(name);
  if (other && *other != entity && name_key(delta_->entity_name(*other)) == name_key(name))
    throw ConfigError("'" + name + "' is the name of another entity; merge the two where they are one");
  if (has_alias(entity, name)) drop_alias(entity, name);
  change({.kind = ChangeKind::kName, .entity = entity, .before = before, .after = name});
  ++report_.other_changes;
  if (name_key(before) != name_key(name)) alias(entity, before);
}

void Editor::alias(EntityId entity, const std::string& given) {
  check_given_name(given, "other name");
  const std::string name = spaces_cut(given);
  if (has_alias(entity, name) || name_key(name) == name_key(delta_->entity_name(entity)))
    return tell("is a name of it already: " + name);
  change({.kind = ChangeKind::kAlias, .entity = entity, .after = name});
  ++report_.other_changes;
}

void Editor::drop_alias(EntityId entity, const std::string& name) {
  for (const std::string& alias : delta_->aliases_of(entity))
    if (!invalid_utf8_at(name) && name_key(alias) == name_key(name)) {
      change({.kind = ChangeKind::kNoAlias, .entity = entity, .before = alias});
      ++report_.other_changes;
      return;
    }
  throw ConfigError("'" + std::string(delta_->entity_name(entity)) + "' has no other name '" + name + "'" +
                    near_text(delta_->aliases_of(entity)));
}

std::string Editor::description(EntityId entity) const {
  if (const auto found = descriptions_.find(entity); found != descriptions_.end()) return found->second;
  if (!values_) values_ = Values::load(store_).value_or(Values());
  return std::string(values_->description(entity));
}

void Editor::describe(EntityId entity, const std::string& text) {
  if (const auto at = invalid_utf8_at(text))
    throw ConfigError("the description is not valid UTF-8 at byte " + std::to_string(*at));
  if (text.size() > kMaxTextBytes || text.find('\0') != std::string::npos)
    throw ConfigError("the description is longer than a megabyte or has a NUL");
  const std::string before = description(entity);
  if (text == before) return tell("is described so already: " + std::string(delta_->entity_name(entity)));
  change({.kind = ChangeKind::kDescribe, .entity = entity, .before = before, .after = text});
  ++report_.other_changes;
}

// A fact that moves is another fact of the log, which has no place for what is known beside it.
void Editor::refuse_qualified(EntityId into, EntityId other) const {
  const std::string kept(delta_->entity_name(into)), gone(delta_->entity_name(other));
  for (const Edge& edge : delta_->edges_of(other))
    if (delta_->is_qualified(forward({other, edge.relation, edge.tail})))
      throw ConfigError("'" + gone +
                        "' has facts with qualifiers, which an edit cannot move; merge the two in the " +
                        "database, which keeps them: kgwalk entities --merge '" + kept + "=" + gone + "'");
}

// Facts between the two go; what the other was called, its id included, stays as another name, and the texts
// that the base has of it are the entity's.
void Editor::merge(EntityId into, EntityId other) {
  if (into == other)
    throw ConfigError("'" + std::string(delta_->entity_name(into)) + "' cannot be merged with itself");
  refuse_qualified(into, other);
  for (const Edge& edge : delta_->edges_of(other)) {
    const Triple old = forward({other, edge.relation, edge.tail});
    if (!delta_->has_fact(old)) continue;  // a loop, met from its other side
    auto kept = std::make_shared<const FactNote>(delta_->note_of(old));
    (void)retract(old);
    const Triple joined{old.head == other ? into : old.head, old.relation,
                        old.tail == other ? into : old.tail};
    const bool is_between = joined.head == joined.tail && old.head != old.tail;
    if (!is_between) (void)add(joined, kept);
  }
  std::vector<std::string> names = delta_->aliases_of(other);
  for (const std::string& name : names) drop_alias(other, name);
  names.insert(names.begin(), std::string(delta_->entity_name(other)));
  if (const std::string_view id = delta_->entity_id(other); !id.empty()) names.emplace_back(id);
  change({.kind = ChangeKind::kName, .entity = other, .before = names.front(), .after = {}});
  ++report_.other_changes;
  for (const std::string& name : names)
    if (!has_alias(into, name) && name_key(name) != name_key(delta_->entity_name(into)) &&
        !name_key(name).empty())
      alias(into, name);
  if (const std::string text = description(other); !text.empty() && description(into).empty())
    describe(into, text);
  if (other < base_.num_entities()) change({.kind = ChangeKind::kJoin, .entity = other, .into = into});
}

void Editor::run(const EditOperation& operation) {
  using Kind = EditOperation::Kind;
  const std::vector<std::string>& names = operation.names;
  if (operation.kind == Kind::kAdd) return add_named(operation);
  if (operation.kind == Kind::kRetract) return retract_named(operation);
  const EntityId first = entity(names[0], "entity");
  switch (operation.kind) {
    case Kind::kRename:
      return rename(first, names[1]);
    case Kind::kAlias:
      return alias(first, names[1]);
    case Kind::kDropAlias:
      return drop_alias(first, names[1]);
    case Kind::kDescribe:
      return describe(first, names[1]);
    default:
      merge(first, entity(names[1], "entity"));
  }
}

EditReport Editor::commit(Json header) {
  if (changes_.empty()) return std::move(report_);
  report_.number = number_;
  header["author"] = options_.author;
  header["time"] = options_.time;
  header["counts"] = report_.to_json();
  StoreAccess::impl(store_).put_edit({std::move(header), encode_changes(changes_)});
  return std::move(report_);
}

}  // namespace kgwalk::graph
