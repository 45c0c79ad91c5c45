// Models and runs that are carried elsewhere: to another kind of processor, to another folder.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "runtime/json_text.h"
#include "tests/cli/shell.h"

namespace kgwalk {
namespace {

namespace fs = std::filesystem;

using test::contains;
using test::shell;
using test::TempFolder;
using Result = test::ShellResult;

bool is_supported(const std::string& capability) {
  if (capability == "avx2") return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  if (capability == "avx512")
    return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
           __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512bw") != 0;
  return true;
}

class Carried : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TempFolder>();
    ::setenv("KGWALK_CACHE", (*folder_ / "cache").c_str(), 1);
    const std::string sample = KGWALK_SOURCE_DIR "/data/sample/";
    for (const std::string& step :
         {"ingest --db home/kg.db --triples " + sample + "triples.txt --dialogs train=" + sample +
              "train.csv --dialogs dev=" + sample + "dev.csv",
          std::string("distances --db home/kg.db --rank 64 --index"),
          std::string("embed --db home/kg.db --set dim=64 --set epochs=2")})
      run(step);
  }
  static void TearDownTestSuite() { folder_.reset(); }

  // In the folder of the test, as LibTorch computes on a processor of `capability`.
  static Result kgwalk(const std::string& arguments, const std::string& capability = "") {
    const std::string as = capability.empty() ? "" : "ATEN_CPU_CAPABILITY=" + capability + " ";
    return shell("cd " + folder_->path().string() + " && " + as + KGWALK_PROGRAM " " + arguments +
                 " --threads 1 < /dev/null");
  }
  static void run(const std::string& arguments, const std::string& capability = "") {
    const Result result = kgwalk(arguments, capability);
    ASSERT_EQ(result.status, 0) << arguments << "\n" << result.err;
  }
  static std::string training(const std::string& run) {
    return "train --quiet --db home/kg.db --run " + run +
           " --preset stage2_tiny --set text.states=false --set trainer.max_epochs=1";
  }
  static std::vector<Json> paths(const std::string& model, const std::string& capability) {
    const Result plan = kgwalk(
        "plan " + model + " --from Inception --say 'Who directed it?' --k 3 --format json", capability);
    EXPECT_EQ(plan.status, 0) << model << " on " << capability << "\n" << plan.err;
    const Json json = Json::parse(plan.out, nullptr, false);
    return json.is_object() ? json["paths"].get<std::vector<Json>>() : std::vector<Json>();
  }
  static std::unique_ptr<TempFolder> folder_;
};

std::unique_ptr<TempFolder> Carried::folder_;

TEST_F(Carried, AModelAnswersTheSameOnEveryKindOfProcessor) {
  const std::string capabilities[] = {"default", "avx2", "avx512"};
  for (const std::string& at : capabilities) {
    if (!is_supported(at)) {
      std::cout << "this processor lacks " << at << ": not tried\n";
      continue;
    }
    run(training(at), at);
    run("pack --db home/kg.db --run " + at + " --out " + at + ".tar.zst", at);
    const std::vector<Json> there = paths(at + ".tar.zst", at);
    ASSERT_EQ(there.size(), 3U);
    for (const std::string& here : capabilities) {
      if (here == at || !is_supported(here)) continue;
      const std::vector<Json> found = paths(at + ".tar.zst", here);
      ASSERT_EQ(found.size(), there.size()) << "made on " << at << ", opened on " << here;
      for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_NEAR(found[i]["log_prob"].get<double>(), there[i]["log_prob"].get<double>(), 1e-4);
    }
  }
}

TEST_F(Carried, AMovedFolderGoesOnWhereItStood) {
  run(training("home/walker"));
  run("rl --quiet --db home/kg.db --preset tiny --from home/walker --run home/agent --set "
      "trainer.max_epochs=1 "
      "--set a2c.updates_per_epoch=2");
  fs::rename(*folder_ / "home", *folder_ / "elsewhere");
  const Result plan = kgwalk("plan --db elsewhere/kg.db --run elsewhere/agent --from Inception");
  EXPECT_EQ(plan.status, 0) << plan.err;
  const Result found = kgwalk("eval paths --run elsewhere/walker --split dev");
  EXPECT_EQ(found.status, 0) << "the run knows where its database lies\n" << found.err;
  for (const std::string& again :
       {std::string("train --quiet --db elsewhere/kg.db --run elsewhere/walker --preset stage2_tiny --set "
                    "text.states=false --set trainer.max_epochs=1"),
        std::string(
            "rl --quiet --db elsewhere/kg.db --preset tiny --from elsewhere/walker --run elsewhere/agent "
            "--set trainer.max_epochs=1 --set a2c.updates_per_epoch=2")}) {
    const Result resumed = kgwalk(again);
    EXPECT_EQ(resumed.status, 0) << resumed.err;
  }
  fs::rename(*folder_ / "elsewhere", *folder_ / "home");
}

}  // namespace
}  // namespace kgwalk
