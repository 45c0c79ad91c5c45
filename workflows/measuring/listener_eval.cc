// evaluate_listener(): questions that people wrote.
#include <fmt/format.h>

#include "kgwalk/evaluation.h"
#include "kgwalk/form_text.h"
#include "runtime/atomic_file.h"
#include "runtime/text.h"
#include "workflows/training/listener_lessons.h"

namespace kgwalk {
namespace {

// As EvaluateListenerOptions::heard says.
void write_heard(const EvaluateListenerOptions& options, const ListenedDatabase& opened,
                 const std::vector<listening::FormQuestion>& questions, const std::vector<bool>& right,
                 const StopFlag& stop) {
  const auto listener =
      listening::Listener::open(opened.listened, options.run, encoder_of_listener(options.run, options.text));
  const graph::TypedValues& values = opened.listened.lexicon().values();
  AtomicFile out(options.heard);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (stop.requested()) throw Stopped("stopped; what was heard is not written");
    const listening::HeardUtterance heard = listener.hear(questions[i].text, questions[i].before, 1);
    Json line = {{"question", questions[i].text},
                 {"kind", questions[i].kind},
                 {"right", bool(right[i])},
                 {"form", nullptr}};
    if (!heard.forms.empty()) {
      const listening::HeardForm& best = heard.forms.front();
      line["probability"] = best.probability;
      if (best.unsaid) {
        line["words"] = "the graph does not say";
      } else {
        line["form"] = forms::to_json(best.query, values);
        line["words"] = forms::in_words(best.query, values);
      }
    }
    out.write(line.dump() + "\n");
  }
  out.commit();
}

}  // namespace

ListenerEvaluated evaluate_listener(const EvaluateListenerOptions& options, Reporter& reporter,
                                    const StopFlag& stop) {
  const ListenedDatabase opened(options.database);
  const std::vector<listening::FormQuestion> questions =
      written_questions(options.questions, options.without_named, opened, reporter);
  ListenerEvaluated result;
  std::vector<bool> right;
  result.json = measure_listener(opened.listened, options.run, encoder_of_listener(options.run, options.text),
                                 questions, reporter, stop, &right);
  if (!options.heard.empty()) write_heard(options, opened, questions, right, stop);
  result.questions = questions.size();
  result.right = result.json.at("score").get<double>();
  result.among = result.json.at("among").get<double>();
  result.text =
      fmt::format("{} questions: {:.1f} % right; the right answer is among the candidates of {:.1f} %\n",
                  with_commas(static_cast<long long>(questions.size())), result.right, result.among);
  for (const auto& [key, value] : result.json.items())
    if (key.starts_with("right "))
      result.text += fmt::format("  {:<14} {:.1f} %\n", key.substr(6), value.get<double>());
  return result;
}

}  // namespace kgwalk
