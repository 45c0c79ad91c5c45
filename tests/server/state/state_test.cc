// Models and conversations that a server holds.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <functional>
#include <thread>

#include "kgwalk/error.h"
#include "kgwalk/ingest.h"
#include "runtime/files.h"
#include "server/http/problem.h"
#include "server/state/event_hub.h"
#include "server/state/sessions.h"
#include "tests/server/served_world.h"
#include "tests/temp_folder.h"

namespace kgwalk::server {
namespace {

using testing::sources;
using testing::talk_model;

int status_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Refusal& refusal) {
    return refusal.status();
  }
  return 200;
}

TEST(Model, NamesTheFilesThatItsGraphWasMadeFrom) {
  const test::TempFolder folder;
  folder.write("films.txt", "Heat\tdirected_by\tMichael Mann\n");
  folder.write("names.txt", "Heat\nMichael Mann\n");
  (void)graph::ingest(
      {.database = folder / "kg.db", .triples = {folder / "films.txt"}, .entities = folder / "names.txt"});
  const Model model({.name = "films", .database = (folder / "kg.db").string()}, testing::talk_conversation());
  EXPECT_EQ(model.files(), std::vector<std::string>{"films.txt"});
}

TEST(ModelShelf, OpensAtFirstUseAndLetsTheLeastUsedGo) {
  std::string opened;
  ModelShelf shelf(sources({"a", "b", "c"}), 2, [&](const ModelSource& source) {
    opened += source.name;
    return talk_model(source);
  });
  std::string left;
  shelf.when_one_leaves([&](const std::string& name) { left += name; });
  (void)shelf.get("a");
  (void)shelf.get("b");
  (void)shelf.get("");  // a
  (void)shelf.get("c");
  EXPECT_EQ(left, "b");
  EXPECT_EQ(shelf.num_loaded(), 2U);
  (void)shelf.get("a");
  EXPECT_EQ(opened, "abc");
  (void)shelf.get("b");
  EXPECT_EQ(opened, "abcb");
}

TEST(ModelShelf, ReloadsWhatIsInMemoryAndKeepsWhatCannotBeOpened) {
  std::string opened, broken;
  ModelShelf shelf(sources({"a", "b", "c"}), 3, [&](const ModelSource& source) {
    if (source.name == broken) throw StoreError("damaged");
    opened += source.name;
    return talk_model(source);
  });
  std::string left;
  shelf.when_one_leaves([&](const std::string& name) { left += name; });
  const auto a = shelf.get("a"), b = shelf.get("b");
  broken = "b";
  const std::vector<std::string> problems = shelf.reload(sources({"b", "a", "d"}));
  EXPECT_EQ(problems, std::vector<std::string>{"b: damaged"});
  EXPECT_EQ(opened, "aba");
  EXPECT_EQ(left, "ac");
  EXPECT_NE(shelf.get("a"), a);
  EXPECT_EQ(shelf.get(""), b);
  EXPECT_EQ(shelf.names(), (std::vector<std::string>{"b", "a", "d"}));
  EXPECT_EQ(status_of([&] { (void)shelf.get("c"); }), 404);
  EXPECT_THROW((void)shelf.reload({}), ConfigError);
  EXPECT_EQ(shelf.names().size(), 3U);
}

TEST(ModelShelf, NamesTheModelsThatThereAre) {
  ModelShelf shelf(sources({"films", "books"}), 2, talk_model);
  EXPECT_EQ(status_of([&] { (void)shelf.get("film"); }), 404);
  try {
    (void)shelf.get("film");
  } catch (const Refusal& refusal) {
    EXPECT_TRUE(testing::contains(refusal.what(), "did you mean 'films'")) << refusal.what();
  }
  EXPECT_THROW(ModelShelf(sources({"a", "a"}), 2, talk_model), ConfigError);
  EXPECT_THROW(ModelShelf({}, 2, talk_model), ConfigError);
}

TEST(ModelShelf, TriesAgainAfterAFailure) {
  int tries = 0;
  ModelShelf shelf(sources({"a"}), 2, [&](const ModelSource& source) {
    if (++tries == 1) throw StoreError("locked");
    return talk_model(source);
  });
  EXPECT_THROW((void)shelf.get("a"), StoreError);
  EXPECT_EQ(shelf.get("a")->source().name, "a");
}

TEST(ModelSource, IsReadStrictlyWithPathsBesideItsFile) {
  const test::TempFolder folder;
  folder.write("films.json", R"({"database": "kg.db", "run": "/runs/agent", "recognizer": "ears"})");
  const ModelSource source = ModelSource::read(folder / "films.json", "");
  EXPECT_EQ(source.name, "films");
  EXPECT_EQ(source.database, (folder / "kg.db").string());
  EXPECT_EQ(source.run, "/runs/agent");
  EXPECT_EQ(source.recognizer, (folder / "ears").string());
  folder.write("bad.json", R"({"database": "kg.db", "rum": "agent"})");
  EXPECT_THROW((void)ModelSource::read(folder / "bad.json", ""), ConfigError);
  folder.write("half.json", R"({"database": "kg.db"})");
  EXPECT_THROW((void)ModelSource::read(folder / "half.json", ""), ConfigError);
}

TEST(EventHub, ForgetsListenersThatHaveGoneWithoutAnEvent) {
  EventHub hub;
  const auto stays = std::make_shared<testing::KeptSink>();
  hub.listen("stays", stays);
  for (int i = 0; i < 1000; ++i) {
    const auto goes = std::make_shared<testing::KeptSink>();
    hub.listen(std::to_string(i), goes);
    goes->gone = true;
  }
  EXPECT_LE(hub.size(), 64U);
  hub.tell("stays", "event");
  EXPECT_EQ(stays->text, "event");
  hub.forget("stays");
  hub.tell("stays", "event");
  EXPECT_EQ(stays->text, "event");
}

class Conversing : public ::testing::Test {
 protected:
  ModelShelf models_{sources({"a", "b"}), 2, talk_model};
  test::TempFolder folder_;
};

TEST_F(Conversing, GoesOnTurnByTurnAndToldToWhoListens) {
  Sessions sessions(models_, {});
  const std::string id = sessions.create("", 1);
  const auto sink = std::make_shared<testing::KeptSink>();
  sessions.events().listen(id, sink);
  const Json turn = sessions.turn(id, {{"say", "Have you seen Taxi Driver?"}});
  EXPECT_EQ(turn["turns"], 1);
  EXPECT_FALSE(turn["plan"].is_null());
  EXPECT_TRUE(sink->text.starts_with("event: turn\n"));
  (void)sessions.turn(id, {{"goal", "Crime"}});
  const Json view = sessions.view(id);
  EXPECT_EQ(view["goal"], "Crime");
  EXPECT_EQ(view["log"].size(), 2U);
  EXPECT_EQ(view["log"][1]["say"], "/goal Crime");
  EXPECT_EQ(sessions.transcript(id)["turns"].size(), 1U);
  sessions.remove(id);
  EXPECT_EQ(status_of([&] { (void)sessions.view(id); }), 404);
}

TEST_F(Conversing, IsTakenBackToAnyTurnAndGoesOnFromThere) {
  Sessions sessions(models_, {.folder = folder_ / "sessions"});
  const std::string id = sessions.create("", 1);
  (void)sessions.turn(id, {{"from", "Taxi Driver"}});
  const Json before = sessions.view(id);
  (void)sessions.turn(id, {{"goal", "Crime"}});
  (void)sessions.turn(id, {{"say", "And then?"}});
  EXPECT_EQ(sessions.rewind(id, 3)["log"].size(), 3U);
  EXPECT_EQ(sessions.rewind(id, 1), before);
  EXPECT_EQ(sessions.turn(id, {{"goal", "Crime"}})["distance"], 5);
  // A turn that was taken back by hand cannot be come back to: what was said since stands on another ground.
  (void)sessions.turn(id, {{"undo", true}});
  (void)sessions.turn(id, {{"goal", "Al Pacino"}});
  EXPECT_EQ(status_of([&] { (void)sessions.rewind(id, 2); }), 409);
  EXPECT_EQ(sessions.rewind(id, 0)["at"], nullptr);
  EXPECT_TRUE(Sessions(models_, {.folder = folder_ / "sessions"}).view(id)["log"].empty());
}

TEST_F(Conversing, RefusesTurnsThatAreNoneOrTooMany) {
  Sessions sessions(models_, {.most = 2, .most_turns = 1});
  const std::string id = sessions.create("b", 1);
  EXPECT_THROW((void)sessions.turn(id, Json::object()), ConfigError);
  EXPECT_THROW((void)sessions.turn(id, {{"say", "x"}, {"undo", true}}), ConfigError);
  (void)sessions.turn(id, {{"say", "Scarface"}});
  EXPECT_EQ(status_of([&] { (void)sessions.turn(id, {{"say", "more"}}); }), 409);
  (void)sessions.create("", 1);
  EXPECT_EQ(status_of([&] { (void)sessions.create("", 1); }), 429);
  EXPECT_EQ(status_of([&] { (void)sessions.create("none", 1); }), 404);
  for (const char* bad : {"", "../../etc/passwd", "0123456789abcdef0123456789abcdeg"})
    EXPECT_EQ(status_of([&] { (void)sessions.view(bad); }), 404);
}

TEST_F(Conversing, OutlivesTheServerAndItsModel) {
  std::string id;
  Json before;
  {
    Sessions sessions(models_, {.folder = folder_ / "sessions"});
    id = sessions.create("b", 7);
    (void)sessions.turn(id, {{"from", "Taxi Driver"}});
    (void)sessions.turn(id, {{"goal", "Crime"}});
    (void)sessions.turn(id, {{"auto", 2}});
    EXPECT_TRUE(models_.reload(sources({"a", "b"})).empty());
    before = sessions.view(id);
    EXPECT_EQ(before["distance"], 3);
  }
  Sessions sessions(models_, {.folder = folder_ / "sessions"});
  EXPECT_EQ(sessions.view(id), before);
  EXPECT_EQ(sessions.turn(id, {{"undo", true}})["distance"], 4);
}

TEST_F(Conversing, GoesOnInAnotherServerThatSharesTheFolder) {
  Sessions one(models_, {.folder = folder_ / "sessions"}), two(models_, {.folder = folder_ / "sessions"});
  const std::string id = one.create("", 1);
  (void)one.turn(id, {{"from", "Taxi Driver"}});
  EXPECT_EQ(two.turn(id, {{"goal", "Crime"}})["distance"], 5);
  EXPECT_EQ(one.turn(id, {{"auto", 1}})["distance"], 4);
  EXPECT_EQ(two.view(id)["distance"], 4);
  two.remove(id);
  EXPECT_EQ(status_of([&] { (void)one.view(id); }), 404);
}

TEST_F(Conversing, TurnsAtOnceFromManyThreadsAllCount) {
  Sessions one(models_, {.folder = folder_ / "sessions"}), two(models_, {.folder = folder_ / "sessions"});
  const std::string id = one.create("", 1);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 5; ++i) (void)(t % 2 == 0 ? one : two).turn(id, {{"say", "Scarface"}});
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(one.view(id)["log"].size(), 20U);
}

TEST_F(Conversing, RefusesADamagedFileAndLeavesIt) {
  Sessions sessions(models_, {.folder = folder_ / "sessions"});
  const std::string id = sessions.create("", 1);
  (void)sessions.turn(id, {{"say", "Scarface"}});
  const auto file = folder_ / "sessions" / (id + ".json");
  std::string text = read_file(file);
  text[text.find("Scarface")] = 'X';
  write_file_atomically(file, text);
  EXPECT_THROW((void)sessions.view(id), FormatError);
  write_file_atomically(file, text.substr(0, text.size() / 2));
  EXPECT_THROW((void)sessions.view(id), FormatError);
  EXPECT_EQ(read_file(file), text.substr(0, text.size() / 2));
}

// As on a full disk: no file may grow while it lives.
class NoSpace {
 public:
  NoSpace() {
    ::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit none{0, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &none);
  }
  ~NoSpace() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, SIG_DFL);
  }
  NoSpace(const NoSpace&) = delete;
  NoSpace& operator=(const NoSpace&) = delete;

 private:
  rlimit before_{};
};

TEST_F(Conversing, ATurnThatCannotBeKeptHasNotHappened) {
  Sessions sessions(models_, {.folder = folder_ / "sessions"});
  const std::string id = sessions.create("", 1);
  (void)sessions.turn(id, {{"from", "Scarface"}});
  {
    const NoSpace full;
    EXPECT_THROW((void)sessions.turn(id, {{"from", "Collateral"}}), IoError);
    EXPECT_THROW((void)sessions.create("", 1), IoError);
  }
  EXPECT_EQ(sessions.view(id)["at"], "Scarface");
  EXPECT_EQ(sessions.turn(id, {{"from", "Collateral"}})["turns"], 2);
}

}  // namespace
}  // namespace kgwalk::server
