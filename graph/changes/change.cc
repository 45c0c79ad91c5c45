#include "graph/changes/change.h"

#include <cstring>
#include <unordered_map>
#include <utility>

#include "kgwalk/error.h"

namespace kgwalk::graph {
namespace {

[[noreturn]] void broken_log() {
  throw StoreError("the log of edits is damaged; make the database anew", Remedy{Remedy::kReingest, ""});
}

bool is_fact(ChangeKind kind) { return kind >= ChangeKind::kAdd && kind <= ChangeKind::kShow; }
bool has_note(ChangeKind kind) { return kind == ChangeKind::kAdd || kind == ChangeKind::kDrop; }
bool joins(ChangeKind kind) { return kind == ChangeKind::kJoin || kind == ChangeKind::kPart; }

class ChangeWriter {
 public:
  template <class T>
  void number(T value) {
    out_.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  void text(std::string_view text) {
    number(static_cast<std::uint32_t>(text.size()));
    out_ += text;
  }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

class ChangeReader {
 public:
  explicit ChangeReader(std::string_view bytes) : left_(bytes) {}
  template <class T>
  [[nodiscard]] T number() {
    T value{};
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  [[nodiscard]] std::string text() { return std::string(take(number<std::uint32_t>())); }
  [[nodiscard]] bool at_end() const { return left_.empty(); }
  [[nodiscard]] std::size_t left() const { return left_.size(); }

 private:
  std::string_view take(std::size_t bytes) {
    if (bytes > left_.size()) broken_log();
    const std::string_view part = left_.substr(0, bytes);
    left_.remove_prefix(bytes);
    return part;
  }
  std::string_view left_;
};

void write_note(ChangeWriter& out, const FactNote& note) {
  out.number(static_cast<std::uint8_t>(note.weight ? 1 : 0));
  if (note.weight) out.number(*note.weight);
  out.number(static_cast<std::uint32_t>(note.sources.size()));
  for (const std::string& source : note.sources) out.text(source);
}

std::shared_ptr<const FactNote> read_note(ChangeReader& in) {
  auto note = std::make_shared<FactNote>();
  if (in.number<std::uint8_t>() != 0) note->weight = in.number<float>();
  const auto count = in.number<std::uint32_t>();
  if (count > in.left()) broken_log();
  for (std::uint32_t i = 0; i < count; ++i) note->sources.push_back(in.text());
  return note;
}

}  // namespace

// Notes first, each once, then the changes.
std::string encode_changes(std::span<const Change> changes) {
  std::unordered_map<const FactNote*, std::uint32_t> numbers;  // looked up alone
  std::vector<const FactNote*> notes;
  for (const Change& change : changes)
    if (has_note(change.kind) &&
        numbers.try_emplace(change.note.get(), static_cast<std::uint32_t>(notes.size())).second)
      notes.push_back(change.note.get());
  ChangeWriter out;
  out.number(static_cast<std::uint32_t>(notes.size()));
  for (const FactNote* note : notes) write_note(out, *note);
  out.number(static_cast<std::uint64_t>(changes.size()));
  for (const Change& change : changes) {
    out.number(static_cast<std::uint8_t>(change.kind));
    if (is_fact(change.kind)) {
      out.number(change.fact.head);
      out.number(change.fact.relation);
      out.number(change.fact.tail);
      if (has_note(change.kind)) out.number(numbers.at(change.note.get()));
    } else if (joins(change.kind)) {
      out.number(change.entity);
      out.number(change.into);
    } else {
      out.number(change.entity);
      out.text(change.before);
      out.text(change.after);
    }
  }
  return out.take();
}

std::vector<Change> decode_changes(std::string_view bytes) {
  ChangeReader in(bytes);
  std::vector<std::shared_ptr<const FactNote>> notes;
  const auto num_notes = in.number<std::uint32_t>();
  if (num_notes > in.left()) broken_log();
  for (std::uint32_t i = 0; i < num_notes; ++i) notes.push_back(read_note(in));
  const auto count = in.number<std::uint64_t>();
  if (count > in.left()) broken_log();
  std::vector<Change> changes(count);
  for (Change& change : changes) {
    const auto kind = in.number<std::uint8_t>();
    if (kind >= kNumChangeKinds) broken_log();
    change.kind = static_cast<ChangeKind>(kind);
    if (joins(change.kind)) {
      change.entity = in.number<std::uint32_t>();
      change.into = in.number<std::uint32_t>();
      continue;
    }
    if (!is_fact(change.kind)) {
      change.entity = in.number<std::uint32_t>();
      change.before = in.text();
      change.after = in.text();
      continue;
    }
    change.fact.head = in.number<std::uint32_t>();
    change.fact.relation = in.number<std::uint32_t>();
    change.fact.tail = in.number<std::uint32_t>();
    if (!has_note(change.kind)) continue;
    const auto note = in.number<std::uint32_t>();
    if (note >= notes.size()) broken_log();
    change.note = notes[note];
  }
  if (!in.at_end()) broken_log();
  return changes;
}

}  // namespace kgwalk::graph
