#include "listening/questions/generator.h"

#include "listening/questions/drawn_questions.h"
#include "listening/questions/english.h"
#include "listening/questions/talks.h"

namespace kgwalk::listening {
namespace {

constexpr std::size_t kTries = 40;  // of a question, times the count

}  // namespace

std::vector<DrawnForm> draw_questions(const Lexicon& lexicon, const forms::Engine& engine,
                                      const QuestionConfig& config, std::uint64_t seed) {
  validate(config, "configuration of questions");
  Random random(seed, 71);
  FormDraws draws(lexicon, engine, config, random);
  Talks talks(lexicon, draws, config, random);
  const auto count = static_cast<std::size_t>(config.count);
  std::vector<DrawnForm> out;
  std::size_t in_talks = 0;
  for (std::size_t i = 0; i < kTries * count && out.size() < count; ++i) {
    if (static_cast<double>(in_talks) < config.conversations * static_cast<double>(out.size() + 1)) {
      for (DrawnForm& drawn : talks.conversation()) {
        ++in_talks;
        if (out.size() < count) out.push_back(std::move(drawn));
      }
      continue;
    }
    auto drawn = happens(random, config.unsaid) ? draws.draw_unsaid() : draws.draw();
    if (!drawn) continue;
    drawn->question.text = draws.wording().typed(std::move(drawn->question.text), drawn->names);
    out.push_back(std::move(*drawn));
  }
  return out;
}

std::vector<FormQuestion> make_form_questions(const Lexicon& lexicon, const forms::Engine& engine,
                                              const QuestionConfig& config, std::uint64_t seed) {
  std::vector<FormQuestion> questions;
  for (DrawnForm& drawn : draw_questions(lexicon, engine, config, seed))
    questions.push_back(std::move(drawn.question));
  return questions;
}

}  // namespace kgwalk::listening
