#include "workflows/measuring/ask_listener.h"

#include <fmt/format.h>

#include <algorithm>

#include "kgwalk/form_text.h"
#include "runtime/text.h"
#include "workflows/training/listener_lessons.h"

namespace kgwalk {
namespace {

std::string answer_text(const listening::ListenedGraph& listened, const listening::HeardForm& form) {
  constexpr std::size_t kTold = 8;
  if (form.unsaid) return "the graph does not say";
  if (form.truth) return *form.truth ? "yes" : "no";
  if (form.amount) return fmt::format("{:.10g}", *form.amount);
  if (form.counted) return with_commas(static_cast<long long>(form.answers.size()));
  std::string text;
  for (std::size_t i = 0; i < std::min(kTold, form.answers.size()); ++i)
    text += (i == 0 ? "" : "; ") + listened.lexicon().values().shown(form.answers[i]);
  if (form.answers.size() > kTold) text += " and " + std::to_string(form.answers.size() - kTold) + " more";
  return text;
}

}  // namespace

Report ask_listener(const AskListenerOptions& options) {
  const ListenedDatabase opened(options.database);
  const auto listener =
      listening::Listener::open(opened.listened, options.run, encoder_of_listener(options.run, options.text));
  Report report{.json = Json::array()};
  for (const std::string& text : options.say) {
    const listening::HeardUtterance heard = listener.hear(text, {}, static_cast<std::size_t>(options.forms));
    Json told = Json::array();
    if (heard.forms.empty()) report.text += "nothing of the graph is named in it\n";
    for (const listening::HeardForm& form : heard.forms) {
      const std::string words =
          form.unsaid ? "" : forms::in_words(form.query, opened.listened.lexicon().values());
      const std::string answer = answer_text(opened.listened, form);
      report.text += fmt::format("{:6.2f} %  {}\n          {}\n", 100 * form.probability, answer, words);
      told.push_back({{"probability", form.probability}, {"answer", answer}, {"form", words}});
    }
    report.json.push_back({{"question", text}, {"heard", told}});
  }
  return report;
}

}  // namespace kgwalk
