// kgwalk respond: sentences that say paths and answers.
#include <algorithm>

#include "cli/frame/command.h"
#include "cli/frame/print.h"
#include "cli/tasks/task_options.h"
#include "cli/tasks/task_output.h"
#include "dialogue/response/comparison.h"
#include "dialogue/response/config.h"
#include "dialogue/turn_example.h"
#include "kgwalk/error.h"
#include "kgwalk/training.h"
#include "runtime/files.h"
#include "runtime/run_folder.h"
#include "runtime/text.h"

namespace kgwalk::cli {
namespace {

struct RespondOptions {
  std::string database, run, preset = "default", split = "dev", dialogues, output;
  int batch = 32;
  std::size_t most = 0;
};

// What --set may change of a model that speaks.
struct SpeechChoice : seq2seq::TokenSearchOptions {
  bool constrained = true;
  Choice<dialogue::NeededNames> needed = dialogue::NeededNames::kAll;
  double least_sure = 0;
  template <class F>
  void fields(F& f) {
    seq2seq::TokenSearchOptions::fields(f);
    f("constrained", constrained, "No other names than those of the path and the context are said.");
    f("needed", needed, "Names of the path that a sentence has to say.");
    f("least_sure", least_sure, "What is less likely a piece is said by wordings.").range(0, 1);
  }
};

dialogue::ResponseModel open_model(const RespondOptions& options, const graph::KnowledgeGraph& graph,
                                   const dialogue::OrdinaryNames& ordinary, const Common& common) {
  auto model = dialogue::ResponseModel::open(
      options.run, std::make_shared<const dialogue::ForbiddenNames>(graph, ordinary));
  SpeechChoice choice{model.config().search, model.config().constrained, model.config().needed,
                      model.config().least_sure};
  choice = load_config(common.config_files, common.assignments, choice);
  model.set_search(choice, choice.constrained, choice.needed, choice.least_sure);
  return model;
}

void train_respond(const RespondOptions& options, const Common& common) {
  common.tell(train_responder({.database = options.database,
                               .run = options.run,
                               .seed = common.seed,
                               .settings = common.settings(options.preset)},
                              *common.reporter, *common.stop));
}

void print_comparison(const dialogue::Comparison& comparison) {
  print("{:<17} {:>6} {:>17} {:>6} {:>7} {:>7} {:>7} {:>8} {:>8}\n", "", "BLEU-4", "95 %", "chrF", "ROUGE-L",
        "dist-1", "dist-2", "named %", "wrong %");
  for (const dialogue::ResponseScores& s : comparison.systems)
    print("{:<17} {:6.2f} {:>17} {:6.2f} {:7.2f} {:7.3f} {:7.3f} {:8.2f} {:8.2f}\n", s.system, s.bleu.score,
          fmt::format("{:.2f} to {:.2f}", s.bleu.low, s.bleu.high), s.chrf.score, s.rouge_l.score,
          s.distinct_1, s.distinct_2, 100 * s.named, 100 * s.wrong);
  if (comparison.perplexity == 0) return;
  print(
      "perplexity {:.2f} a piece; {:.2f} % said by wordings; one sentence {:.1f} ms (median), {:.1f} ms (99 "
      "%)\n",
      comparison.perplexity, 100 * comparison.by_wordings, comparison.median_ms, comparison.p99_ms);
  print("processor time {:.1f} s with the constraint, {:.1f} s without\n", comparison.seconds_constrained,
        comparison.seconds_free);
}

// A json object a message: what is to be said, and each system's sentence.
void write_sentences(const std::string& file, const std::vector<dialogue::ResponseExample>& examples,
                     const dialogue::Comparison& comparison) {
  if (file.empty()) return;
  std::string lines;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    Json json = {{"message", dialogue::to_json(examples[i].message)}};
    for (std::size_t s = 0; s < comparison.systems.size(); ++s)
      json["said"][comparison.systems[s].system] = comparison.texts[s][i];
    if (!comparison.sure.empty()) json["sure"] = comparison.sure[i];
    lines += json.dump() + '\n';
  }
  write_file_atomically(file, lines);
}

std::vector<dialogue::ResponseExample> learned_paths(const graph::Store& store,
                                                     const graph::KnowledgeGraph& graph) {
  std::vector<dialogue::ResponseExample> learned;
  for (const std::string& split : dialogue::training_splits(store)) {
    auto part = dialogue::spoken_paths(store.dialogues(split), graph);
    std::move(part.begin(), part.end(), std::back_inserter(learned));
  }
  return learned;
}

void eval_respond(const RespondOptions& options, const Common& common) {
  const graph::Store store = graph::Store::open(options.database, graph::Store::Mode::kReadOnly);
  const graph::KnowledgeGraph graph = store.load_graph();
  std::vector<dialogue::ResponseExample> examples = dialogue::spoken_paths(
      options.dialogues.empty()
          ? store.dialogues(options.split)
          : dialogue::read_dialogue_csv(options.dialogues, graph, false, *common.reporter),
      graph);
  if (options.most > 0) examples.resize(std::min(examples.size(), options.most));
  const dialogue::NameChecker checker(graph, dialogue::ordinary_names_of(store, graph));
  std::optional<dialogue::ResponseModel> model;
  if (!options.run.empty()) model.emplace(open_model(options, graph, checker.ordinary(), common));
  dialogue::ComparisonOptions comparing;
  comparing.batch = options.batch;
  const dialogue::Comparison comparison = dialogue::compare_responses(
      examples, learned_paths(store, graph), model ? &*model : nullptr, checker, comparing, *common.reporter);
  print_comparison(comparison);
  write_sentences(options.output, examples, comparison);
  common.write_json(comparison.to_json());
}

// Messages on standard input, a json object a line.
void say_respond(const RespondOptions& options, const Common& common) {
  const graph::Store store = graph::Store::open(options.database, graph::Store::Mode::kReadOnly);
  const graph::KnowledgeGraph graph = store.load_graph();
  std::optional<dialogue::ResponseModel> model;
  if (!options.run.empty())
    model.emplace(open_model(options, graph, dialogue::ordinary_names_of(store, graph), common));
  const dialogue::TemplateSpeaker wordings;
  stream_lines(options.batch, common, [&](const std::vector<std::string>& lines, long long first) {
    std::vector<dialogue::Message> messages;
    for (const std::string& line : lines) {
      const auto number = static_cast<std::size_t>(first) + messages.size();
      try {
        messages.push_back(dialogue::message_of(Json::parse(line)));
        dialogue::check(messages.back(), graph);
      } catch (const Json::exception&) {
        throw DataError("standard input", number, "the line is no json");
      } catch (const ConfigError& error) {
        throw DataError("standard input", number, error.what());
      }
    }
    if (!model)
      for (const dialogue::Message& message : messages) print("{}\n", wordings.say(message));
    else
      for (const dialogue::SpokenMessage& spoken : model->say(messages, options.batch))
        print("{}\n", spoken.text);
  });
}

Verb add_respond(CLI::App& app, Common& common) {
  auto options = std::make_shared<RespondOptions>();
  TaskCommand command(app);
  CLI::App& train =
      command.add("train", "train a response model", [=, &common] { train_respond(*options, common); });
  train.add_option("--run", options->run, "run folder; an interrupted training in it is resumed")->required();
  train.add_option("--preset", options->preset, "default or tiny")->capture_default_str();
  CLI::App& eval = command.add(
      "eval", "compare a model with people, wordings and retrieval; --set changes the search (beam, ...)",
      [=, &common] { eval_respond(*options, common); });
  eval.add_option("--split", options->split, "split of the database to evaluate on")->capture_default_str();
  eval.add_option("--dialogs", options->dialogues, "dialogues to evaluate on instead, a csv file");
  eval.add_option("--most", options->most, "only the first so many paths; 0 means all")
      ->capture_default_str();
  eval.add_option("--output", options->output, "write all sentences to this file, a json object a path")
      ->check(output_file());
  CLI::App& say = command.add("say", "say messages of standard input, a json object on each line",
                              [=, &common] { say_respond(*options, common); });
  for (CLI::App* sub : {&eval, &say}) {
    sub->add_option("--run", options->run, "run of 'kgwalk respond train'; by wordings without");
    sub->add_option("--batch", options->batch, "sentences decoded together at most")
        ->check(CLI::Range(1, 100000))
        ->capture_default_str();
  }
  for (CLI::App* sub : {&train, &eval, &say})
    sub->add_option("--db", options->database, "database made by 'kgwalk ingest'")->required();
  return command.verb();
}

std::vector<Configurable> configures_respond() {
  return {configurable_of("respond train", "train_responder")};
}

const Registration kRespondCommand({.name = "respond",
                                    .help = "train a model that says paths and answers, measure it, hear it",
                                    .example = "train --db films.db --run runs/respond",
                                    .add = add_respond,
                                    .group = Group::kTrain,
                                    .place = 7,
                                    .computes = Computes::kNetworks,
                                    .trains = true,
                                    .configures = configures_respond});

}  // namespace
}  // namespace kgwalk::cli
