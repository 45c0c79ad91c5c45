#include "kgwalk/packed_model.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "kgwalk/error.h"
#include "kgwalk/ingest.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/planner.h"
#include "kgwalk/store.h"
#include "planner/archive.h"
#include "planner/model_manifest.h"
#include "runtime/files.h"
#include "runtime/json_text.h"
#include "tests/temp_folder.h"
#include "walker/training/run.h"

namespace kgwalk {
namespace {

namespace fs = std::filesystem;

// A database of the sample's layout with a count prior, which takes no training.
class Packed : public ::testing::Test {
 protected:
  void SetUp() override {
    ::setenv("KGWALK_CACHE", (folder_ / "cache").c_str(), 1);
    const fs::path talks = folder_.write(
        "talks.jsonl",
        R"({"messages": [{"speaker": "user", "text": "I like Heat."}, {"speaker": "assistant", "text": "Mann made it.",)"
        R"( "path": [["Heat", "directed_by", "Michael Mann"]]}]})"
        "\n");
    (void)graph::ingest(
        {.database = folder_ / "kg.db",
         .triples = {folder_.write("opendialkg_triples.txt",
                                   "Heat\tdirected_by\tMichael Mann\nHeat\thas_genre\tCrime\n")},
         .dialogues = {{"train", talks}, {"dev", talks}, {"test", talks}}});
    walker::TrainOptions train;
    train.database = folder_ / "kg.db";
    train.run = folder_ / "run";
    train.config.model = "prior";
    (void)walker::train_walker(train, silent_reporter(), never_stop());
  }
  void TearDown() override { ::unsetenv("KGWALK_CACHE"); }

  [[nodiscard]] PackOptions options(const char* out) const {
    PackOptions options;
    options.database = folder_ / "kg.db";
    options.run = folder_ / "run";
    options.out = folder_ / out;
    return options;
  }
  static std::string refusal(const fs::path& model) {
    try {
      (void)PackedModel::open(model);
    } catch (const Error& error) {
      return error.what();
    }
    return "opened";
  }

  test::TempFolder folder_;
};

TEST_F(Packed, AFolderThatWasMovedPlansAsTheParts) {
  const PackReport report = pack_model(options("model"));
  fs::rename(folder_ / "model", folder_ / "elsewhere");
  const auto before = Planner::open(folder_ / "kg.db", folder_ / "run").plan({.start = "Heat"});
  fs::remove_all(folder_ / "kg.db");
  fs::remove_all(folder_ / "run");
  const auto after = Planner::open(folder_ / "elsewhere").plan({.start = "Heat"});
  ASSERT_EQ(before.size(), after.size());
  EXPECT_EQ(before[0].to_string(), after[0].to_string());
  EXPECT_EQ(before[0].log_prob, after[0].log_prob);
  const PackedModel model = PackedModel::open(folder_ / "elsewhere");
  EXPECT_NO_THROW(model.verify());
  EXPECT_EQ(model.name, "model");
  EXPECT_TRUE(model.text.empty());
  EXPECT_EQ(report.manifest, model.manifest);
}

TEST_F(Packed, AFileOpensFromItsUnpackedPlaceAndIsTheSameEachTime) {
  (void)pack_model(options("model.tar.zst"));
  const std::string bytes = read_file(folder_ / "model.tar.zst");
  EXPECT_FALSE(Planner::open(folder_ / "model.tar.zst").plan({.start = "Heat"}).empty());
  const fs::path place = unpacked_place(folder_ / "model.tar.zst");
  EXPECT_TRUE(fs::exists(place / kManifestFile)) << place;
  EXPECT_EQ(PackedModel::open(folder_ / "model.tar.zst").folder, place);
  EXPECT_EQ(std::distance(fs::directory_iterator(place.parent_path()), fs::directory_iterator()), 1)
      << "nothing else is left there";
  EXPECT_TRUE(is_packed_model(folder_ / "model.tar.zst"));
  EXPECT_FALSE(is_packed_model(folder_ / "kg.db"));
}

TEST_F(Packed, HoldsWhatANewcomerIsShownWhereItWasMade) {
  (void)pack_model(options("plain"));
  EXPECT_TRUE(PackedModel::open(folder_ / "plain").introduction.empty());
  PackOptions with = options("introduced");
  with.introduction = {{"kinds", Json::array()}, {"questions", Json::array()}, {"goals", Json::array()}};
  (void)pack_model(with);
  const PackedModel model = PackedModel::open(folder_ / "introduced");
  EXPECT_EQ(read_json_file(model.introduction.string()), with.introduction);
  EXPECT_NO_THROW(model.verify());
}

TEST_F(Packed, TellsLicensesAndWhatMayBePassedOn) {
  const Json manifest = pack_model(options("model")).manifest;
  EXPECT_NE(manifest["license"].get<std::string>().find("CC-BY-NC-4.0"), std::string::npos) << manifest;
  EXPECT_NE(manifest["passing_on"].get<std::string>().find("non-commercial"), std::string::npos) << manifest;
  EXPECT_NE(manifest["passing_on"].get<std::string>().find("talks.jsonl is not known"), std::string::npos);
  EXPECT_EQ(manifest.dump().find(folder_.path().string()), std::string::npos)
      << "names no place of this machine";
  PackOptions own = options("own");
  own.license = "CC0";
  EXPECT_EQ(pack_model(own).manifest["license"], "CC0");
}

TEST_F(Packed, HoldsNoOtherSplitsAndNoMoreThanTheRunNeeds) {
  const PackReport report = pack_model(options("model"));
  const graph::Store store = graph::Store::open(folder_ / "model/database", graph::Store::Mode::kReadOnly);
  EXPECT_EQ(store.splits(), std::vector<std::string>{"train"});
  for (const auto& [name, facts] : report.manifest["files"].items())
    EXPECT_EQ(name.find("optimizer"), std::string::npos) << name;
}

TEST_F(Packed, DamageIsTold) {
  (void)pack_model(options("model"));
  (void)pack_model(options("model.tar.zst"));
  const std::string whole = read_file(folder_ / "model.tar.zst");
  for (const double share : {0.1, 0.5, 0.99}) {
    folder_.write("cut.tar.zst",
                  whole.substr(0, static_cast<std::size_t>(share * static_cast<double>(whole.size()))));
    EXPECT_NE(refusal(folder_ / "cut.tar.zst").find("lost its end"), std::string::npos) << share;
  }
  std::string flipped = whole;
  flipped[whole.size() / 2] = static_cast<char>(flipped[whole.size() / 2] ^ 0x40);
  folder_.write("flipped.tar.zst", flipped);
  EXPECT_NE(refusal(folder_ / "flipped.tar.zst").find("damaged"), std::string::npos);
  EXPECT_TRUE(fs::is_empty(folder_ / "cache/models")) << "what could not be unpacked leaves nothing";

  folder_.write("text.tar.zst", "hello");
  EXPECT_NE(refusal(folder_ / "text.tar.zst").find("no packed model"), std::string::npos);
  EXPECT_NE(refusal(folder_ / "kg.db").find("model.json is missing"), std::string::npos);
  EXPECT_NE(refusal(folder_ / "nothing").find("there is no model"), std::string::npos);

  const fs::path config = folder_ / "model/run/config.json";
  const std::string text = read_file(config);
  write_file_atomically(config, text + " ");
  EXPECT_NE(refusal(folder_ / "model").find("run/config.json has"), std::string::npos);
  std::string same_length = text;
  same_length[text.find("prior")] = 'P';
  write_file_atomically(config, same_length);
  EXPECT_THROW(PackedModel::open(folder_ / "model").verify(), FormatError);
  fs::remove(config);
  EXPECT_NE(refusal(folder_ / "model").find("run/config.json is missing"), std::string::npos);
  Json manifest = read_json_file((folder_ / "model" / kManifestFile).string());
  manifest["version"] = kManifestVersion + 1;
  write_file_atomically(folder_ / "model" / kManifestFile, manifest.dump());
  EXPECT_NE(refusal(folder_ / "model").find("version 2"), std::string::npos);
}

TEST_F(Packed, RefusesPartsThatDoNotBelongTogetherAndPlacesThatAreTaken) {
  (void)pack_model(options("model"));
  EXPECT_THROW((void)pack_model(options("model")), ConfigError);
  PackOptions again = options("model");
  again.replace = true;
  EXPECT_NO_THROW((void)pack_model(again));
  again.out = folder_ / "run";
  EXPECT_THROW((void)pack_model(again), ConfigError) << "a folder that is no model is not replaced";
  EXPECT_THROW((void)pack_model({}), ConfigError);
  (void)graph::ingest({.database = folder_ / "other.db", .triples = {folder_.write("o.txt", "a\tr\tb\n")}});
  PackOptions other = options("other");
  other.database = folder_ / "other.db";
  EXPECT_THROW((void)pack_model(other), Error);
  EXPECT_FALSE(fs::exists(folder_ / "other"));
}

TEST(Archive, GivesBackFilesOfAnyLengthAndName) {
  const test::TempFolder folder;
  fs::create_directories(folder / "in/a/b");
  const std::string name(120, 'n'), long_path = "in/a/b/" + name;
  folder.write("in/first.json", "{}");
  folder.write("in/empty", "");
  folder.write("in/a/block", std::string(512, 'x'));
  folder.write("in/a/large", std::string(3'000'001, 'y'));
  pack_folder(folder / "in", "first.json", folder / "out.tar.zst", silent_reporter(), never_stop());
  fs::create_directories(folder / "back");
  unpack_folder(folder / "out.tar.zst", folder / "back", silent_reporter(), never_stop());
  for (const char* file : {"first.json", "empty", "a/block", "a/large"})
    EXPECT_EQ(read_file(folder / "back" / file), read_file(folder / "in" / file)) << file;
  pack_folder(folder / "in", "first.json", folder / "again.tar.zst", silent_reporter(), never_stop());
  EXPECT_EQ(read_file(folder / "out.tar.zst"), read_file(folder / "again.tar.zst"));
  folder.write(long_path, "x");
  EXPECT_THROW(
      pack_folder(folder / "in", "first.json", folder / "no.tar.zst", silent_reporter(), never_stop()),
      IoError);
  EXPECT_FALSE(fs::exists(folder / "no.tar.zst"));
}

TEST(Archive, SaysWhenItIsStopped) {
  const test::TempFolder folder;
  fs::create_directories(folder / "in");
  folder.write("in/a", std::string(5'000'000, 'y'));
  StopFlag stop;
  stop.request();
  EXPECT_THROW(pack_folder(folder / "in", "a", folder / "out.zst", silent_reporter(), stop), Stopped);
  EXPECT_FALSE(fs::exists(folder / "out.zst"));
}

}  // namespace
}  // namespace kgwalk
