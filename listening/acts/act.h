// What kind of thing was said in a turn of a conversation, before and beside what it asks of the graph.
// Torch-free.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kgwalk/choice.h"

namespace kgwalk::listening {

// Where two readings are near, the head of data/words/acts.txt says what was decided.
enum class Act : std::uint8_t {
  kQuestion,
  kTellAbout,  // "tell me about Heat", a bare name
  kStatement,  // an opinion or a statement about something: "I loved Heat"
  kGreeting,
  kThanks,
  kGoodbye,
  kAcknowledge,  // "ok", "I see", "really?"
  kAbilities,    // "what can you do"
  kIdentity,     // "who are you"
  kUnsure,       // "I don't know"
  kRepeat,       // "say that again"
  kWhy,          // "why?", "how do you know?", "are you sure?"
  kYes,          // to an offer of the assistant; also what picks one of those offered, "the first one"
  kNo,           // to an offer
  kCorrection,   // "no, I meant the novel"
  kMore,         // "show more", "go on"
  kAll,          // "all of them"
  kInsult,
  kOutside,    // weather, time, jokes, homework: nothing that a graph knows
  kForeign,    // not English
  kRecommend,  // "recommend something like Heat", "what should I read next"
};
inline constexpr std::size_t kNumActs = 21;
constexpr auto choice_names(Act) {
  return choices_in_order<Act>("question", "tell_about", "statement", "greeting", "thanks", "goodbye",
                               "acknowledge", "abilities", "identity", "unsure", "repeat", "why", "yes", "no",
                               "correction", "more", "all", "insult", "outside", "foreign", "recommend");
}

// What came before.
struct ActContext {
  bool offered = false;   // the assistant asked something or offered names last
  bool answered = false;  // it answered a question before
  bool cut = false;       // it told a list in part last
  bool goal = false;      // it steers to something
};

// Words [first, last) of a SaidText that name things of the graph. They do not overlap and stand in their
// order.
using NamedWords = std::pair<std::size_t, std::size_t>;

struct HeardAct {
  Act act = Act::kQuestion;
  double probability = 0;
};

struct ActExample {
  std::string text;
  std::vector<NamedWords> names;
  ActContext context;
  Act act = Act::kQuestion;
};

}  // namespace kgwalk::listening
