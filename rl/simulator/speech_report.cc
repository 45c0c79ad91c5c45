#include "rl/simulator/speech_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>
#include <variant>

#include "runtime/text.h"
#include "seq2seq/tasks/pieces.h"

namespace kgwalk::rl {
namespace {

constexpr std::size_t kEvaluationBatch = 32;
constexpr std::size_t kExamples = 20;

double percent(std::int64_t part, std::int64_t all) {
  return all == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
}

bool is_upper(std::string_view word) { return !word.empty() && word.front() >= 'A' && word.front() <= 'Z'; }

std::string in_small(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

struct Word {
  std::string text;
  bool begins = false;  // a sentence
  bool closed = false;  // a mark follows
};

std::vector<Word> words_in(std::string_view text) {
  std::vector<Word> words;
  bool begins = true;
  for (std::size_t at = 0; at < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && std::isspace(static_cast<unsigned char>(text[end])) == 0) ++end;
    std::string word(text.substr(at, end - at));
    at = end;
    const auto is_mark = [](char c) {
      return std::string_view(".,;:!?\"()").find(c) != std::string_view::npos;
    };
    const bool ends = std::string_view(".!?").find(word.back()) != std::string_view::npos;
    const bool closed = is_mark(word.back());
    while (!word.empty() && is_mark(word.back())) word.pop_back();
    while (!word.empty() && is_mark(word.front())) word.erase(0, 1);
    if (!word.empty()) words.push_back({std::move(word), begins, closed});
    begins = ends;
  }
  return words;
}

bool joins(const std::string& word) {
  return word == "of" || word == "the" || word == "and" || word == "in" || word == "a" || word == "to" ||
         word == "for" || word == "on" || word == "with" || word == "&" || word == "from" || word == "at";
}

bool is_own(const std::string& word) { return word == "I" || word.starts_with("I'"); }

std::string without_owner(std::string word) {
  if (word.ends_with("'s")) word.resize(word.size() - 2);
  if (word.ends_with('\'')) word.pop_back();
  return word;
}

}  // namespace

double UtterancePerplexity::per_piece() const {
  return pieces > 0 ? std::exp(negative_log_prob / static_cast<double>(pieces)) : 0;
}

double UtterancePerplexity::per_word() const {
  return words > 0 ? std::exp(negative_log_prob / static_cast<double>(words)) : 0;
}

Json UtterancePerplexity::to_json() const {
  return {{"turns", turns},
          {"pieces", pieces},
          {"words", words},
          {"left_out", left_out},
          {"negative_log_prob", negative_log_prob},
          {"perplexity_per_piece", per_piece()},
          {"perplexity_per_word", per_word()}};
}

UtterancePerplexity perplexity_of(const SimulatedUser& user, std::span<const UserTurn> turns) {
  const torch::NoGradGuard no_grad;
  UtterancePerplexity result;
  const int start = user.vocabulary().id_of(seq2seq::kStartPiece);
  seq2seq::SummaryData data;
  for (const UserTurn& turn : turns) {
    seq2seq::SummaryData one = user.encode({&turn, 1});
    result.left_out += one.too_long + one.empty;
    if (one.pairs.empty()) continue;
    ++result.turns;
    result.words += count_words(turn.text) + 1;
    data.pairs.push_back(std::move(one.pairs.front()));
  }
  for (std::size_t begin = 0; begin < data.pairs.size(); begin += kEvaluationBatch) {
    std::vector<std::size_t> chosen;
    for (std::size_t i = begin; i < std::min(begin + kEvaluationBatch, data.pairs.size()); ++i)
      chosen.push_back(i);
    const seq2seq::SummaryBatch batch = seq2seq::make_batch(data, chosen, start);
    result.negative_log_prob +=
        user.model()->loss(user.model()->encode(batch.source), batch.target, 0, 0).nll;
    result.pieces += batch.target.gold.size(0);
  }
  return result;
}

SpokenNames::SpokenNames(const graph::KnowledgeGraph& graph, std::span<const graph::Dialogue> dialogues)
    : names_(graph) {
  for (const graph::Dialogue& dialogue : dialogues)
    for (const graph::DialogueEvent& event : dialogue.events)
      if (const auto* chat = std::get_if<graph::Chat>(&event))
        for (const Word& word : words_in(chat->text))
          if (!is_upper(word.text)) small_.insert(in_small(word.text));
}

// "Where's" as "where".
bool SpokenNames::is_small(const std::string& word) const {
  return small_.contains(in_small(word)) || small_.contains(in_small(without_owner(word)));
}

std::vector<std::string> SpokenNames::of(std::string_view text) const {
  const std::vector<Word> words = words_in(text);
  std::vector<std::string> names;
  for (std::size_t at = 0; at < words.size();) {
    const bool ordinary = words[at].begins && is_small(words[at].text);
    if (!is_upper(words[at].text) || is_own(words[at].text) || ordinary) {
      ++at;
      continue;
    }
    std::string name = words[at].text;
    std::size_t next = at + 1;
    while (!words[next - 1].closed) {
      std::size_t end = next;  // small words between count only before another capital
      while (end < words.size() && joins(words[end].text) && !words[end].closed) ++end;
      if (end == words.size() || !is_upper(words[end].text) || is_own(words[end].text)) break;
      for (; next <= end; ++next) name.append(" ").append(words[next].text);
    }
    names.push_back(without_owner(std::move(name)));
    at = next;
  }
  return names;
}

bool SpokenNames::right(const std::string& name, std::span<const std::string> texts) const {
  if (!names_.entities_named(names_.encode(name)).empty()) return true;
  const std::string sought = in_small(name);
  return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
    return in_small(text).find(sought) != std::string::npos;
  });
}

Json SpeechCounts::to_json() const {
  return {{"utterances", utterances},
          {"by_question", by_question},
          {"by_wordings", by_wordings},
          {"naming", naming},
          {"spelled", spelled},
          {"asking", asking},
          {"fitting", fitting},
          {"answered_by_graph", answered_by_graph},
          {"wrong", wrong},
          {"unfit", unfit}};
}

std::string SpeechCounts::to_text() const {
  return fmt::format(
      "{} utterances, {:.1f} % questions of the bank, {:.1f} % by wordings\n"
      "{} name something, {:.1f} % of them with every name right\n"
      "{} ask what the bank has words for, {:.1f} % of them fit the vertex ({:.1f} % it has itself)\n",
      with_commas(utterances), percent(by_question, utterances), percent(by_wordings, utterances),
      with_commas(naming), percent(spelled, naming), with_commas(asking), percent(fitting, asking),
      percent(answered_by_graph, asking));
}

namespace {

void judge(const SimulatedUser& user, const SpokenNames& names, const walker::Example& situation,
           const std::string& text, SpeechCounts& counts) {
  ++counts.utterances;
  const std::vector<std::string> found = names.of(text), allowed = user.source().allowed(situation);
  const bool spelled = std::all_of(found.begin(), found.end(),
                                   [&](const std::string& name) { return names.right(name, allowed); });
  counts.naming += !found.empty();
  counts.spelled += !found.empty() && spelled;
  if (!spelled && counts.wrong.size() < kExamples) counts.wrong.push_back(text);
  const dialogue::Topic* asked = user.questions().asked(text);
  if (asked == nullptr) return;
  ++counts.asking;
  const bool fits = user.questions().fits(situation.start, *asked);
  counts.fitting += fits;
  counts.answered_by_graph += !user.questions().answers(situation.start, *asked).empty();
  if (!fits && counts.unfit.size() < kExamples) counts.unfit.push_back(text);
}

}  // namespace

SpeechCounts measure_speech(const SimulatedUser& user, const SpokenNames& names,
                            std::span<const UserTurn> turns, std::uint64_t seed) {
  SpeechCounts counts;
  std::vector<const walker::Example*> situations;
  for (const UserTurn& turn : turns) situations.push_back(&turn.situation);
  Random random(seed, 37);
  const std::vector<Utterance> said = user.say(situations, random);
  for (std::size_t i = 0; i < said.size(); ++i) {
    counts.by_question += said[i].by == Utterance::By::kQuestion;
    counts.by_wordings += said[i].by == Utterance::By::kFallback;
    judge(user, names, *situations[i], said[i].text, counts);
  }
  return counts;
}

SpeechCounts measure_people(const SimulatedUser& user, const SpokenNames& names,
                            std::span<const UserTurn> turns) {
  SpeechCounts counts;
  for (const UserTurn& turn : turns) judge(user, names, turn.situation, turn.text, counts);
  return counts;
}

}  // namespace kgwalk::rl
