#include "dialogue/mention_finder.h"

#include <unordered_set>
#include <utility>

#include "runtime/text.h"
#include "seq2seq/text/unicode_text.h"
#include "seq2seq/text/utf8.h"

namespace kgwalk::dialogue {
namespace {

// boundary[i]: a word may begin or end before byte i.
std::vector<bool> boundaries(std::string_view text) {
  std::vector<bool> boundary(text.size() + 1);
  bool before = false;
  for (std::size_t at = 0; at < text.size();) {
    const seq2seq::Utf8Char first = seq2seq::decode_utf8(text.substr(at));
    const bool word = seq2seq::is_word_char(first.code);
    boundary[at] = !(word && before);
    before = word;
    at += first.length;
  }
  boundary[text.size()] = true;
  return boundary;
}

}  // namespace

MentionFinder::MentionFinder(const graph::KnowledgeGraph& graph) {
  std::unordered_set<std::string> seen;
  std::vector<graph::EntityId> ids;
  for (graph::EntityId entity = 0; entity < graph.num_entities(); ++entity) {
    std::string name = fold_name(graph.entity_name(entity));
    if (name.empty() || !seen.insert(name).second) continue;
    names_.push_back(std::move(name));
    ids.push_back(entity);
  }
  std::vector<std::pair<std::string_view, int>> entries;
  entries.reserve(names_.size());
  for (std::size_t i = 0; i < names_.size(); ++i) entries.emplace_back(names_[i], static_cast<int>(ids[i]));
  trie_ = seq2seq::PieceTrie(std::move(entries));
}

std::vector<Mention> MentionFinder::find(std::string_view text) const {
  const std::string folded = fold_name(text);
  const std::vector<bool> boundary = boundaries(folded);
  std::vector<Mention> mentions;
  for (std::size_t at = 0; at < folded.size();) {
    Mention best{0, at, at};
    if (boundary[at]) {
      trie_.prefixes(std::string_view(folded).substr(at), [&](std::size_t length, int entity) {
        if (boundary[at + length]) best = {static_cast<graph::EntityId>(entity), at, at + length};
      });
    }
    if (best.end > at) mentions.push_back(best);
    at = best.end > at ? best.end : at + 1;
  }
  return mentions;
}

}  // namespace kgwalk::dialogue
