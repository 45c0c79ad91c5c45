// From facts to an answer through the installed library: ingests, trains, measures, packs, asks. Trainings
// are as short as they can be, so that what is measured must be there and in range, not good.
#include <kgwalk/conversation.h>
#include <kgwalk/error.h>
#include <kgwalk/evaluation.h>
#include <kgwalk/ingest.h>
#include <kgwalk/packed_model.h>
#include <kgwalk/training.h>
#include <kgwalk/workflows.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

namespace fs = std::filesystem;

namespace {

void need(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(std::string("it does not hold that ") + what);
}

// Films with a director, a genre and an actor each.
void write_facts(const fs::path& file) {
  const char* colors[] = {"Red", "Green", "Blue", "Silver", "Golden", "Black"};
  const char* places[] = {"Harbor", "Mountain", "River", "Garden", "Tower"};
  const char* people[] = {"Ada Brook", "Ben Carver", "Cora Dale", "Dan Ember",
                          "Eva Frost", "Finn Grove", "Gus Holm"};
  const char* genres[] = {"Drama", "Comedy", "Thriller"};
  std::ofstream out(file);
  int i = 0;
  for (const char* color : colors)
    for (const char* place : places) {
      const std::string film = std::string(color) + " " + place;
      out << film << "\tdirected_by\t" << people[i % 4] << '\n'
          << film << "\tstarred_actors\t" << people[3 + i % 4] << '\n'
          << film << "\thas_genre\t" << genres[i % 3] << '\n';
      ++i;
    }
}

void train(const fs::path& at) {
  kgwalk::graph::ingest({.database = at / "kg.db", .triples = {at / "facts.txt"}});
  const auto distances = kgwalk::compute_distances({.database = at / "kg.db", .index = true, .rank = 8});
  need(distances.json.at("histogram").size() > 1, "distances are counted");
  const auto vectors =
      kgwalk::embed({.database = at / "kg.db", .settings = {.assignments = {"dim=8", "epochs=2"}}});
  need(vectors.json.contains("loss"), "an embedding tells its loss");
  const auto questions =
      kgwalk::make_questions({.database = at / "kg.db", .out = at / "questions.jsonl", .count = 300});
  need(questions.questions == 300, "as many questions are made as were asked for");
  const auto walker =
      kgwalk::train_walker({.database = at / "kg.db",
                            .run = at / "walker",
                            .questions = {{"own", at / "questions.jsonl"}},
                            .settings = {.preset = "graph", .assignments = {"trainer.max_epochs=1"}}});
  need(walker.steps > 0 && walker.best.contains("score"), "a walker learns and is measured");
  const auto listener =
      kgwalk::train_listener({.database = at / "kg.db",
                              .run = at / "walker/listener",
                              .made = 400,
                              .settings = {.assignments = {"listening.trainer.max_epochs=2"}}});
  need(listener.steps > 0, "a listener learns");
}

void measure(const fs::path& at) {
  const auto asked = kgwalk::evaluate_questions(
      {.of = {.runs = {(at / "walker").string()}}, .questions = at / "questions.jsonl"});
  const double first = asked.rows.at("all").first;
  need(asked.rows.at("all").count > 0 && first >= 0 && first <= 100, "answers are counted in percent");
}

void pack_and_ask(const fs::path& at) {
  const auto packed = kgwalk::pack({.database = at / "kg.db", .run = at / "walker", .out = at / "films"});
  need(packed.report.bytes > 0, "something is packed");
  const auto model = kgwalk::PackedModel::open(at / "films");
  auto talk = kgwalk::Conversation::open(model.database, model.run, {.text = model.text});
  const std::string said = talk.answer("Who directed Red Harbor?").said;
  std::cout << "Who directed Red Harbor? " << said << '\n';
  need(!said.empty(), "a question is answered");
  const auto summary = kgwalk::summarize_model({.model = at / "films"});
  need(summary.text.find("what it is about") != std::string::npos, "a model is summed up");
}

// A stop from the caller keeps what is needed to go on, a wrong setting is told by its name.
void stop_and_refuse(const fs::path& at) {
  kgwalk::StopFlag stop;
  stop.request();
  try {
    kgwalk::train_walker({.database = at / "kg.db",
                          .run = at / "stopped",
                          .questions = {{"own", at / "questions.jsonl"}},
                          .settings = {.preset = "graph"}},
                         kgwalk::silent_reporter(), stop);
    need(false, "a training stops");
  } catch (const kgwalk::Stopped&) {
  }
  try {
    kgwalk::train_walker(
        {.database = at / "kg.db", .run = at / "wrong", .settings = {.assignments = {"traner.adam.lr=1"}}});
    need(false, "a wrong name is refused");
  } catch (const kgwalk::ConfigError& error) {
    need(std::string(error.what()).find("trainer") != std::string::npos, "the nearest name is told");
  }
}

}  // namespace

int main() {
  const fs::path at = fs::current_path() / "training_consumer.tmp";
  fs::remove_all(at);
  fs::create_directories(at);
  try {
    write_facts(at / "facts.txt");
    train(at);
    measure(at);
    pack_and_ask(at);
    stop_and_refuse(at);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  fs::remove_all(at);
  return 0;
}
