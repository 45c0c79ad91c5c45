// evaluate_listener(): questions that people wrote.
#include <fmt/format.h>

#include "kgwalk/evaluation.h"
#include "runtime/text.h"
#include "workflows/training/listener_lessons.h"

namespace kgwalk {

ListenerEvaluated evaluate_listener(const EvaluateListenerOptions& options, Reporter& reporter,
                                    const StopFlag& stop) {
  const ListenedDatabase opened(options.database);
  const std::vector<listening::FormQuestion> questions =
      written_questions(options.questions, options.without_named, opened, reporter);
  ListenerEvaluated result;
  result.json = measure_listener(opened.listened, options.run, encoder_of_listener(options.run, options.text),
                                 questions, reporter, stop);
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
