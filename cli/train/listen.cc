// kgwalk listen: train a listener on questions made from a graph, ask it, and measure it on questions that
// people wrote.
#include <algorithm>

#include "cli/frame/command.h"
#include "cli/frame/print.h"
#include "dialogue/text/text_encoder.h"
#include "kgwalk/form_text.h"
#include "kgwalk/store.h"
#include "listening/network/listener.h"
#include "listening/questions/generator.h"
#include "listening/questions/question_file.h"
#include "listening/questions/school_graph.h"
#include "runtime/json_text.h"
#include "runtime/text.h"

namespace kgwalk::cli {
namespace {

using listening::FormQuestion;

struct ListenOptions {
  std::string database, run, text, questions, output;
  std::vector<std::string> say;
  int made = 5000, shown = 3, forms = 3;
  bool without_named = false;
};

// What is trained and how the questions are made, as one configuration.
struct ListenConfiguration {
  listening::QuestionConfig questions;
  listening::ListenConfig listening;
  template <class F>
  void fields(F& f) {
    f("questions", questions, "Questions that are made from the graph.");
    f("listening", listening, "The listener.");
  }
};

struct Opened {
  explicit Opened(const ListenOptions& options)
      : store(graph::Store::open(options.database, graph::Store::Mode::kReadOnly)),
        graph(store.load_graph()),
        listened(graph) {}
  graph::Store store;
  graph::KnowledgeGraph graph;
  listening::ListenedGraph listened;
};

std::vector<FormQuestion> asked_questions(const ListenOptions& options, const Opened& opened,
                                          const Common& common) {
  const listening::QuestionFile file =
      listening::read_form_questions(options.questions, opened.graph, options.without_named);
  if (file.left_out > 0)
    common.reporter->warn(std::to_string(file.left_out) + " questions of " + options.questions +
                          " are left out: the graph does not have what answers them");
  return file.questions;
}

// The made-up graph with questions about it.
struct School {
  School(listening::QuestionConfig config, std::uint64_t seed)
      : graph(listening::school_graph(seed)), listened(graph) {
    config.count = static_cast<int>(config.school * config.count);
    if (config.count > 0)
      questions = make_form_questions(listened.lexicon(), listened.engine(), config, seed);
  }
  graph::KnowledgeGraph graph;
  listening::ListenedGraph listened;
  std::vector<FormQuestion> questions;
};

// None where there is no folder: who needs one says so.
std::shared_ptr<const dialogue::TextEncoder> load_encoder(const std::filesystem::path& folder) {
  return folder.empty() ? nullptr : dialogue::TextEncoder::load(folder);
}

void run_train(const ListenOptions& options, const Common& common) {
  ListenConfiguration config;
  config.questions.count = options.made;
  // Without a text encoder the listener has words of its own.
  if (options.text.empty()) config.listening.encoder = listening::WordEncoderKind::kOwn;
  config = load_config(common.config_files, common.assignments, config);
  const Opened opened(options);
  std::vector<FormQuestion> questions =
      make_form_questions(opened.listened.lexicon(), opened.listened.engine(), config.questions, common.seed);
  for (int i = 0; i < std::min(options.shown, static_cast<int>(questions.size())); ++i)
    print("{}: {}\n", questions[static_cast<std::size_t>(i)].kind,
          questions[static_cast<std::size_t>(i)].text);
  if (!options.questions.empty())
    for (FormQuestion& question : asked_questions(options, opened, common))
      questions.push_back(std::move(question));
  std::vector<listening::Lesson> lessons = {{opened.listened, questions}};
  const School school(config.questions, common.seed);
  if (!school.questions.empty()) lessons.push_back({school.listened, school.questions});
  const TrainReport report =
      train_listener({options.run, options.database, options.text, config.listening, common.seed}, lessons,
                     load_encoder(options.text), *common.reporter, *common.stop);
  print("{}\nrun folder: {}\n", report.summary(), options.run);
  common.write_json(report.to_json());
}

std::filesystem::path encoder_of(const ListenOptions& options) {
  return options.text.empty() ? RunFolder::open(options.run, listening::kListenerRun).manifest().text
                              : std::filesystem::path(options.text);
}

std::string answer_text(const Opened& opened, const listening::HeardForm& form) {
  constexpr std::size_t kTold = 8;
  if (form.unsaid) return "the graph does not say";
  if (form.truth) return *form.truth ? "yes" : "no";
  if (form.counted) return with_commas(static_cast<long long>(form.answers.size()));
  std::string text;
  for (std::size_t i = 0; i < std::min(kTold, form.answers.size()); ++i)
    text += (i == 0 ? "" : "; ") + opened.listened.lexicon().values().shown(form.answers[i]);
  if (form.answers.size() > kTold) text += " and " + std::to_string(form.answers.size() - kTold) + " more";
  return text;
}

void run_ask(const ListenOptions& options, const Common& common) {
  const Opened opened(options);
  const auto listener =
      listening::Listener::open(opened.listened, options.run, load_encoder(encoder_of(options)));
  Json all = Json::array();
  for (const std::string& text : options.say) {
    const listening::HeardUtterance heard = listener.hear(text, {}, static_cast<std::size_t>(options.forms));
    Json forms_heard = Json::array();
    if (heard.forms.empty()) print("nothing of the graph is named in it\n");
    for (const listening::HeardForm& form : heard.forms) {
      const std::string words =
          form.unsaid ? "" : forms::in_words(form.query, opened.listened.lexicon().values());
      print("{:6.2f} %  {}\n          {}\n", 100 * form.probability, answer_text(opened, form), words);
      forms_heard.push_back(
          {{"probability", form.probability}, {"answer", answer_text(opened, form)}, {"form", words}});
    }
    all.push_back({{"question", text}, {"heard", forms_heard}});
  }
  common.write_json(all);
}

void run_eval(const ListenOptions& options, const Common& common) {
  const Opened opened(options);
  const std::vector<FormQuestion> questions = asked_questions(options, opened, common);
  const Json found = measure_listener(opened.listened, options.run, load_encoder(encoder_of(options)),
                                      questions, *common.reporter, *common.stop);
  print("{} questions: {:.1f} % right; the right answer is among the candidates of {:.1f} %\n",
        with_commas(static_cast<long long>(questions.size())), found["score"].get<double>(),
        found["among"].get<double>());
  for (const auto& [key, value] : found.items())
    if (key.starts_with("right ")) print("  {:<14} {:.1f} %\n", key.substr(6), value.get<double>());
  common.write_json(found);
}

Verb add_listen(CLI::App& app, Common& common) {
  auto options = std::make_shared<ListenOptions>();
  app.require_subcommand(1);
  CLI::App* train = app.add_subcommand("train", "train a listener on questions made from a graph");
  train->add_option("--made", options->made, "questions made from the graph")
      ->check(CLI::Range(1, 10'000'000))
      ->capture_default_str();
  train->add_option("--questions", options->questions,
                    "questions that people wrote, to learn from beside them");
  train->add_option("--show", options->shown, "of the questions made, so many are printed")
      ->capture_default_str();
  CLI::App* ask = app.add_subcommand("ask", "what a text asks for, as forms with their answers");
  ask->add_option("text", options->say, "what is said")->required();
  ask->add_option("--k", options->forms, "forms shown")->check(CLI::Range(1, 100))->capture_default_str();
  CLI::App* eval = app.add_subcommand("eval", "how many questions that people wrote are answered right");
  eval->add_option("--questions", options->questions, "json lines with question and answers, count or yes")
      ->required();
  for (CLI::App* sub : {train, ask, eval}) {
    sub->add_option("--db", options->database, "database made by 'kgwalk ingest'")->required();
    sub->add_option("--run", options->run, "run folder of the listener")->required();
    sub->add_flag("--without-named", options->without_named,
                  "the answers leave out what the questions themselves name");
    sub->fallthrough();
  }
  train->add_option("--text", options->text,
                    "folder or run of the text encoder; without it the listener trains words of its own");
  for (CLI::App* sub : {ask, eval})
    sub->add_option("--text", options->text,
                    "folder or run of the text encoder (the one trained with unless given)");
  return [=, &common] {
    if (train->parsed()) return run_train(*options, common);
    if (ask->parsed()) return run_ask(*options, common);
    run_eval(*options, common);
  };
}

std::vector<Configurable> configures_listening() {
  return {
      configurable<ListenConfiguration>("listen train", "the listener, and the questions it is taught by")};
}

const Registration kListenCommand(
    {.name = "listen",
     .help = "train what hears questions as forms over the graph, ask it, measure it",
     .example = "train --db films.db --text runs/minilm --run runs/listener",
     .add = add_listen,
     .group = Group::kTrain,
     .place = 5,
     .computes = Computes::kNetworks,
     .trains = true,
     .configures = configures_listening});

}  // namespace
}  // namespace kgwalk::cli
