#include "listening/network/listener.h"

#include <algorithm>
#include <optional>

#include "dialogue/text/text_encoder.h"
#include "kgwalk/error.h"
#include "listening/acts/act_examples.h"
#include "listening/acts/act_model.h"
#include "listening/network/listen_task.h"
#include "listening/network/start_weights.h"
#include "runtime/checksum.h"
#include "runtime/files.h"
#include "runtime/parallel.h"
#include "runtime/tensor/checkpoint.h"
#include "runtime/tensor/device.h"

namespace kgwalk::listening {
namespace {

using torch::Tensor;

constexpr const char* kActsFile = "acts.bin";
constexpr std::size_t kActExamples = 40'000;  // of wordings, beside the questions
constexpr std::size_t kActNames = 400;

// Whether a name is one word that people say of everything, where a capital tells nothing: "Once more?" names
// no Once.
bool is_said_anyway(const HeardParts& parts, const HeardMention& mention) {
  if (mention.last - mention.first != 1) return false;
  const std::vector<SaidWord>& words = parts.said.words;
  const bool begins = mention.first == 0 || !words[mention.first - 1].is_word;
  return (begins || !words[mention.first].capital) && words.size() > 1 &&
         is_word_of_acts(words[mention.first].folded);
}

// Words of what is surely named, in their order.
std::vector<NamedWords> named_words(const HeardParts& parts) {
  std::vector<NamedWords> names;
  for (const std::uint32_t m : parts.named)
    if (!is_said_anyway(parts, parts.mentions[m]))
      names.emplace_back(parts.mentions[m].first, parts.mentions[m].last);
  std::sort(names.begin(), names.end());
  return names;
}

// Of the wordings of acts with names of the graph, and of the questions, which are acts of asking.
ActModel train_acts(const ListenedGraph& graph, std::span<const FormQuestion> questions, std::uint64_t seed) {
  Random random(seed, 83);
  const graph::KnowledgeGraph& all = graph.lexicon().graph();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kActNames; ++i)
    names.emplace_back(all.entity_name(static_cast<graph::EntityId>(random.below(all.num_entities()))));
  std::erase_if(names, [](const std::string& name) { return name.empty() || name.size() > 60; });
  if (names.empty()) names.emplace_back("X");
  std::vector<ActExample> examples = act_examples(names, kActExamples, random);
  for (const FormQuestion& question : questions) {
    const HeardParts parts = heard_parts(graph.lexicon(), graph.finder(), question.text, question.before);
    ActExample example{question.text, named_words(parts), {}, Act::kQuestion};
    example.context.answered = !question.before.relations.empty();
    examples.push_back(std::move(example));
  }
  return ActModel::train(examples, seed);
}

// All that a question teaches by.
std::string taught_by(const FormQuestion& question) {
  std::string text = question.text + "\n" + question.kind + (question.counted ? "\ncounted" : "") +
                     (question.unsaid ? "\nunsaid" : "") +
                     (question.truth ? (*question.truth ? "\nyes" : "\nno") : "");
  if (question.amount) text.append("\n").append(std::to_string(*question.amount));
  const auto add = [&](const auto& ids) {
    text += '\n';
    for (const auto id : ids) text += std::to_string(id) + ' ';
  };
  add(question.answers);
  add(question.relations);
  add(question.before.relations);
  add(question.before.answers);
  for (const auto& [entity, note] : question.before.focus)
    text += std::to_string(entity) + (note.topic ? 't' : 'a') + std::to_string(note.turns_ago) + ' ';
  return text + '\n';
}

ActModel open_acts(const RunFolder& run) {
  const std::filesystem::path file = run.path() / kActsFile;
  if (!std::filesystem::exists(file))
    throw FormatError(run.path().string() + ": this listener hears no acts yet; train it again",
                      Remedy{Remedy::kTrain, std::string(kListenerRun.command)});
  return ActModel::of_bytes(read_file(file), file.string());
}

std::string checksum_of_features() {
  std::string names;
  for (const std::string_view name : feature_names()) names.append(name).push_back('\n');
  for (const std::string_view name : cue_names()) names.append(name).push_back('\n');
  return checksum_of(names);
}

// The states of words of a frozen encoder, where there is one.
std::optional<WordStates> word_states(std::shared_ptr<const dialogue::TextEncoder> encoder) {
  if (!encoder) return std::nullopt;
  return WordStates(std::move(encoder));
}

constexpr const char* kNoEncoder = "own";  // where a checksum of a text encoder would stand

std::string checksum_of_states(const std::optional<WordStates>& states) {
  return states ? states->checksum() : kNoEncoder;
}

// What the run was trained with; a listener without a text encoder does not look at the one given.
std::optional<WordStates> word_states(const RunFolder& run,
                                      std::shared_ptr<const dialogue::TextEncoder> encoder) {
  if (run.manifest().checksums.value("text", kNoEncoder) == kNoEncoder) return std::nullopt;
  if (!encoder)
    throw ConfigError(run.path().string() + ": this listener hears with a text encoder and none was given",
                      Remedy{Remedy::kGive, "text"});
  return word_states(std::move(encoder));
}

const WordStates* address_of(const std::optional<WordStates>& states) { return states ? &*states : nullptr; }

FormScorer make_scorer(const ListenConfig& config, const std::optional<WordStates>& states) {
  FormScorerOptions options;
  options.own = config.own;
  if (states) options.encoded_width = states->width();
  for (const std::string_view name : feature_names()) options.features.emplace_back(name);
  options.num_cues = static_cast<std::int64_t>(cue_names().size());
  options.rank = config.rank;
  options.hidden = config.hidden;
  options.dropout = config.dropout;
  options.without = config.without;
  return FormScorer(options);
}

PrepareOptions prepare_options(const ListenConfig& config) {
  return {static_cast<std::size_t>(config.most_candidates), config.families};
}

// Candidates of every question on all threads; states of all texts together.
std::vector<ListenExample> make_examples(const ListenedGraph& graph, const ListenConfig& config,
                                         const std::optional<WordStates>& states,
                                         std::span<const FormQuestion> questions, Reporter& reporter,
                                         const StopFlag& stop) {
  std::vector<ListenExample> examples(questions.size());
  const auto progress =
      reporter.start("candidates", static_cast<std::int64_t>(questions.size()), "questions");
  parallel_for(static_cast<std::int64_t>(questions.size()), 16, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      if (stop.requested()) return;
      const FormQuestion& question = questions[static_cast<std::size_t>(i)];
      ListenExample& example = examples[static_cast<std::size_t>(i)];
      const Prepared prepared =
          prepare(graph.lexicon(), graph.engine(),
                  heard_parts(graph.lexicon(), graph.finder(), question.text, question.before),
                  prepare_options(config));
      example.input = form_input(prepared);
      example.input.targets =
          right_candidates(question, prepared.candidates, prepared.parts.mentions, graph.lexicon());
      example.kind = question.kind;
      example.groups = group_answers(prepared.candidates);
      example.right = right_groups(question, prepared.candidates, prepared.parts.mentions, example.groups);
      progress->add(1);
    }
  });
  if (stop.requested()) throw Stopped("stopped before the training began");
  if (!states) return examples;
  std::vector<std::vector<std::string>> texts;
  for (const ListenExample& example : examples) texts.push_back(example.input.words);
  std::vector<Tensor> all = states->of(texts, reporter, stop);
  for (std::size_t i = 0; i < examples.size(); ++i) examples[i].encoded = std::move(all[i]);
  return examples;
}

bool teaches(const ListenExample& example) {
  return std::any_of(example.input.targets.begin(), example.input.targets.end(),
                     [](float x) { return x > 0; });
}

// Every so many of the questions choose the best checkpoint.
void split(std::vector<ListenExample> all, double kept_back, std::vector<ListenExample>& train,
           std::vector<ListenExample>& dev) {
  double due = 0;
  for (ListenExample& example : all) {
    due += kept_back;
    if (due >= 1) {
      due -= 1;
      dev.push_back(std::move(example));
    } else if (teaches(example)) {
      train.push_back(std::move(example));
    }
  }
}

void refuse_other_encoder(const RunFolder& run, const std::optional<WordStates>& states) {
  if (run.manifest().checksums.value("text", "") != checksum_of_states(states))
    throw FormatError(run.path().string() +
                      ": this listener was trained with another text encoder; give that one");
}

void refuse_other_features(const RunFolder& run) {
  if (run.manifest().checksums.value("features", "") != checksum_of_features())
    throw FormatError(
        run.path().string() + ": this listener was trained by a program with other features; train it again",
        Remedy{Remedy::kTrain, std::string(kListenerRun.command)});
}

// Runs of before said where the states of words come from; those that had a text encoder read nothing else.
ListenConfig config_of(const RunFolder& run) {
  Json json = run.manifest().part_json("listening");
  if (json.value("encoder", "own") != "own")
    throw FormatError(
        run.path().string() +
            ": this listener was trained by a program that read a text encoder alone; train it again",
        Remedy{Remedy::kTrain, std::string(kListenerRun.command)});
  json.erase("encoder");
  ListenConfig config;
  apply_json(config, json, (run.path() / "config.json").string());
  return config;
}

FormScorer open_scorer(const RunFolder& run, const std::optional<WordStates>& states,
                       const ListenConfig& config) {
  refuse_other_encoder(run, states);
  refuse_other_features(run);
  FormScorer scorer = make_scorer(config, states);
  const std::filesystem::path from = run.need_checkpoint("best");
  load_state(*scorer, read_checkpoint_model(from), from.string());
  move_to(*scorer, compute_device());
  scorer->eval();
  return scorer;
}

// As ListenTraining::from says.
std::optional<StartWeights> start_weights(const std::filesystem::path& from) {
  if (from.empty()) return std::nullopt;
  if (from == kFromSchool) return StartWeights::schooled();
  if (!std::filesystem::exists(from))
    throw ConfigError(from.string() +
                      ": there is no such run of a listener, or file of its weights, to begin with");
  if (!std::filesystem::is_directory(from)) return StartWeights::of_file(from);
  const RunFolder run = RunFolder::open(from, kListenerRun);
  refuse_other_features(run);
  return StartWeights::of_run(run);
}

}  // namespace

ListenedGraph::ListenedGraph(const graph::KnowledgeGraph& graph)
    : values_(graph), engine_(values_), lexicon_(graph, values_), finder_(graph) {}

struct Listener::Impl {
  const ListenedGraph& graph;
  ListenConfig config;
  std::optional<WordStates> states;
  ActModel acts;
  mutable FormScorer scorer;  // forward() of a scorer in evaluation changes nothing
  FormKeys keys;
};

Listener::Listener(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Listener::Listener(Listener&&) noexcept = default;
Listener& Listener::operator=(Listener&&) noexcept = default;
Listener::~Listener() = default;

Listener Listener::open(const ListenedGraph& graph, const std::filesystem::path& path,
                        std::shared_ptr<const dialogue::TextEncoder> encoder) {
  const RunFolder run = RunFolder::open(path, kListenerRun);
  ListenConfig config = config_of(run);
  std::optional<WordStates> states = word_states(run, std::move(encoder));
  FormScorer scorer = open_scorer(run, states, config);
  const torch::NoGradGuard no_grad;
  FormKeys keys = form_keys(scorer, word_tables(graph.lexicon(), address_of(states)));
  return Listener(std::unique_ptr<Impl>(new Impl{graph, std::move(config), std::move(states), open_acts(run),
                                                 std::move(scorer), std::move(keys)}));
}

HeardUtterance Listener::hear(std::string_view text, const SaidBefore& before, std::size_t k) const {
  const Lexicon& lexicon = impl_->graph.lexicon();
  Prepared prepared =
      prepare(lexicon, impl_->graph.engine(), heard_parts(lexicon, impl_->graph.finder(), text, before),
              prepare_options(impl_->config));
  HeardUtterance heard;
  heard.acts = impl_->acts.hear(prepared.parts.said, named_words(prepared.parts), before.context);
  if (prepared.candidates.empty()) {
    heard.parts = std::move(prepared.parts);
    return heard;
  }
  ListenExample example;
  example.input = form_input(prepared);
  if (impl_->states) {
    const Words words[] = {example.input.words};
    example.encoded = impl_->states->of(words).front();
  }
  example.groups = group_answers(prepared.candidates);
  const ListenExample* const one[] = {&example};
  const torch::NoGradGuard no_grad;
  const Tensor log_probs = on_processor(score(impl_->scorer, impl_->keys, one));
  const std::span<const float> logs(log_probs.data_ptr<float>(), 2 * prepared.candidates.size());
  const std::vector<double> sums = group_probabilities(example.groups, logs);
  std::vector<std::size_t> best(sums.size());  // of each answer its likeliest form
  std::vector<float> most(sums.size(), -1e30F);
  for (std::size_t i = 0; i < example.groups.of.size(); ++i) {
    const std::int32_t group = example.groups.of[i];
    if (group < 0 || logs[i] <= most[static_cast<std::size_t>(group)]) continue;
    most[static_cast<std::size_t>(group)] = logs[i];
    best[static_cast<std::size_t>(group)] = i;
  }
  std::vector<std::size_t> order(sums.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sums[a] > sums[b]; });
  order.resize(std::min(order.size(), k));
  for (const std::size_t group : order) {
    const Candidate& candidate = prepared.candidates[best[group] / 2];
    const bool counted = best[group] % 2 == 1;
    HeardForm form;
    form.probability = sums[group];
    form.unsaid = candidate.shape == Shape::kNothing;
    form.counted = counted;
    form.answers = candidate.answers;
    form.truth = candidate.truth;
    form.amount = candidate.amount;
    for (const std::uint32_t m : candidate.mentions)
      if (prepared.parts.mentions[m].members.empty()) form.about.push_back(prepared.parts.mentions[m].entity);
    for (const Slot& slot : candidate.slots) form.relations.push_back(slot.relation);
    if (!form.unsaid) form.query = form_of(candidate, prepared.parts, lexicon, counted);
    heard.forms.push_back(std::move(form));
  }
  heard.parts = std::move(prepared.parts);
  return heard;
}

TrainReport train_listener(const ListenTraining& training, std::span<const Lesson> lessons,
                           std::shared_ptr<const dialogue::TextEncoder> encoder, Reporter& reporter,
                           const StopFlag& stop) {
  validate(training.config, "configuration of a listener");
  if (lessons.empty()) throw ConfigError("a listener learns from nothing");
  const Lesson& own = lessons.front();
  const std::optional<WordStates> states = word_states(std::move(encoder));
  // Before all that takes long: weights of other widths are refused.
  const std::optional<StartWeights> start = start_weights(training.from);
  torch::manual_seed(training.seed);
  FormScorer scorer = make_scorer(training.config, states);
  if (start) start->copy_to(scorer, checksum_of_states(states));
  RunFolder folder = RunFolder::create(training.run, kListenerRun);
  RunManifest manifest(kListenerRun, training.config, training.seed);
  if (!training.database.empty()) manifest.database = std::filesystem::absolute(training.database);
  if (!training.text.empty()) manifest.text = std::filesystem::absolute(training.text);
  Checksum learned;
  for (const Lesson& lesson : lessons)
    for (const FormQuestion& question : lesson.questions) learned.add(taught_by(question));
  manifest.checksums = {{"graph", own.graph.lexicon().graph().checksum()},
                        {"text", checksum_of_states(states)},
                        {"features", checksum_of_features()},
                        {"questions", learned.hex()}};
  if (start) {
    manifest.sources["from"] = training.from;
    manifest.checksums["from"] = start->checksum();
  }
  refuse_another_training(training.config.trainer, manifest, folder);
  write_file_atomically(folder.path() / kActsFile,
                        train_acts(own.graph, own.questions, training.seed).to_bytes());
  std::vector<ListenExample> train, dev;
  WordTables tables;
  for (const Lesson& lesson : lessons) {
    std::vector<ListenExample> examples =
        make_examples(lesson.graph, training.config, states, lesson.questions, reporter, stop);
    const bool first = &lesson == &own;
    for (ListenExample& example : examples)
      if (!first) shift_rows(example.input, tables);
    append(tables, word_tables(lesson.graph.lexicon(), address_of(states)));
    split(std::move(examples), first ? training.config.kept_back : 0, train, dev);
  }
  if (train.empty()) throw ConfigError("no question to learn from has a right answer among its candidates");
  reporter.info(std::to_string(train.size()) + " questions to learn from, " + std::to_string(dev.size()) +
                " for choosing");
  ListenTask task(std::move(scorer), tables, std::move(train), std::move(dev), training.config.batch);
  return kgwalk::train(task, training.config.trainer, manifest, folder, reporter, stop);
}

void write_weights(const std::filesystem::path& run, const std::filesystem::path& file) {
  StartWeights::of_run(RunFolder::open(run, kListenerRun)).write(file);
}

Json measure_listener(const ListenedGraph& graph, const std::filesystem::path& path,
                      std::shared_ptr<const dialogue::TextEncoder> encoder,
                      std::span<const FormQuestion> questions, Reporter& reporter, const StopFlag& stop,
                      std::vector<bool>* right) {
  const RunFolder run = RunFolder::open(path, kListenerRun);
  const ListenConfig config = config_of(run);
  const std::optional<WordStates> states = word_states(run, std::move(encoder));
  FormScorer scorer = open_scorer(run, states, config);
  const std::vector<ListenExample> examples = make_examples(graph, config, states, questions, reporter, stop);
  Json json =
      measure(scorer, word_tables(graph.lexicon(), address_of(states)), examples, config.batch, right);
  const auto among = std::count_if(examples.begin(), examples.end(),
                                   [](const ListenExample& e) { return !e.right.empty(); });
  json["among"] =
      examples.empty() ? 0.0 : 100.0 * static_cast<double>(among) / static_cast<double>(examples.size());
  return json;
}

}  // namespace kgwalk::listening
