#include "kgwalk/values.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "graph/changes/change.h"
#include "graph/store/store_impl.h"
#include "graph/store/written_forms.h"
#include "kgwalk/error.h"

namespace kgwalk::graph {
namespace {

constexpr std::array<char, 8> kValuesMagic = {'K', 'G', 'W', 'V', 'A', 'L', 'S', '3'};
constexpr std::array<char, 8> kSecondMagic = {'K', 'G', 'W', 'V', 'A', 'L', 'S', '2'};
constexpr std::array<char, 8> kFirstMagic = {'K', 'G', 'W', 'V', 'A', 'L', 'S', '1'};

// The beginning of a record, for those that only look whose it is.
struct RecordOwner {
  std::uint32_t owner;
  std::uint32_t words[5];
  std::uint16_t role, of_relation;
  std::uint32_t subject;
  std::uint64_t text_begin, text_bytes;
};
static_assert(sizeof(RecordOwner) == 48);

struct ValuesHeader {
  std::array<char, 8> magic;
  std::uint64_t records, words, word_bytes, text_bytes;
};

// A record of the first version.
struct FirstRecord {
  std::uint32_t entity, name, language, datatype;
  std::uint64_t text_begin, text_bytes;
};
static_assert(sizeof(FirstRecord) == 32);

// A record of the second version.
struct SecondRecord {
  std::uint32_t owner, name, language, datatype, predicate, source, role, of_relation;
  std::uint64_t text_begin, text_bytes;
};
static_assert(sizeof(SecondRecord) == 48);

[[noreturn]] void broken_values(std::string_view why) {
  throw StoreError("the stored values are damaged (" + std::string(why) + ")", Remedy{Remedy::kReingest, ""});
}

// What edits do to the texts of the base.
struct TextEdits {
  std::map<EntityId, std::string> descriptions;  // empty: none any more
  std::map<EntityId, EntityId> joined;           // each into another
  [[nodiscard]] bool empty() const { return descriptions.empty() && joined.empty(); }
  void apply(Change&& change) {
    if (change.kind == ChangeKind::kDescribe) descriptions[change.entity] = std::move(change.after);
    if (change.kind == ChangeKind::kJoin) joined[change.entity] = change.into;
    if (change.kind == ChangeKind::kPart) joined.erase(change.entity);
  }
  [[nodiscard]] EntityId root(EntityId entity) const {
    for (auto found = joined.find(entity); found != joined.end(); found = joined.find(entity))
      entity = found->second;
    return entity;
  }
};

constexpr ValueRole kRoles[] = {ValueRole::kLabel, ValueRole::kAlias,    ValueRole::kDescription,
                                ValueRole::kValue, ValueRole::kResource, kWrittenRole};

// The texts of `from` as those of the entity that it was joined to: its labels are other names there. An edit
// may have given the entity the description already.
void add_joined(Values& all, EntityId entity, const Values& old, EntityId from, std::string_view described) {
  for (const ValueRole role : kRoles)
    for (Value value : old.of(from, role)) {
      if (role == ValueRole::kDescription && value.text == described) continue;
      if (role == ValueRole::kLabel) value.role = ValueRole::kAlias;
      all.add(entity, value);
    }
}

// Entities that have texts are told by the records.
Values edited(const Values& old, const TextEdits& edits) {
  const std::map<EntityId, std::string>& given = edits.descriptions;
  const std::string bytes = old.to_bytes();
  ValuesHeader header{};
  std::memcpy(&header, bytes.data(), sizeof(header));
  std::set<EntityId> entities;
  std::set<RelationId> relations;
  for (std::uint64_t i = 0; i < header.records; ++i) {
    RecordOwner record{};
    std::memcpy(&record, bytes.data() + sizeof(header) + i * sizeof(record), sizeof(record));
    (record.of_relation != 0 ? relations : entities).insert(record.owner);
  }
  for (const auto& [entity, text] : given) entities.insert(entity);
  std::map<EntityId, std::vector<EntityId>> joined;
  for (const auto& [entity, into] : edits.joined) {
    joined[edits.root(entity)].push_back(entity);
    entities.insert(edits.root(entity));
  }
  Values all;
  for (const EntityId entity : entities) {
    if (edits.joined.contains(entity)) continue;
    const auto described = given.find(entity);
    if (described != given.end() && !described->second.empty())
      all.add(entity, {.name = "description",
                       .text = described->second,
                       .language = {},
                       .datatype = {},
                       .role = ValueRole::kDescription});
    for (const ValueRole role : kRoles)
      if (role != ValueRole::kDescription || described == given.end())
        for (const Value& value : old.of(entity, role)) all.add(entity, value);
    if (const auto others = joined.find(entity); others != joined.end())
      for (const EntityId other : others->second)
        add_joined(all, entity, old, other, described == given.end() ? "" : described->second);
  }
  for (const RelationId relation : relations)
    for (const Value& value : old.of_relation(relation)) all.add_relation(relation, value);
  return all;
}

TextEdits text_edits(const StoreAccess::Impl& impl) {
  Compaction made = impl.compaction();
  TextEdits edits{.descriptions = {}, .joined = std::move(made.joined)};
  for (std::uint64_t number = made.edit + 1, last = impl.last_edit(); number <= last; ++number)
    for (Change& change : decode_changes(impl.edit(number).changes)) edits.apply(std::move(change));
  return edits;
}

}  // namespace

CompactedTexts compacted_texts(const Store& store) {
  const auto& impl = StoreAccess::impl(store);
  TextEdits edits = text_edits(impl);
  std::optional<std::string> bytes = store.get_blob(impl.graph_blob(kValuesBlob));
  CompactedTexts texts{.values = {}, .joined = std::exchange(edits.joined, {})};
  if (!edits.empty())
    texts.values = edited(bytes ? Values::from_bytes(std::move(*bytes)) : Values(), edits).to_bytes();
  else if (bytes)
    texts.values = std::move(*bytes);
  return texts;
}

std::optional<Values> Values::load(const Store& store) {
  const auto& impl = StoreAccess::impl(store);
  const TextEdits edits = text_edits(impl);
  std::optional<std::string> bytes = store.get_blob(impl.graph_blob(kValuesBlob));
  if (!bytes && edits.empty()) return std::nullopt;
  Values values = bytes ? from_bytes(std::move(*bytes)) : Values();
  return edits.empty() ? std::move(values) : edited(values, edits);
}

std::vector<Value> Values::texts_of(std::uint32_t owner, bool of_relation,
                                    std::optional<ValueRole> role) const {
  const auto less = [&](const Record& record, std::uint32_t id) {
    return std::pair(record.of_relation != 0, record.owner) < std::pair(of_relation, id);
  };
  auto record = std::lower_bound(records_.begin(), records_.end(), owner, less);
  std::vector<Value> values;
  for (; record != records_.end() && record->owner == owner && (record->of_relation != 0) == of_relation;
       ++record)
    if (!role || record->role == static_cast<std::uint32_t>(*role))
      values.push_back(
          {words_[record->name], std::string_view(texts_).substr(record->text_begin, record->text_bytes),
           words_[record->language], words_[record->datatype], words_[record->predicate],
           words_[record->source], static_cast<ValueRole>(record->role), words_[record->subject]});
  return values;
}

std::vector<Value> Values::of(EntityId entity, ValueRole role) const { return texts_of(entity, false, role); }

std::vector<Value> Values::of_relation(RelationId relation) const {
  return texts_of(relation, true, std::nullopt);
}

std::string_view Values::description(EntityId entity) const {
  const std::vector<Value> all = of(entity, ValueRole::kDescription);
  return all.empty() ? std::string_view() : all.front().text;
}

std::uint32_t Values::word(std::string_view text) {
  const auto [found, is_new] = word_ids_.emplace(text, static_cast<std::uint32_t>(words_.size()));
  if (is_new) words_.emplace_back(text);
  return found->second;
}

void Values::add(std::uint32_t owner, const Value& value, bool of_relation) {
  records_.push_back({owner, word(value.name), word(value.language), word(value.datatype),
                      word(value.predicate), word(value.source), static_cast<std::uint16_t>(value.role),
                      static_cast<std::uint16_t>(of_relation), word(value.subject), texts_.size(),
                      value.text.size()});
  texts_ += value.text;
}

void Values::read_first_version(const char* records, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    FirstRecord old{};
    std::memcpy(&old, records + i * sizeof(old), sizeof(old));
    records_[i] = {old.entity, old.name, old.language,   old.datatype,  0, 0, 0,
                   0,          0,        old.text_begin, old.text_bytes};
  }
}

void Values::read_second_version(const char* records, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    SecondRecord old{};
    std::memcpy(&old, records + i * sizeof(old), sizeof(old));
    if (old.role > static_cast<std::uint32_t>(ValueRole::kAlias) || old.of_relation > 1)
      broken_values("a role is none");
    records_[i] = {old.owner,
                   old.name,
                   old.language,
                   old.datatype,
                   old.predicate,
                   old.source,
                   static_cast<std::uint16_t>(old.role),
                   static_cast<std::uint16_t>(old.of_relation),
                   0,
                   old.text_begin,
                   old.text_bytes};
  }
}

std::string Values::to_bytes() const {
  std::string words;
  for (const std::string& text : words_) words.append(text).append(1, '\0');
  const ValuesHeader header{kValuesMagic, records_.size(), words_.size(), words.size(), texts_.size()};
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof(header));
  bytes.append(reinterpret_cast<const char*>(records_.data()), records_.size() * sizeof(Record));
  return bytes.append(words).append(texts_);
}

Values Values::from_bytes(std::string bytes) {
  ValuesHeader header{};
  if (bytes.size() < sizeof(header)) broken_values("they are too short");
  std::memcpy(&header, bytes.data(), sizeof(header));
  const bool first = header.magic == kFirstMagic;
  const bool second = header.magic == kSecondMagic;
  if (!first && !second && header.magic != kValuesMagic) broken_values("their magic number is another");
  const std::size_t record_bytes = first ? sizeof(FirstRecord) : sizeof(Record);
  const std::size_t left = bytes.size() - sizeof(header);
  if (header.records > left / record_bytes || header.word_bytes > left || header.text_bytes > left ||
      header.records * record_bytes + header.word_bytes + header.text_bytes != left)
    broken_values("lengths do not fit");
  Values values;
  values.records_.resize(header.records);
  if (first)
    values.read_first_version(bytes.data() + sizeof(header), header.records);
  else if (second)
    values.read_second_version(bytes.data() + sizeof(header), header.records);
  else if (header.records > 0)
    std::memcpy(values.records_.data(), bytes.data() + sizeof(header), header.records * sizeof(Record));
  values.words_.clear();
  std::string_view words(bytes.data() + sizeof(header) + header.records * record_bytes, header.word_bytes);
  for (std::size_t end = 0; (end = words.find('\0')) != std::string_view::npos; words.remove_prefix(end + 1))
    values.words_.emplace_back(words.substr(0, end));
  if (values.words_.size() != header.words) broken_values("a word is missing");
  values.texts_ = bytes.substr(bytes.size() - header.text_bytes);
  for (const Record& record : values.records_)
    if (std::max({record.name, record.language, record.datatype, record.predicate, record.source,
                  record.subject}) >= header.words ||
        record.role > static_cast<std::uint32_t>(kWrittenRole) || record.of_relation > 1 ||
        record.text_begin > header.text_bytes || record.text_bytes > header.text_bytes - record.text_begin)
      broken_values("a record points outside");
  return values;
}

}  // namespace kgwalk::graph
