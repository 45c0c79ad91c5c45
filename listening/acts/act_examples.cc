#include "listening/acts/act_examples.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "kgwalk/error.h"
#include "listening/words/said_text.h"

namespace kgwalk::listening {
namespace {

constexpr std::array<std::string_view, 28> kKinds{
    "film",  "movie",   "book",  "novel",   "song",    "album",   "band",     "actor", "singer", "city",
    "river", "country", "team",  "player",  "company", "writer",  "director", "game",  "series", "person",
    "place", "animal",  "plant", "species", "show",    "product", "painting", "school"};

// Share of draws.
constexpr double kLowerCase = 0.5, kNoEndMark = 0.45, kNoApostrophes = 0.3, kSlip = 0.06,
                 kUnknownNames = 0.12, kGoal = 0.15, kCourtesyFirst = 0.12, kPlease = 0.08;

// A text that grows, with the bytes of its names.
struct Draft {
  std::string text;
  std::vector<std::pair<std::size_t, std::size_t>> names;
  bool is_named(std::size_t byte) const {
    return std::any_of(names.begin(), names.end(),
                       [&](const auto& name) { return name.first <= byte && byte < name.second; });
  }
};

std::string some_kind(Random& random) {
  std::string kind(kKinds[random.below(kKinds.size())]);
  if (random.uniform() < 0.5) {
    if (kind.ends_with("y"))
      kind.replace(kind.size() - 1, 1, "ies");
    else if (!kind.ends_with("s"))
      kind += kind == "person" || kind.ends_with("o") ? "es" : "s";
  }
  return kind == "persones" ? "people" : kind;
}

// One of the readings of a wording, its marks filled in.
Draft draft_of(std::string_view wording, std::span<const std::string> names, Random& random) {
  std::string plain;
  for (std::size_t i = 0; i < wording.size(); ++i) {
    if (wording[i] != '(') {
      plain += wording[i];
      continue;
    }
    const std::size_t close = wording.find(')', i);
    const std::string_view list = wording.substr(i + 1, close - i - 1);
    std::size_t pick =
        random.below(1 + static_cast<std::uint64_t>(std::count(list.begin(), list.end(), '|')));
    std::size_t begin = 0;
    for (; pick > 0; --pick) begin = list.find('|', begin) + 1;
    plain += list.substr(begin, std::min(list.find('|', begin), list.size()) - begin);
    i = close;
  }
  Draft draft;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const std::string_view mark = std::string_view(plain).substr(i, 3);
    if (mark == "{x}" || mark == "{y}") {
      const std::string& name = names[random.below(names.size())];
      draft.names.emplace_back(draft.text.size(), draft.text.size() + name.size());
      draft.text += name;
      i += 2;
    } else if (mark == "{t}") {
      draft.text += some_kind(random);
      i += 2;
    } else if (plain[i] != ' ' || (!draft.text.empty() && draft.text.back() != ' ')) {
      draft.text += plain[i];  // an empty choice leaves no two blanks
    }
  }
  while (draft.text.ends_with(' ')) draft.text.pop_back();
  return draft;
}

void erase(Draft& draft, std::size_t byte) {
  draft.text.erase(byte, 1);
  for (auto& [begin, end] : draft.names) {
    if (begin > byte) --begin;
    if (end > byte) --end;
  }
}

void prepend(Draft& draft, const std::string& before) {
  draft.text.insert(0, before);
  for (auto& [begin, end] : draft.names) {
    begin += before.size();
    end += before.size();
  }
}

bool is_letter(const Draft& draft, std::size_t byte) {
  return std::isalpha(static_cast<unsigned char>(draft.text[byte])) != 0 && !draft.is_named(byte);
}

// Two neighboring letters change places, or one is left out.
void slip(Draft& draft, Random& random) {
  if (draft.text.size() < 6) return;
  const std::size_t at = 1 + random.below(draft.text.size() - 2);
  if (!is_letter(draft, at - 1) || !is_letter(draft, at) || !is_letter(draft, at + 1)) return;
  if (random.uniform() < 0.5)
    std::swap(draft.text[at], draft.text[at + 1]);
  else
    erase(draft, at);
}

// "Who is X", "do you know X": ends with a question mark, whatever is meant by it.
bool begins_as_question(std::string_view text) {
  constexpr std::array<std::string_view, 27> kBegin{
      "who",  "what",  "which", "where",  "when", "why",  "how",  "do",  "does",
      "did",  "have",  "has",   "is",     "are",  "was",  "were", "can", "could",
      "will", "would", "shall", "should", "may",  "ever", "got",  "any", "anything"};
  const std::string_view first = text.substr(0, std::min(text.find_first_of(" '"), text.size()));
  return std::find(kBegin.begin(), kBegin.end(), first) != kBegin.end();
}

void end_mark(Draft& draft, Act act, Random& random) {
  if (draft.text.empty() || std::ispunct(static_cast<unsigned char>(draft.text.back())) != 0 ||
      random.uniform() < kNoEndMark)
    return;
  const bool asks = act == Act::kQuestion || act == Act::kAbilities || act == Act::kIdentity ||
                    act == Act::kWhy || act == Act::kRepeat || begins_as_question(draft.text);
  const double draw = random.uniform();
  if (asks)
    draft.text += draw < 0.85 ? "?" : draw < 0.95 ? "." : "??";
  else
    draft.text += draw < 0.6 ? "." : draw < 0.9 ? "!" : "...";
}

// As people type.
void vary(Draft& draft, Act act, Random& random) {
  if (random.uniform() < kNoApostrophes)
    for (std::size_t i = draft.text.size(); i-- > 0;)
      if (draft.text[i] == '\'' && !draft.is_named(i)) erase(draft, i);
  while (random.uniform() < kSlip) slip(draft, random);
  end_mark(draft, act, random);
  if (random.uniform() < kLowerCase)
    std::transform(draft.text.begin(), draft.text.end(), draft.text.begin(),
                   [](unsigned char c) { return static_cast<char>(c < 0x80 ? std::tolower(c) : c); });
  else if (!draft.text.empty() && !draft.is_named(0))
    draft.text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(draft.text[0])));
}

bool follows_courtesy(Act act) {
  return act == Act::kQuestion || act == Act::kTellAbout || act == Act::kAbilities || act == Act::kRecommend;
}

// "hi, " or "thanks, and ": what is left aside before a question or a wish.
std::string some_courtesy(bool answered, Random& random) {
  constexpr std::array<std::string_view, 10> kFirst{"hi", "hello",        "hey",    "good day",  "hi there",
                                                    "yo", "good evening", "please", "excuse me", "hey there"};
  constexpr std::array<std::string_view, 15> kLater{"thanks", "ok",     "okay",    "cool", "great",
                                                    "nice",   "i see",  "right",   "ah",   "very nice",
                                                    "wow",    "got it", "alright", "good", "many thanks"};
  std::string text(answered ? kLater[random.below(kLater.size())] : kFirst[random.below(kFirst.size())]);
  const double draw = random.uniform();
  text += draw < 0.5 ? ", " : draw < 0.65 ? "! " : draw < 0.8 ? ". " : " ";
  if (answered && random.uniform() < 0.4) text += random.uniform() < 0.7 ? "and " : "but ";
  return text;
}

// How many texts a wording stands for.
double readings_of(std::string_view wording) {
  double readings = 1, choices = 0;
  for (const char c : wording) {
    if (c == '(')
      choices = 1;
    else if (c == '|')
      ++choices;
    else if (c == ')')
      readings *= choices;
  }
  return readings;
}

// A wording that stands for many texts is drawn more often, by the root of their number.
const std::vector<double>& shares_up_to() {
  static const std::vector<double> shares = [] {
    std::vector<double> sums;
    double sum = 0;
    for (const ActWording& wording : act_wordings())
      sums.push_back(sum += std::sqrt(readings_of(wording.text)));
    return sums;
  }();
  return shares;
}

const ActWording& some_wording(Random& random) {
  const std::vector<double>& shares = shares_up_to();
  const auto at = std::upper_bound(shares.begin(), shares.end(), random.uniform() * shares.back());
  return act_wordings()[std::min(static_cast<std::size_t>(at - shares.begin()), shares.size() - 1)];
}

ActExample example_of(const ActWording& wording, std::span<const std::string> names, Random& random) {
  ActExample example;
  example.act = wording.act;
  example.context = wording.contexts[random.below(wording.contexts.size())];
  example.context.goal |= random.uniform() < kGoal;
  if (example.context.offered) example.context.answered |= random.uniform() < 0.5;
  Draft draft = draft_of(wording.text, names, random);
  if (follows_courtesy(wording.act) && random.uniform() < kCourtesyFirst)
    prepend(draft, some_courtesy(example.context.answered, random));
  if (follows_courtesy(wording.act) && random.uniform() < kPlease)
    draft.text += random.uniform() < 0.5 ? " please" : random.uniform() < 0.5 ? ", please" : " pls";
  vary(draft, wording.act, random);
  // Names that no graph knows stand there as words.
  if (random.uniform() >= kUnknownNames) {
    const SaidText said = read_said(draft.text);
    for (const auto& [begin, end] : draft.names) example.names.push_back(said.words_at(begin, end));
  }
  example.text = std::move(draft.text);
  return example;
}

}  // namespace

std::vector<ActExample> act_examples(std::span<const std::string> names, std::size_t count, Random& random) {
  if (names.empty()) throw ConfigError("examples of acts need names of things");
  std::vector<ActExample> examples;
  examples.reserve(count);
  for (std::size_t i = 0; i < count; ++i) examples.push_back(example_of(some_wording(random), names, random));
  return examples;
}

}  // namespace kgwalk::listening
