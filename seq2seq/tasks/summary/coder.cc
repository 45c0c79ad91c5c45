#include "seq2seq/tasks/summary/coder.h"

#include <algorithm>

#include "kgwalk/error.h"

namespace kgwalk::seq2seq {
namespace {

std::string turn_piece(int speaker) { return "<turn" + std::to_string(speaker) + ">"; }
std::string name_piece(int speaker) { return "<name" + std::to_string(speaker) + ">"; }

int id_of_control(const SentencePiece& vocabulary, const std::string& piece) {
  const auto id = vocabulary.find(piece);
  if (!id || !vocabulary.is_control(*id))
    throw ConfigError("the vocabulary has no control piece " + piece + "; it was not made for this task");
  return *id;
}

// What of `text` may stand behind a name, or before one, without a space.
bool joins_name(const std::string& text) {
  return !text.empty() && std::string_view(".,;:!?')]/").find(text.front()) != std::string_view::npos;
}
bool awaits_name(const std::string& text) {
  return text.empty() || std::string_view("([@/").find(text.back()) != std::string_view::npos;
}

}  // namespace

std::vector<std::string> DialogueCoder::control_pieces(int speakers) {
  std::vector<std::string> pieces;
  for (int s = 0; s <= speakers; ++s) pieces.push_back(turn_piece(s));
  for (int s = 1; s <= speakers; ++s) pieces.push_back(name_piece(s));
  return pieces;
}

DialogueCoder::DialogueCoder(const SentencePiece& vocabulary, const PieceOptions& options, int speakers)
    : vocabulary_(vocabulary), options_(options), end_(id_of_control(vocabulary, kEndPiece)) {
  for (int s = 0; s <= speakers; ++s) {
    turns_.push_back(id_of_control(vocabulary, turn_piece(s)));
    names_.push_back(s == 0 ? -1 : id_of_control(vocabulary, name_piece(s)));
  }
}

std::vector<std::string> DialogueCoder::numbered(const Dialogue& dialogue) const {
  const std::size_t count = std::min(dialogue.speakers.size(), names_.size() - 1);
  return {dialogue.speakers.begin(), dialogue.speakers.begin() + static_cast<std::ptrdiff_t>(count)};
}

DialoguePieces DialogueCoder::encode(const Dialogue& dialogue, std::size_t limit) const {
  const std::vector<std::string> names = numbered(dialogue);
  const int unknown = vocabulary_.special().unk;
  DialoguePieces result;
  const auto add = [&](int id, int copy, int speaker) {
    result.ids.push_back(id);
    result.copies.push_back(copy);
    result.speakers.push_back(speaker);
  };
  for (const Turn& turn : dialogue.turns) {
    const bool known = turn.speaker > 0 && turn.speaker <= static_cast<int>(names.size());
    const int speaker = known ? turn.speaker : 0;
    add(turns_[static_cast<std::size_t>(speaker)], names_[static_cast<std::size_t>(speaker)], speaker);
    std::string text = turn.text;
    if (!known && turn.speaker > 0)
      text = dialogue.speakers[static_cast<std::size_t>(turn.speaker) - 1] + ": " + text;
    for (const TextPart& part : parts_of(text, names)) {
      if (part.speaker > 0) {
        const int id = names_[static_cast<std::size_t>(part.speaker)];
        add(id, id, speaker);
        continue;
      }
      const Encoding encoding = vocabulary_.encode(prepared_text(part.text, options_));
      for (std::size_t i = 0; i < encoding.ids.size(); ++i) {
        int copy = encoding.ids[i];
        if (copy == unknown) {
          const auto it = std::find(result.unknown.begin(), result.unknown.end(), encoding.pieces[i]);
          copy = vocabulary_.size() + static_cast<int>(it - result.unknown.begin());
          if (it == result.unknown.end()) result.unknown.push_back(encoding.pieces[i]);
        }
        add(encoding.ids[i], copy, speaker);
      }
    }
  }
  if (limit > 0 && result.ids.size() + 1 > limit) {
    result.cut = true;
    for (std::vector<int>* row : {&result.ids, &result.copies, &result.speakers}) row->resize(limit - 1);
  }
  add(end_, -1, 0);
  return result;
}

std::vector<int> DialogueCoder::encode_summary(const std::string& text, const Dialogue& dialogue,
                                               const DialoguePieces& source) const {
  const int unknown = vocabulary_.special().unk;
  std::vector<int> ids;
  for (const TextPart& part : parts_of(text, numbered(dialogue))) {
    if (part.speaker > 0) {
      ids.push_back(names_[static_cast<std::size_t>(part.speaker)]);
      continue;
    }
    const Encoding encoding = vocabulary_.encode(prepared_text(part.text, options_));
    for (std::size_t i = 0; i < encoding.ids.size(); ++i) {
      const auto it = encoding.ids[i] == unknown
                          ? std::find(source.unknown.begin(), source.unknown.end(), encoding.pieces[i])
                          : source.unknown.end();
      // A surface behind the cut stands nowhere in the source.
      const int copy = vocabulary_.size() + static_cast<int>(it - source.unknown.begin());
      const bool there = it != source.unknown.end() &&
                         std::find(source.copies.begin(), source.copies.end(), copy) != source.copies.end();
      ids.push_back(there ? copy : encoding.ids[i]);
    }
  }
  ids.push_back(end_);
  return ids;
}

std::string DialogueCoder::decode(const std::vector<int>& ids, const Dialogue& dialogue,
                                  const DialoguePieces& source) const {
  std::string text;
  std::vector<std::string> run;
  bool after_name = false;
  const auto flush = [&] {
    const std::string words = vocabulary_.decode_pieces(run);
    run.clear();
    if (words.empty()) return;
    if (!text.empty() && !(after_name && joins_name(words))) text += ' ';
    text += words;
    after_name = false;
  };
  for (const int id : ids) {
    const auto name = std::find(names_.begin() + 1, names_.end(), id);
    if (name != names_.end()) {
      flush();
      const auto speaker = static_cast<std::size_t>(name - names_.begin()) - 1;
      if (speaker >= dialogue.speakers.size()) continue;  // nobody has this number
      if (!awaits_name(text)) text += ' ';
      text += dialogue.speakers[speaker];
      after_name = true;
    } else if (id >= vocabulary_.size()) {
      run.push_back(source.unknown.at(static_cast<std::size_t>(id - vocabulary_.size())));
    } else if (!vocabulary_.is_control(id)) {
      run.push_back(vocabulary_.piece(id));
    }
  }
  flush();
  return text;
}

std::vector<std::string> DialogueCoder::plain_parts(const std::string& text, const Dialogue& dialogue) {
  std::vector<std::string> parts;
  for (TextPart& part : parts_of(text, dialogue.speakers))
    if (part.speaker == 0) parts.push_back(std::move(part.text));
  return parts;
}

}  // namespace kgwalk::seq2seq
