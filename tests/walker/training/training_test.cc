#include "walker/training/training.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "kgwalk/error.h"
#include "kgwalk/ingest.h"
#include "runtime/files.h"
#include "runtime/tensor/torch_threads.h"
#include "tests/walker/small_world.h"
#include "walker/data/dataset.h"
#include "walker/evaluation/evaluation.h"
#include "walker/evaluation/question_eval.h"
#include "walker/training/run.h"

namespace kgwalk::walker {
namespace {

namespace fs = std::filesystem;

// A database of the film graph with a few annotated dialogues: "who directed X" walks to the director, "which
// genre is X" to the genre.
class TrainedOnDisk : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("kgwalk_walker_test_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    const std::string triples =
        "Heat\tstarred_actors\tAl Pacino\nHeat\tdirected_by\tMichael Mann\nHeat\thas_genre\tCrime\n"
        "Collateral\tdirected_by\tMichael "
        "Mann\nCollateral\thas_genre\tThriller\nScarface\tdirected_by\tBrian De Palma\n"
        "Scarface\thas_genre\tCrime\nScarface\tstarred_actors\tAl Pacino\n";
    write_file_atomically(folder_ / "triples.txt", triples);
    std::string csv = "Messages,User Rating,Assistant Rating\n";
    for (const auto& [film, director, genre] :
         {std::tuple("Heat", "Michael Mann", "Crime"), std::tuple("Collateral", "Michael Mann", "Thriller"),
          std::tuple("Scarface", "Brian De Palma", "Crime")}) {
      csv += row(std::string("who directed it"), film, "directed_by", director);
      csv += row(std::string("which genre is it"), film, "has_genre", genre);
    }
    write_file_atomically(folder_ / "train.csv", csv);
    ingest("graph.db", triples);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void ingest(const std::string& name, const std::string& triples) {
    write_file_atomically(folder_ / (name + ".txt"), triples);
    graph::IngestOptions options;
    options.database = folder_ / name;
    options.triples = {folder_ / (name + ".txt")};
    options.dialogues = {{"train", folder_ / "train.csv"}, {"dev", folder_ / "train.csv"}};
    (void)graph::ingest(options);
  }

  static std::string row(const std::string& question, const std::string& film, const std::string& relation,
                         const std::string& tail) {
    Json messages = Json::array();
    messages.push_back({{"message", question}, {"type", "chat"}, {"sender", "user"}});
    Json path = Json::array({0.0, Json::array({Json::array({film, relation, tail})}), ""});
    messages.push_back({{"metadata", {{"path", path}}},
                        {"type", "action"},
                        {"sender", "assistant"},
                        {"action_id", "kgwalk/choose_path"}});
    messages.push_back({{"message", "it is " + tail}, {"type", "chat"}, {"sender", "assistant"}});
    std::string quoted = "\"";
    for (const char c : messages.dump()) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\",{},{}\n";
  }

  TrainOptions options(const std::string& model) const {
    TrainOptions o;
    o.database = folder_ / "graph.db";
    o.run = folder_ / ("run_" + model);
    o.config.model = model;
    o.config.encoder.layers = o.config.decoder.layers = 1;
    o.config.encoder.width = o.config.decoder.width = 32;
    o.config.encoder.heads = o.config.decoder.heads = 2;
    o.config.encoder.ffn_width = o.config.decoder.ffn_width = 64;
    o.config.encoder.dropout = o.config.decoder.dropout = 0;
    o.config.encoder.attention_dropout = o.config.decoder.attention_dropout = 0;
    o.config.metapath.kg_width = 16;
    o.config.metapath.random_tables = true;
    o.config.text.states = false;
    o.config.text.word_width = 16;
    o.config.text.word_min_messages = 1;
    o.config.text.word_dropout = 0;
    o.config.train_splits = {"train"};
    o.config.max_batch = 3;
    o.config.trainer.max_epochs = 60;
    o.config.trainer.eval_every = 40;
    o.config.trainer.adam.lr = 0.01;
    return o;
  }

  fs::path folder_;
};

TEST_F(TrainedOnDisk, ATinyWalkerOverfitsAndSurvivesTheDisk) {
  set_torch_threads(1);
  const TrainOptions o = options("hitkg");
  const TrainReport report = train_walker(o, silent_reporter(), never_stop());
  EXPECT_GT(report.steps, 0);
  const graph::Store store = graph::Store::open(o.database, graph::Store::Mode::kReadOnly);
  const auto model = open_walker(store, open_walker_run(o.run));
  const auto examples = load_examples(store, model->graph(), std::vector<std::string>{"train"});
  ASSERT_EQ(examples.size(), 6U);
  const Evaluation found = evaluate_paths(*model, examples, {});
  EXPECT_EQ(found.all.path[0].percent, 100);
  EXPECT_EQ(found.all.target[0].percent, 100);
  EXPECT_EQ(report.best_metrics["path@1"].get<double>(), 100);

  // The same weights again, and in an ensemble with themselves.
  const auto again = open_walker(store, open_walker_run(o.run));
  const WalkerRun twice[] = {open_walker_run(o.run), open_walker_run(o.run)};
  const auto both = open_walkers(store, twice);
  const auto x = beam_paths(*model, examples, {}), y = beam_paths(*again, examples, {}),
             z = beam_paths(*both, examples, {});
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t p = 0; p < x[i].size(); ++p) {
      EXPECT_EQ(x[i][p].log_prob, y[i][p].log_prob);
      EXPECT_NEAR(std::exp(x[i][p].log_prob), std::exp(z[i][p].log_prob), 1e-5);
    }
}

TEST_F(TrainedOnDisk, ARunRefusesAnotherGraphOrTrainingData) {
  TrainOptions o = options("scorer");
  o.config.trainer.max_epochs = 1;
  (void)train_walker(o, silent_reporter(), never_stop());
  ingest(
      "other.db",
      "Heat\tdirected_by\tMichael Mann\nHeat\thas_genre\tCrime\nCollateral\tdirected_by\tMichael Mann\n"
      "Collateral\thas_genre\tThriller\nScarface\tdirected_by\tBrian De Palma\nScarface\thas_genre\tCrime\n");
  const graph::Store other = graph::Store::open(folder_ / "other.db", graph::Store::Mode::kReadOnly);
  try {
    (void)open_walker(other, open_walker_run(o.run));
    FAIL() << "a walker of another graph was opened";
  } catch (const FormatError& error) {
    EXPECT_NE(std::string(error.what()).find("knowledge graph"), std::string::npos) << error.what();
  }
  const graph::Store store = graph::Store::open(o.database, graph::Store::Mode::kReadOnly);
  EXPECT_NO_THROW((void)open_walker(store, open_walker_run(o.run)));
  EXPECT_THROW((void)open_walker_run(folder_ / "nothing"), Error);
  try {
    (void)open_walker(other, open_walker_run(o.run), {.other_graph = true});
    FAIL() << "habits of another graph were used";
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("does not listen"), std::string::npos) << error.what();
  }
}

TEST_F(TrainedOnDisk, EveryModelTrainsAndBeatsChance) {
  set_torch_threads(1);
  for (const char* name : {"scorer", "lstm", "prior"}) {
    TrainOptions o = options(name);
    if (o.config.model != WalkerKind::kScorer) o.config.text.word_width = 0;
    (void)train_walker(o, silent_reporter(), never_stop());
    const graph::Store store = graph::Store::open(o.database, graph::Store::Mode::kReadOnly);
    const auto model = open_walker(store, open_walker_run(o.run));
    const auto examples = load_examples(store, model->graph(), std::vector<std::string>{"dev"});
    const Evaluation found = evaluate_paths(*model, examples, {});
    EXPECT_GE(found.all.path[1].percent, 80) << name;  // the two questions are equally frequent
    EXPECT_EQ(found.all.num_paths, 6);
  }
}

// Questions decide where a walk goes although the dialogues say nothing of them: each film is asked about in
// words, and the start is found in what was said.
TEST_F(TrainedOnDisk, AWalkerThatListensAnswersWhatItIsAsked) {
  const std::vector<std::tuple<const char*, const char*, const char*, const char*>> facts{
      {"Heat", "directed_by", "Michael Mann", "who directed Heat?"},
      {"Heat", "has_genre", "Crime", "what kind of film is Heat?"},
      {"Collateral", "directed_by", "Michael Mann", "who made Collateral?"},
      {"Scarface", "directed_by", "Brian De Palma", "who directed Scarface?"},
      {"Scarface", "has_genre", "Crime", "what kind of film is Scarface?"},
      {"Scarface", "starred_actors", "Al Pacino", "who acted in Scarface?"}};
  std::vector<dialogue::QuestionTurn> questions;
  for (int copy = 0; copy < 20; ++copy)
    for (const auto& [film, relation, answer, text] : facts) {
      dialogue::QuestionTurn question;
      question.turns = {text};
      question.start = film;
      question.relations = {{relation}};
      question.answers = {answer};
      questions.push_back(question);
      question = {};
      question.turns = {std::string("I like ") + film + "."};
      question.start = film;
      question.asks = dialogue::Asks::kNothing;
      questions.push_back(question);
    }
  dialogue::write_questions(folder_ / "questions.jsonl", questions);
  TrainOptions listening = options("scorer");
  listening.config.listen.on = true;
  listening.config.listen.width = 32;
  listening.config.listen.buckets = 2048;
  listening.config.trainer.max_epochs = 60;
  listening.questions = {{"own", folder_ / "questions.jsonl", 1}};
  (void)train_walker(listening, silent_reporter(), never_stop());
  const graph::Store store = graph::Store::open(folder_ / "graph.db", graph::Store::Mode::kReadOnly);
  const auto model = open_walker(store, open_walker_run(listening.run));
  for (const bool given : {true, false}) {
    const QuestionEvaluation found = evaluate_questions(*model, questions, given, AnswerConfig{});
    EXPECT_EQ(found.rows.at("one").first, 100) << given;
    EXPECT_EQ(found.rows.at("all").act, 100) << given;
    EXPECT_EQ(found.rows.at("one").start, 100) << given;
  }
  // On a graph of the same relations and other films it hears what is asked, where that is allowed.
  ingest("other.db",
         "Jaws\tdirected_by\tSteven Spielberg\nJaws\thas_genre\tThriller\nAlien\tdirected_by\tRidley Scott\n"
         "Alien\thas_genre\tHorror\nAlien\tstarred_actors\tSigourney Weaver\n");
  const graph::Store other = graph::Store::open(folder_ / "other.db", graph::Store::Mode::kReadOnly);
  EXPECT_THROW((void)open_walker(other, open_walker_run(listening.run)), FormatError);
  const auto stranger = open_walker(other, open_walker_run(listening.run), {.other_graph = true});
  std::vector<dialogue::QuestionTurn> asked;
  for (const auto& [film, relation, answer, text] :
       {std::tuple("Jaws", "directed_by", "Steven Spielberg", "who directed Jaws?"),
        std::tuple("Jaws", "has_genre", "Thriller", "what kind of film is Jaws?"),
        std::tuple("Alien", "directed_by", "Ridley Scott", "who directed Alien?"),
        std::tuple("Alien", "starred_actors", "Sigourney Weaver", "who acted in Alien?")}) {
    dialogue::QuestionTurn& question = asked.emplace_back();
    question.turns = {text};
    question.start = film;
    question.relations = {{relation}};
    question.answers = {answer};
  }
  EXPECT_EQ(evaluate_questions(*stranger, asked, true, AnswerConfig{}).rows.at("one").first, 100);
  const auto at_home = open_walker(store, open_walker_run(listening.run), {.other_graph = true});
  EXPECT_EQ(evaluate_questions(*at_home, questions, true, AnswerConfig{}).rows.at("one").first, 100);
  // What the graph does not have is told, and counts as wrong.
  questions.front().start = "Nowhere";
  const QuestionEvaluation found = evaluate_questions(*model, questions, true, AnswerConfig{});
  EXPECT_EQ(found.unknown, 1);
  EXPECT_NEAR(found.rows.at("one").first, 100.0 * 119 / 120, 1e-9);
  EXPECT_FALSE(found.outcomes.front().right);
}

TEST_F(TrainedOnDisk, TextWithoutAnEncoderIsAClearError) {
  TrainOptions o = options("hitkg");
  o.config.text.states = true;
  try {
    (void)train_walker(o, silent_reporter(), never_stop());
    FAIL();
  } catch (const ConfigError& error) {
    ASSERT_FALSE(error.remedies().empty()) << error.what();
    EXPECT_EQ(error.remedies()[0].action, Remedy::kGive);
    EXPECT_EQ(error.remedies()[0].subject, "text");
  }
}

TEST_F(TrainedOnDisk, CandidateStartsComeFromThePathOrTheText) {
  const graph::Store store = graph::Store::open(folder_ / "graph.db", graph::Store::Mode::kReadOnly);
  const auto graph = store.load_graph();
  const dialogue::EntityLinker linker = dialogue::EntityLinker::open(store, graph);
  Example example;
  example.context = {{graph::Speaker::kUser, "I love Heat"}, {graph::Speaker::kAssistant, "And Scarface?"}};
  EXPECT_EQ(candidate_starts(example, linker),
            (std::vector<graph::EntityId>{*graph.find_entity("Scarface"), *graph.find_entity("Heat")}));
  example.walked = {
      {*graph.find_entity("Heat"), *graph.find_relation("has_genre"), *graph.find_entity("Crime")},
      {*graph.find_entity("Crime"), *graph.find_relation("~has_genre"), *graph.find_entity("Scarface")}};
  example.path_ends = {2};
  EXPECT_EQ(candidate_starts(example, linker),
            (std::vector<graph::EntityId>{*graph.find_entity("Crime"), *graph.find_entity("Scarface")}));
}

// fixtures/old_prior was trained on data/sample by the program before runs had a manifest.
TEST_F(TrainedOnDisk, ARunOfBeforeManifestsOpens) {
  const fs::path sample = fs::path(KGWALK_SOURCE_DIR) / "data/sample", database = folder_ / "sample.db";
  graph::IngestOptions options;
  options.database = database;
  options.triples = {sample / "triples.txt"};
  options.entities = sample / "entities.txt";
  options.relations = sample / "relations.txt";
  for (const char* split : {"train", "dev", "test"})
    options.dialogues.push_back({split, sample / (std::string(split) + ".csv")});
  (void)graph::ingest(options);
  const graph::Store store = graph::Store::open(database, graph::Store::Mode::kReadOnly);
  const WalkerRun run = open_walker_run(fs::path(KGWALK_SOURCE_DIR) / "tests/walker/fixtures/old_prior");
  EXPECT_EQ(run.config.model, WalkerKind::kPrior);
  EXPECT_EQ(run.folder.manifest().database, "/data/demo/kg.db");
  EXPECT_EQ(open_walker(store, run)->graph().num_entities(), 852u);
}

}  // namespace
}  // namespace kgwalk::walker
