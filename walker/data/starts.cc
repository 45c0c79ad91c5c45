#include "walker/data/starts.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

#include "dialogue/linking/name_index.h"
#include "kgwalk/graph_details.h"

namespace kgwalk::walker {
namespace {

using graph::EntityId;

// Static features, by place.
struct Static {
  enum Place : std::size_t {
    kNamed0,  // in the last utterance; three more for the ones before
    kNamed3 = 3,
    kLastNamed,
    kFirstNamed,
    kNameRank,
    kOnlyNamed,
    kPathEnd,
    kPathStart,
    kOnPath,
    kOnEarlierPath,
    kDegree,
    kPronounUnnamed,
    kPronounNamedBefore,
    kPronounPathEnd,
    kPronounPathStart,
    kLongName,
    kByUser,
    kNamedTwice,
    kWords,           // of the name, at most four
    kEveryday,        // the linker takes it for no name
    kSmall,           // written short, as "religion" for "Religion (TV Genre)", and without a capital
    kSmallAmongLarge  // and another name there with one: "Tell me Jim's religion"
  };
};
static_assert(Static::kSmallAmongLarge + 1 == kStaticStartFeatures);

constexpr std::size_t kUtterances = 4, kNamesakes = 4;

bool is_small(std::string_view name) { return !name.empty() && name.front() >= 'a' && name.front() <= 'z'; }

class Finder {
 public:
  Finder(const graph::KnowledgeGraph& graph, const dialogue::EntityLinker& linker,
         const EverydayNames& everyday)
      : graph_(graph), linker_(linker), everyday_(everyday), by_ids_(graph::details(graph).has_ids()) {}

  // `earlier`: what was said before it. It decides between entities of one name where the graph's source had
  // ids for them; elsewhere their order is the one that walkers were trained with.
  void utterance(const graph::Chat& chat, std::span<const graph::Chat> earlier, std::size_t back) {
    const std::vector<dialogue::LinkedMention> mentions =
        by_ids_ ? linker_.mentions(chat.text, context_of(earlier)) : linker_.mentions(chat.text);
    if (mentions.empty() && back == 0 && everyday_)
      for (const EntityId entity : everyday_(chat.text)) name_everyday(entity, chat.speaker);
    const bool any_large = std::any_of(mentions.begin(), mentions.end(),
                                       [](const auto& mention) { return !is_small(mention.text); });
    for (std::size_t m = 0; m < mentions.size(); ++m) {
      const auto& entities = mentions[m].entities;
      for (std::size_t rank = 0; rank < std::min(entities.size(), kNamesakes); ++rank) {
        auto& f = at(entities[rank]);
        const bool before =
            std::any_of(f.begin(), f.begin() + Static::kNamed3 + 1, [](float x) { return x > 0; });
        if (before) f[Static::kNamedTwice] = 1;
        f[Static::kNamed0 + back] = 1;
        if (before) continue;
        f[Static::kLastNamed] = m + 1 == mentions.size() ? 1 : 0;
        f[Static::kFirstNamed] = m == 0 ? 1 : 0;
        f[Static::kOnlyNamed] = mentions.size() == 1 ? 1 : 0;
        f[Static::kNameRank] = static_cast<float>(rank) / kNamesakes;
        f[Static::kWords] = words_of_name(mentions[m].text);
        f[Static::kLongName] = mentions[m].text.find(' ') != std::string::npos ? 1 : 0;
        f[Static::kSmall] = is_small(mentions[m].text) ? 1 : 0;
        f[Static::kSmallAmongLarge] = any_large ? f[Static::kSmall] : 0;
        f[Static::kByUser] = chat.speaker == graph::Speaker::kUser ? 1 : 0;
      }
    }
  }

  void paths(const Example& example) {
    const std::size_t count = example.path_ends.size();
    for (std::size_t back = 0; back < std::min<std::size_t>(count, 2); ++back) {
      const std::size_t end = example.path_ends[count - 1 - back];
      const std::size_t begin = count - 1 - back > 0 ? example.path_ends[count - 2 - back] : 0;
      for (std::size_t i = begin; i < end; ++i) {
        const graph::Triple& hop = example.walked[i];
        if (back > 0) {
          at(hop.head)[Static::kOnEarlierPath] = at(hop.tail)[Static::kOnEarlierPath] = 1;
          continue;
        }
        at(hop.head)[i == begin ? Static::kPathStart : Static::kOnPath] = 1;
        at(hop.tail)[i + 1 == end ? Static::kPathEnd : Static::kOnPath] = 1;
      }
    }
  }

  std::vector<StartCandidate> take(const Example& example) {
    const bool pronoun = !example.context.empty() && has_pronoun(example.context.back().text);
    for (StartCandidate& candidate : found_) {
      auto& f = candidate.features;
      f[Static::kDegree] = std::log1p(static_cast<float>(graph_.out_edges(candidate.entity).size())) / 8;
      if (!pronoun) continue;
      f[Static::kPronounUnnamed] = f[Static::kNamed0] > 0 ? 0 : 1;
      f[Static::kPronounNamedBefore] = f[Static::kNamed0 + 1];
      f[Static::kPronounPathEnd] = f[Static::kPathEnd];
      f[Static::kPronounPathStart] = f[Static::kPathStart];
    }
    return std::move(found_);
  }

 private:
  static dialogue::LinkContext context_of(std::span<const graph::Chat> before) {
    dialogue::LinkContext context;
    for (const graph::Chat& chat : before) context.earlier.push_back(chat.text);
    return context;
  }

  static float words_of_name(std::string_view name) {
    constexpr std::size_t kMost = 4;
    return static_cast<float>(std::min(dialogue::words_of(name).size(), kMost)) / kMost;
  }

  void name_everyday(EntityId entity, graph::Speaker speaker) {
    auto& f = at(entity);
    f[Static::kNamed0] = f[Static::kEveryday] = 1;
    f[Static::kWords] = words_of_name(dialogue::plain_name(graph_.entity_name(entity)));
    f[Static::kByUser] = speaker == graph::Speaker::kUser ? 1 : 0;
  }

  std::array<float, kNumStartFeatures>& at(EntityId entity) {
    const auto known = std::find_if(found_.begin(), found_.end(),
                                    [&](const StartCandidate& c) { return c.entity == entity; });
    if (known != found_.end()) return known->features;
    return found_.emplace_back(StartCandidate{entity, {}}).features;
  }

  const graph::KnowledgeGraph& graph_;
  const dialogue::EntityLinker& linker_;
  const EverydayNames& everyday_;
  const bool by_ids_;
  std::vector<StartCandidate> found_;
};

}  // namespace

bool has_pronoun(std::string_view text) {
  constexpr std::string_view kPronouns[] = {"it",   "its",  "he",   "him",   "his",    "she",  "her",
                                            "hers", "they", "them", "their", "theirs", "this", "that"};
  for (const std::string& word : dialogue::words_of(text))
    if (std::find(std::begin(kPronouns), std::end(kPronouns), word) != std::end(kPronouns)) return true;
  return false;
}

std::vector<StartCandidate> find_starts(const Example& example, const graph::KnowledgeGraph& graph,
                                        const dialogue::EntityLinker& linker, const EverydayNames& everyday) {
  Finder finder(graph, linker, everyday);
  const std::size_t n = example.context.size();
  for (std::size_t back = 0; back < std::min(n, kUtterances); ++back)
    finder.utterance(example.context[n - 1 - back], std::span(example.context).first(n - 1 - back), back);
  finder.paths(example);
  return finder.take(example);
}

}  // namespace kgwalk::walker
