#include "walker/data/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "runtime/checksum.h"

namespace kgwalk::walker {
namespace {

constexpr std::size_t kLongMessage = 40;  // bytes of words by which two rows are told to be one dialogue

// Union-find with path halving; the smaller root wins, so that groups do not depend on the order of unions.
class Sets {
 public:
  explicit Sets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
  std::size_t find(std::size_t x) {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }
  void unite(std::size_t a, std::size_t b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> parent_;
};

}  // namespace

void GroupedCount::add(GroupId group) {
  ++total_;
  const auto it = std::lower_bound(by_group_.begin(), by_group_.end(), std::pair(group, 0));
  if (it != by_group_.end() && it->first == group) {
    ++it->second;
  } else {
    by_group_.insert(it, {group, 1});
  }
}

std::int32_t GroupedCount::without(GroupId group) const noexcept {
  if (group == kNoGroup) return total_;
  const auto it = std::lower_bound(by_group_.begin(), by_group_.end(), std::pair(group, 0));
  return total_ - (it != by_group_.end() && it->first == group ? it->second : 0);
}

// Messages as words of names, and which of them say the very same.
struct Statistics::Messages {
  Messages(const dialogue::NameIndex& names, const dialogue::SaidWords& all)
      : said(all), same(all.num_messages()), words(all.words().size()) {
    const std::vector<dialogue::WordId> ids = names.encode(said.spellings());
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = ids[said.words()[i]];
    std::unordered_map<std::string_view, std::size_t> first;
    for (std::size_t m = 0; m < size(); ++m) {
      const std::span<const dialogue::SaidWord> text = said.message(m);
      same[m] =
          first.try_emplace({reinterpret_cast<const char*>(text.data()), text.size_bytes()}, m).first->second;
    }
  }
  [[nodiscard]] std::size_t size() const { return said.num_messages(); }
  [[nodiscard]] std::span<const dialogue::WordId> words_of(std::size_t message) const {
    return std::span(words).subspan(said.begin(message), said.message(message).size());
  }
  [[nodiscard]] bool is_long(std::size_t message) const {
    std::size_t bytes = 0;
    for (const dialogue::SaidWord word : said.message(message)) bytes += said.spellings()[word].size() + 1;
    return bytes > kLongMessage + 1;
  }

  const dialogue::SaidWords& said;
  std::vector<std::size_t> same;        // the first message with these words
  std::vector<dialogue::WordId> words;  // of all messages
};

Statistics::Statistics(const dialogue::NameIndex& names, std::span<const graph::Dialogue> dialogues)
    : Statistics(names, dialogues, dialogue::SaidWords(dialogues)) {}

Statistics::Statistics(const dialogue::NameIndex& names, std::span<const graph::Dialogue> dialogues,
                       const dialogue::SaidWords& said) {
  const Messages messages(names, said);
  find_groups(messages);
  count_words(messages, names.num_words());
  count_paths(dialogues);
  count_mentions(names, messages);

  Checksum sum;
  for (const graph::Dialogue& dialogue : dialogues) {
    for (const graph::DialogueEvent& event : dialogue.events) {
      if (const auto* chat = std::get_if<graph::Chat>(&event)) sum.add(chat->text + '\n');
      if (const auto* path = std::get_if<graph::WalkedPath>(&event))
        sum.add(
            {reinterpret_cast<const char*>(path->hops.data()), path->hops.size() * sizeof(graph::Triple)});
    }
    sum.add("\f");
  }
  checksum_ = sum.hex();
}

void Statistics::find_groups(const Messages& messages) {
  const std::size_t num_dialogues = messages.said.num_dialogues();
  Sets sets(num_dialogues);
  for (std::size_t m = 0; m < messages.size(); ++m)
    if (messages.same[m] != m && messages.is_long(m))
      sets.unite(messages.said.dialogue_of(messages.same[m]), messages.said.dialogue_of(m));
  for (std::size_t d = 0; d < num_dialogues; ++d) groups_.push_back(static_cast<GroupId>(sets.find(d)));
}

void Statistics::count_words(const Messages& messages, std::int32_t num_words) {
  std::vector<std::int32_t> with_word(static_cast<std::size_t>(num_words), 0);
  std::vector<std::size_t> last(with_word.size(), messages.size());  // message that had the word
  for (std::size_t m = 0; m < messages.size(); ++m)
    for (const dialogue::WordId word : messages.words_of(m)) {
      const auto w = static_cast<std::size_t>(word);
      if (word != dialogue::kUnknownWord && std::exchange(last[w], m) != m) ++with_word[w];
    }
  const auto num_messages = static_cast<std::int64_t>(messages.size());
  for (const std::int32_t n : with_word) {
    rarity_.push_back(
        std::max(0.3F, std::log(static_cast<float>(num_messages + 2) / static_cast<float>(n + 1))));
    common_.push_back(static_cast<double>(n) >= 0.01 * static_cast<double>(num_messages) ? 1 : 0);
  }
}

void Statistics::count_paths(std::span<const graph::Dialogue> dialogues) {
  for (std::size_t d = 0; d < dialogues.size(); ++d) {
    for (const graph::DialogueEvent& event : dialogues[d].events) {
      const auto* path = std::get_if<graph::WalkedPath>(&event);
      if (path == nullptr || path->hops.empty()) continue;
      const GroupId g = groups_[d];
      const graph::EntityId start = path->hops.front().head, end = path->hops.back().tail;
      targets_.add(end, 0, g);
      starts_.add(start, 0, g);
      ends_from_.add(start, end, g);
      for (std::size_t i = 0; i < path->hops.size(); ++i) {
        const graph::Triple& hop = path->hops[i];
        if (i > 0) middles_.add(hop.head, 0, g);
        hops_.add(hop.head, hop.tail, g);
        relation_at_.add(hop.head, hop.relation, g);
        relation_to_.add(hop.relation, hop.tail, g);
        relations_.add(hop.relation, 0, g);
      }
    }
  }
}

// A message counts once a group: rows of one dialogue repeat it.
void Statistics::count_mentions(const dialogue::NameIndex& names, const Messages& messages) {
  std::set<std::pair<GroupId, std::size_t>> seen;
  for (std::size_t m = 0; m < messages.size(); ++m) {
    const GroupId group = groups_[messages.said.dialogue_of(m)];
    if (!seen.emplace(group, messages.same[m]).second) continue;
    for (const graph::EntityId e : names.longest_mentions(messages.words_of(m), common_))
      messages_.add(e, 0, group);
  }
}

}  // namespace kgwalk::walker
