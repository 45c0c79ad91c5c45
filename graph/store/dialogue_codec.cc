#include "graph/store/dialogue_codec.h"

#include "graph/store/packed_edges.h"
#include "kgwalk/error.h"

namespace kgwalk::graph {
namespace {

// First byte of an event: bit 0 the speaker, bit 1 whether it is a path.
constexpr unsigned kSpeakerBit = 1;
constexpr unsigned kPathBit = 2;

[[noreturn]] void broken_dialogue() {
  throw StoreError("a stored dialogue is damaged", Remedy{Remedy::kReingest, ""});
}

void encode_event(const DialogueEvent& event, std::string& out) {
  if (const Chat* chat = std::get_if<Chat>(&event)) {
    out += static_cast<char>(chat->speaker);
    append_varint(out, chat->text.size());
    out += chat->text;
    return;
  }
  const WalkedPath& path = std::get<WalkedPath>(event);
  out += static_cast<char>(static_cast<unsigned>(path.speaker) | kPathBit);
  append_varint(out, path.hops.size());
  for (const Triple& t : path.hops) {
    append_varint(out, t.head);
    append_varint(out, t.relation);
    append_varint(out, t.tail);
  }
}

DialogueEvent decode_event(std::string_view& bytes) {
  if (bytes.empty()) broken_dialogue();
  const auto tag = static_cast<unsigned char>(bytes.front());
  bytes.remove_prefix(1);
  if (tag > (kSpeakerBit | kPathBit)) broken_dialogue();
  const auto speaker = static_cast<Speaker>(tag & kSpeakerBit);
  const std::uint64_t length = take_varint(bytes);
  if (length > bytes.size()) broken_dialogue();
  if (!(tag & kPathBit)) {
    Chat chat{speaker, std::string(bytes.substr(0, length))};
    bytes.remove_prefix(length);
    return chat;
  }
  WalkedPath path{speaker, {}};
  path.hops.resize(length);
  for (Triple& t : path.hops) {
    t.head = static_cast<EntityId>(take_varint(bytes));
    t.relation = static_cast<RelationId>(take_varint(bytes));
    t.tail = static_cast<EntityId>(take_varint(bytes));
  }
  return path;
}

}  // namespace

std::string encode_dialogue(const Dialogue& dialogue) {
  std::string out;
  append_varint(out, dialogue.line);
  append_varint(out, dialogue.events.size());
  for (const DialogueEvent& event : dialogue.events) encode_event(event, out);
  return out;
}

Dialogue decode_dialogue(std::string_view bytes) {
  Dialogue dialogue;
  dialogue.line = take_varint(bytes);
  const std::uint64_t events = take_varint(bytes);
  if (events > bytes.size()) broken_dialogue();
  for (std::uint64_t i = 0; i < events; ++i) dialogue.events.push_back(decode_event(bytes));
  if (!bytes.empty()) broken_dialogue();
  return dialogue;
}

}  // namespace kgwalk::graph
