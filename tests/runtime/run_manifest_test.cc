#include "runtime/run_manifest.h"

#include <gtest/gtest.h>

#include "tests/runtime/test_support.h"

namespace kgwalk {
namespace {

namespace fs = std::filesystem;
using test::contains;
using test::message_of;
using test::TempFolder;

constexpr RunKind kAgentRun{
    .name = "agent", .command = "rl", .parts = {"walker", "stage2"}, .sources = {"from", "simulator"}};
constexpr RunKind kTextRun{.name = "text", .command = "pretrain-text", .parts = {"pretraining"}};
constexpr RunKind kSimulatorRun{.name = "simulator", .command = "simulator train", .parts = {"simulator"}};

RunManifest read(const fs::path& run, const RunKind& kind) { return RunManifest::read(run, {&kind, 1}); }

RunManifest agent() {
  RunManifest manifest(kAgentRun, {{"width", 3}}, 18446744073709551615u);
  manifest.configuration["stage2"] = {{"episodes", 4}};
  manifest.database = "/data/kg.db";
  manifest.sources = {{"from", "/runs/walker"}, {"simulator", ""}};
  manifest.checksums = {{"graph", "ab"}, {"user", "cd"}};
  return manifest;
}

TEST(RunManifest, IsReadAsItWasWritten) {
  const TempFolder folder;
  const RunManifest written = agent();
  written.write_kind(folder.path());
  EXPECT_TRUE(read(folder.path(), kAgentRun).configuration.empty()) << "the training has not begun";
  written.write_config(folder.path());
  const RunManifest found = read(folder.path(), kAgentRun);
  EXPECT_EQ(found.kind, "agent");
  EXPECT_EQ(found.command, "rl");
  EXPECT_EQ(found.configuration, written.configuration);
  EXPECT_EQ(found.seed, written.seed);
  EXPECT_EQ(found.database, "/data/kg.db");
  EXPECT_EQ(found.text, "");
  EXPECT_EQ(found.sources, (std::map<std::string, fs::path>{{"from", "/runs/walker"}}));
  EXPECT_EQ(found.checksums, written.checksums);
  EXPECT_TRUE(written.differences(found).empty());
}

TEST(RunManifest, APathIsMeantFromTheRunAndAWordStaysAWord) {
  const TempFolder folder;
  RunManifest written = agent();
  written.sources = {{"from", "walker"}, {"simulator", "wordings"}};
  fs::create_directory(folder / "walker");
  written.write_kind(folder.path());
  written.write_config(folder.path());
  const RunManifest found = read(folder.path(), kAgentRun);
  EXPECT_EQ(found.sources.at("from"), folder / "walker");
  EXPECT_EQ(found.sources.at("simulator"), "wordings");
}

TEST(RunManifest, PathsMoveWithTheRun) {
  const TempFolder folder;
  RunManifest written = agent();
  written.database = folder / "there/kg.db";
  written.sources = {{"from", folder / "there/walker"}, {"simulator", "wordings"}};
  fs::create_directories(folder / "there/run");
  written.write_kind(folder / "there/run");
  written.write_config(folder / "there/run");
  fs::rename(folder / "there", folder / "here");
  const RunManifest found = read(folder / "here/run", kAgentRun);
  EXPECT_EQ(found.database, folder / "here/kg.db");
  EXPECT_EQ(found.sources.at("from"), folder / "here/walker");
  EXPECT_EQ(found.sources.at("simulator"), "wordings");
  EXPECT_FALSE(contains(read_file(folder / "here/run/config.json"), folder.path().string()));
}

TEST(RunManifest, WhereTheDatabaseLiesIsNoDifference) {
  RunManifest now = agent();
  now.database = "/elsewhere/kg.db";
  EXPECT_TRUE(now.differences(agent()).empty());
}

TEST(RunManifest, SumsOfWhatIsStoredReplaceThoseOfWhatWasComputed) {
  RunManifest now = agent(), before = agent();
  now.checksums["stored_tables"] = "12";
  before.checksums["tables"] = "34";
  EXPECT_TRUE(now.differences(before).empty());
  before.checksums["stored_tables"] = "56";
  EXPECT_EQ(now.differences(before).size(), 2U) << "the tables differ, and a sum is not there any more";
}

TEST(RunManifest, NamesWhatDiffersButTheSeed) {
  RunManifest now = agent();
  now.seed = 2;
  now.configuration["walker"]["width"] = 5;
  now.sources["simulator"] = "/runs/user";
  EXPECT_EQ(now.differences(agent()),
            (std::vector<std::string>{"simulator: \"/runs/user\", was null", "walker.width: 5, was 3"}));
}

TEST(RunManifest, TellsAllThatIsWrongWithAFileAtOnce) {
  const TempFolder folder;
  agent().write_kind(folder.path());
  write_file_atomically(folder / "config.json",
                        R"({"walker": 3, "seed": -1, "checksums": {}, "from": ["x"], "colour": "red"})");
  const std::string text = message_of<FormatError>([&] { (void)read(folder.path(), kAgentRun); });
  for (const char* part :
       {"config.json: ", "'walker' is unknown or of the wrong type", "'seed'", "'from'", "'colour'",
        "'walker' is missing", "'stage2' is missing", "no run of kind 'agent'"})
    EXPECT_TRUE(contains(text, part)) << part << " in " << text;
  EXPECT_FALSE(contains(text, "'checksums'")) << text;
}

TEST(RunManifest, ATrainingThatNeverBeganHasNoConfiguration) {
  const TempFolder folder;
  agent().write_kind(folder.path());
  struct Nothing {
    void fields(config_detail::Reader&) {}
  };
  const RunManifest manifest = read(folder.path(), kAgentRun);
  EXPECT_TRUE(contains(message_of<FormatError>([&] { (void)manifest.part<Nothing>("walker"); }),
                       "stopped before it began"));
}

// Runs that the program wrote before it had a manifest (fixtures/runs_1): no command in run.json, empty paths
// as
// "", and for a text encoder the bare configuration.
class RunsOfBefore : public ::testing::Test {
 protected:
  static RunManifest open(const RunKind& kind) {
    return read(fs::path(KGWALK_SOURCE_DIR) / "tests/runtime/fixtures/runs_1" / kind.name, kind);
  }
};

TEST_F(RunsOfBefore, AreReadWhole) {
  const RunManifest agent = open(kAgentRun);
  EXPECT_EQ(agent.command, "rl");
  EXPECT_EQ(agent.seed, 1u);
  EXPECT_EQ(agent.database, "/data/demo/kg.db");
  EXPECT_EQ(agent.text, "/data/demo/text");
  EXPECT_EQ(agent.sources, (std::map<std::string, fs::path>{{"from", "/data/demo/pretrained"},
                                                            {"simulator", "/data/demo/simulator"}}));
  EXPECT_EQ(agent.part_json("walker")["model"], "hitkg");
  EXPECT_TRUE(agent.part_json("stage2").contains("a2c"));
  for (const char* name : {"graph", "tables", "training", "text", "user"})
    EXPECT_TRUE(agent.checksums.contains(name)) << name;

  const RunManifest simulator = open(kSimulatorRun);
  EXPECT_TRUE(simulator.part_json("simulator").contains("vocabulary"));
  EXPECT_TRUE(simulator.checksums.contains("vocabulary"));
}

TEST_F(RunsOfBefore, ABareConfigurationIsThatOfTheOnlyPart) {
  const RunManifest text = open(kTextRun);
  EXPECT_EQ(text.part_json("pretraining")["vocabulary"], 300);
  EXPECT_FALSE(text.seed.has_value());
  // A training that goes on with it names its seed, which is no difference.
  EXPECT_TRUE(RunManifest(kTextRun, text.part_json("pretraining"), 1).differences(text).empty());
}

struct Grown {
  struct Inner {
    int width = 3, added = 2;
    template <class F>
    void fields(F& f) {
      f("width", width, "Width.");
      f("added", added, "An option that the run's program did not have.");
    }
  } net;
  bool also_added = false;
  template <class F>
  void fields(F& f) {
    f("net", net, "Network.");
    f("also_added", also_added, "Another.");
  }
};

TEST(RunManifest, ARunWithoutAnOptionOfNowDidAsItsDefault) {
  const RunManifest before(kTextRun, Json{{"net", {{"width", 3}}}}, 1);
  Grown now;
  EXPECT_TRUE(RunManifest(kTextRun, now, 1).differences(before).empty());
  now.net.added = 5;
  EXPECT_EQ(RunManifest(kTextRun, now, 1).differences(before),
            (std::vector<std::string>{"pretraining.net.added: 5, was 2"}));
}

}  // namespace
}  // namespace kgwalk
