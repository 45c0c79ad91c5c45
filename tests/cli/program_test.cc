#include <gtest/gtest.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>

#include "runtime/files.h"
#include "runtime/json_text.h"
#include "tests/cli/program_runs.h"

namespace kgwalk {
namespace {

using test::contains;
using test::is_one_line;
using test::Result;
using test::run;
using test::TempFolder;

TEST(Program, VersionNamesTheLibraries) {
  const TempFolder folder;
  const Result result = run("version --threads 1 --json " + (folder / "v.json").string());
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "kgwalk") && contains(result.out, "libtorch")) << result.out;
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(read_json_file(folder / "v.json").contains("rocksdb"));
}

TEST(Program, WrongUseIsStatusTwoAndOneLine) {
  for (const char* arguments : {"no-such-verb", "version --no-such-option", "version --threads -1", "stats",
                                "version too much", "eval success --walks /nonexistent/walks",
                                "eval --success --walks /nonexistent/walks", "plan --k many"}) {
    const Result result = run(arguments);
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_TRUE(result.err.starts_with("kgwalk: ") && is_one_line(result.err)) << arguments << "\n"
                                                                               << result.err;
    EXPECT_EQ(result.out, "") << arguments;
  }
}

TEST(Program, ServeSaysWhatItNeeds) {
  EXPECT_EQ(run("serve").status, 2);
  EXPECT_EQ(run("serve --db kg.db").status, 2);
  EXPECT_EQ(run("mcp").status, 2);
  const Result open = run("serve --db kg.db --run agent --address 0.0.0.0");
  EXPECT_EQ(open.status, 1);
  EXPECT_TRUE(contains(open.err, "a key must be given")) << open.err;
  EXPECT_EQ(run("serve --openapi").out, read_file(KGWALK_SOURCE_DIR "/docs/reference/openapi.json"));
}

TEST(Program, AloneItShowsItsHelp) {
  const Result alone = run("");
  EXPECT_EQ(alone.status, 0);
  EXPECT_EQ(alone.out, run("--help").out);
  EXPECT_EQ(alone.err, "");
}

// The front is made of the program's own description; both must say the same of every verb.
TEST(Program, TheFrontSaysOfEveryVerbWhatTheProgramSays) {
  const TempFolder folder;
  const std::string program = std::string(KGWALK_PROGRAM) + "-program", out = (folder / "out").string();
  const auto same = [&](const std::string& arguments, int status) {
    const Result front = run(arguments);
    const std::string command = program + " " + arguments + " >" + out + " 2>&1";
    const int behind = std::system(command.c_str());
    EXPECT_EQ(WEXITSTATUS(behind), status) << arguments;
    EXPECT_EQ(front.status, status) << arguments;
    EXPECT_EQ(front.out + front.err, read_file(out)) << arguments;
  };
  for (const char* verb : {"", "ingest", "train", "eval", "eval success", "plan", "selfplay", "serve",
                           "task mt train", "task asr run", "entities", "config", "pack"})
    same(std::string(verb) + " --help", 0);
  for (const char* wrong :
       {"plan --k many", "chat --k 0", "chat --speak loudly", "eval success --distances 1,x", "task mt",
        "distance --from a", "plan --turns 3 --from a", "ingest --relations /nonexistent/r",
        "serve --port 70000", "chat --json /nonexistent/x --transcript /nonexistent/y", "stats --threads -1"})
    same(wrong, 2);
}

// Without LibTorch: 0.5 s and more are its libraries' alone.
TEST(Program, HelpAndWrongUseLoadNothing) {
  const TempFolder folder;
  for (const char* arguments : {"--help", "version", "plan --help", "trian", "plan --k many"}) {
    const std::string libraries = (folder / "libraries").string();
    const std::string command = std::string("LD_DEBUG=files LD_DEBUG_OUTPUT=") + libraries + " " +
                                KGWALK_PROGRAM + " " + arguments + " >/dev/null 2>&1; cat " + libraries +
                                ".* >" + libraries + "; rm " + libraries + ".*";
    EXPECT_EQ(std::system(command.c_str()), 0) << arguments;
    const std::string loaded = read_file(libraries);
    EXPECT_TRUE(contains(loaded, "libstdc++")) << arguments;
    EXPECT_FALSE(contains(loaded, "libtorch")) << arguments;
  }
}

// What libgomp reads when it is loaded: the front sets it, unless the user has.
TEST(Program, IdleThreadsAreToldToSleepSoon) {
  const TempFolder folder;
  std::filesystem::copy_file(KGWALK_PROGRAM, folder / "kgwalk");
  write_file_atomically(folder / "kgwalk-program", "#!/bin/sh\necho spins $GOMP_SPINCOUNT\n");
  std::filesystem::permissions(folder / "kgwalk-program", std::filesystem::perms::owner_all);
  const auto told = [&](const std::string& environment) {
    const std::string command = "env -u GOMP_SPINCOUNT -u OMP_WAIT_POLICY " + environment + " " +
                                (folder / "kgwalk").string() + " stats --db x >" + (folder / "out").string();
    EXPECT_EQ(std::system(command.c_str()), 0);
    return read_file(folder / "out");
  };
  EXPECT_EQ(told(""), "spins 10000\n");
  EXPECT_EQ(told("GOMP_SPINCOUNT=5"), "spins 5\n");
  EXPECT_EQ(told("OMP_WAIT_POLICY=active"), "spins\n");
}

TEST(Program, AWordThatNobodyTakesIsRefusedWithTheNearest) {
  const std::pair<const char*, const char*> wrong[] = {
      {"stats nonsense", "kgwalk stats takes no word 'nonsense'"},
      {"task nonsense", "kgwalk task takes mt, lm, summarize, asr or slu"},
      {"eval qestions", "there is no 'kgwalk eval qestions' (did you mean 'questions'?)"},
      {"eval nonsense", "paths, questions, success, routes or conversations"},
      {"stats db", "kgwalk stats takes no word 'db' (did you mean '--db'?)"},
      {"complete A B", "--db is required"},
      {"quickstart /nonexistent/films.ttl", "there is no file or folder '/nonexistent/films.ttl'"},
      {"ingest /nonexistent/films.ttl --db d", "there is no file or folder '/nonexistent/films.ttl'"},
      {"connect --db d --run r Inception", "two or more entities are joined, and 'Inception' alone is named"},
      {"trian --help", "(did you mean 'train'?)"}};
  for (const auto& [arguments, why] : wrong) {
    const Result result = run(arguments);
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_TRUE(contains(result.err, why) && is_one_line(result.err)) << arguments << "\n" << result.err;
  }
}

TEST(Program, EvalAsItWasBeforeSaysWhatItHasBecome) {
  const std::pair<const char*, const char*> before[] = {
      {"eval --run /nonexistent/r --split dev", "kgwalk eval paths --run /nonexistent/r --split dev"},
      {"eval --run /nonexistent/r --success", "kgwalk eval success --run /nonexistent/r"},
      {"eval --routes --run /nonexistent/r", "kgwalk eval routes --run /nonexistent/r"},
      {"eval --run /nonexistent/r --questions q",
       "kgwalk eval questions --run /nonexistent/r --questions q"}};
  for (const auto& [arguments, now] : before) {
    const Result result = run(arguments);
    EXPECT_EQ(result.status, 1) << arguments;
    EXPECT_TRUE(contains(result.err, std::string(now) + "\n")) << result.err;
    EXPECT_TRUE(contains(result.err, "/nonexistent/r: is no run folder") ||
                contains(result.err, "/nonexistent/r"))
        << result.err;
  }
}

TEST(Program, JsonGoesToStandardOutputAloneWhenAsked) {
  const TempFolder folder;
  const Result version = run("version --json -");
  EXPECT_TRUE(Json::parse(version.out).contains("kgwalk")) << version.out;
  write_file_atomically(folder / "t.txt", "a\tr\tb\n");
  const std::string db = " --db " + (folder / "kg.db").string();
  EXPECT_EQ(run("ingest --quiet " + (folder / "t.txt").string() + db).status, 0);
  EXPECT_TRUE(Json::parse(run("stats --json -" + db).out).contains("degrees"));
}

TEST(Program, HelpIsStatusZero) {
  const Result all = run("--help");
  EXPECT_EQ(all.status, 0);
  for (const char* verb : {"ingest", "train", "plan", "doctor", "version"})
    EXPECT_TRUE(contains(all.out, verb)) << verb;
  const Result one = run("stats --help");
  EXPECT_EQ(one.status, 0);
  EXPECT_TRUE(contains(one.out, "--db") && contains(one.out, "--seed")) << one.out;
}

TEST(Program, NamesWhatIsNearestToAMistypedCommandOrOption) {
  const std::pair<const char*, const char*> mistyped[] = {
      {"trian --db x", "(did you mean 'train'?)"},
      {"stats --bd x", "(did you mean '--db'?)"},
      {"stats --db x --thread 1", "(did you mean '--threads'?)"},
      {"task mt trian", "(did you mean 'train'?)"},
      {"ingest --formt nt -", "(did you mean '--format'?)"}};
  for (const auto& [arguments, advice] : mistyped) {
    const Result result = run(arguments);
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_TRUE(contains(result.err, advice) && is_one_line(result.err)) << arguments << "\n" << result.err;
  }
  EXPECT_FALSE(contains(run("no-such-verb").err, "did you mean"));
}

TEST(Program, CommandsAreListedUnderHeadingsAndEachShowsAnExampleOfItself) {
  const Result all = run("--help");
  for (const char* heading : {"To begin with:", "The graph:", "Training and measuring:", "Using a model:"})
    EXPECT_TRUE(contains(all.out, heading)) << all.out;
  std::istringstream lines(all.out.substr(all.out.find("To begin with:")));
  std::string line, verb;
  int seen = 0;
  while (std::getline(lines, line)) {
    if (!line.starts_with("  ") || line.starts_with("   ") || !(std::istringstream(line) >> verb)) continue;
    EXPECT_TRUE(contains(run(verb + " --help").out, "Example:\n  kgwalk " + verb)) << verb;
    ++seen;
  }
  EXPECT_GE(seen, 30);
}

TEST(Program, AModelIsNeededAndSaidSo) {
  for (const char* verb : {"plan --from a", "chat", "connect a b", "retrieve x"}) {
    const Result result = run(verb);
    EXPECT_EQ(result.status, 2) << verb;
    EXPECT_TRUE(contains(result.err, "a packed model, or --db and --run, is required")) << result.err;
  }
  const TempFolder folder;
  write_file_atomically(folder / "model.tar.zst", "no model");
  const Result result = run("plan " + (folder / "model.tar.zst").string() + " --from a");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(contains(result.err, "is no packed model") && is_one_line(result.err)) << result.err;
  EXPECT_TRUE(contains(run("train --db x --run y --tensorboard --preset nothing").err, "preset"));
}

TEST(Program, AFileThatNamesTheModelsPartsIsTakenAsAModel) {
  const TempFolder folder;
  write_file_atomically(folder / "films.json", R"({"database": "kg.db", "run": "agent"})");
  const std::string file = (folder / "films.json").string(), database = (folder / "kg.db").string();
  for (const std::string& verb : {"plan " + file + " --from a", "chat " + file, "connect " + file + " a b",
                                  "retrieve " + file + " x", "query " + file + " '{}'"})
    EXPECT_TRUE(contains(run(verb).err, database)) << verb << ": " << run(verb).err;
  write_file_atomically(folder / "films.json", R"({"database": "kg.db", "rum": "agent"})");
  EXPECT_TRUE(contains(run("chat " + file).err, "rum: unknown key (did you mean 'run'?)"));
}

TEST(Program, TheOptionsPageTellsSharedPartsOnce) {
  const std::string page = run("config --format markdown").out;
  const auto count = [&](const std::string& text) {
    std::size_t found = 0;
    for (std::size_t at = page.find(text); at != std::string::npos; at = page.find(text, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("| `max_epochs` |"), 1U);
  EXPECT_GT(count("- `trainer.*`: [trainer](#trainer)\n"), 5U);
  EXPECT_EQ(count("\n### trainer\n"), 1U);
  EXPECT_TRUE(contains(page, "1 to 1,048,576")) << "numbers of thousands are grouped";
  EXPECT_FALSE(contains(page, "1.04858e+06"));
}

TEST(Program, WhatOnlyComparisonsSetStandsApart) {
  const std::string users = run("config --format markdown").out;
  const std::string comparisons = run("config --format markdown --ablations").out;
  EXPECT_TRUE(contains(users, "| `lr` |") && !contains(comparisons, "| `lr` |"));
  EXPECT_TRUE(contains(comparisons, "| `beta1` |") && !contains(users, "| `beta1` |"));
  EXPECT_TRUE(contains(comparisons, "| `metapath.head` |") && !contains(users, "metapath"));
  const std::string listed = run("config train").out, rest = run("config train --ablations").out;
  EXPECT_TRUE(contains(listed, "more are for comparisons: kgwalk config train --ablations")) << listed;
  EXPECT_TRUE(contains(listed, "\ntrainer.adam.lr = ") && !contains(listed, "\ntrainer.adam.beta1 = "));
  EXPECT_TRUE(contains(rest, "\ntrainer.adam.beta1 = ") && !contains(rest, "\ntrainer.adam.lr = "));
}

TEST(Program, TakesSettingsFromTheEnvironmentWhereTheCommandLineGivesNone) {
  const TempFolder folder;
  write_file_atomically(folder / "t.txt", "a\tr\tb\n");
  const std::string database = (folder / "kg.db").string();
  EXPECT_EQ(run("ingest --quiet --db " + database + " " + (folder / "t.txt").string()).status, 0);
  ::setenv("KGWALK_DB", database.c_str(), 1);
  EXPECT_EQ(run("stats").status, 0);
  EXPECT_TRUE(contains(run("stats --db /nonexistent/kg.db").err, "/nonexistent/kg.db"))
      << "the command line wins";
  ::unsetenv("KGWALK_DB");
  ::setenv("KGWALK_THREADS", "-1", 1);
  EXPECT_EQ(run("version").status, 2);
  EXPECT_EQ(run("version --threads 1").status, 2)
      << "a setting that cannot be used is refused, needed or not";
  ::unsetenv("KGWALK_THREADS");
  EXPECT_EQ(run("stats").status, 2);
}

TEST(Program, SequenceTasksGoByTheirFullNamesToo) {
  for (const char* task : {"translation", "language", "summary", "recognition", "understanding"}) {
    const Result result = run(std::string("task ") + task + " --help");
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_TRUE(contains(result.out, "train")) << result.out;
  }
}

TEST(Program, ConfigTellsWhatATrainingCanBeTold) {
  const TempFolder folder;
  const Result result = run("config task mt --preset tiny --json " + (folder / "c.json").string());
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "trainer.adam.lr = ")) << result.out;
  const Json json = read_json_file(folder / "c.json");
  EXPECT_EQ(json["task"], "task mt train");
  for (const Json& option : json["options"]) {
    const std::string description = option["description"];
    EXPECT_TRUE(std::isupper(static_cast<unsigned char>(description.front())) && description.back() == '.')
        << option["name"] << ": " << description;
  }
  for (const char* wrong : {"config trian", "config train --preset bst"}) {
    const Result refused = run(wrong);
    EXPECT_EQ(refused.status, 1) << wrong;
    EXPECT_TRUE(contains(refused.err, "did you mean")) << refused.err;
  }
}

TEST(Program, WhatFailsIsStatusOneAndOneLineThatSaysWhere) {
  const Result result = run("stats --db /nonexistent/kg.db");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(result.err.starts_with("kgwalk: ") && is_one_line(result.err)) << result.err;
  EXPECT_TRUE(contains(result.err, "/nonexistent/kg.db")) << result.err;
  const Result full = run("version --json /dev/full/x");
  EXPECT_EQ(full.status, 1);
  EXPECT_TRUE(is_one_line(full.err)) << full.err;
}

TEST(Program, ADeviceIsComputedOnOrRefused) {
  const std::string model = " --db /nonexistent/kg.db --run /nonexistent/run";
  const std::pair<std::string, std::string> refused[] = {
      {"plan --from a --device nowhere" + model, "device 'nowhere': must be cpu, cuda or cuda:N"},
      {"train --device cuda:x" + model, "device 'cuda:x': must be"},
      {"chat --device=nowhere" + model, "device 'nowhere': must be"},
      {"version --device cuda", "is not for 'kgwalk version': it runs no network"},
      {"stats --db /nonexistent/kg.db --device=cuda", "is not for 'kgwalk stats'"},
      {"embed --db /nonexistent/kg.db --device cuda", "embeddings compute with kernels of the processor"}};
  for (const auto& [arguments, why] : refused) {
    const Result result = run(arguments);
    EXPECT_EQ(result.status, 1) << arguments;
    EXPECT_TRUE(contains(result.err, why) && is_one_line(result.err)) << arguments << ": " << result.err;
  }
  EXPECT_TRUE(contains(run("plan --from a --device cpu" + model).err, "/nonexistent"))
      << "the processor is there";
  EXPECT_EQ(run("version --device cpu").status, 0);
}

TEST(Program, SaysWhichCommandMendsAnError) {
  const TempFolder folder;
  const auto told = [&](const std::string& arguments) { return run(arguments).err; };
  const std::string database = (folder / "kg db").string(), quoted = "'" + database + "'";
  EXPECT_TRUE(
      contains(told("stats --db " + quoted),
               "there is no database; make it with `kgwalk ingest --db " + quoted + " --triples FILE`"));
  write_file_atomically(folder / "triples.txt", "a\tr\tb\n");
  const std::string ingest =
      "ingest --quiet --db " + quoted + " --triples " + (folder / "triples.txt").string();
  EXPECT_EQ(run(ingest).status, 0);
  EXPECT_TRUE(contains(told(ingest), "exists already; replace it with --replace, or give another --db"));
  const std::string run_folder = " --run " + (folder / "run").string(), db = " --db " + quoted;
  EXPECT_TRUE(
      contains(told("plan --from a" + db + run_folder),
               "is no run folder (run.json is missing); make one with `kgwalk train` or `kgwalk rl`"));
  EXPECT_TRUE(contains(told("train --preset tiny" + db + run_folder),
                       "give --text DIR, or make one with `kgwalk pretrain-text`"));
  EXPECT_TRUE(contains(told("train --preset tiny --set text.states=false" + db + run_folder),
                       "make it with `kgwalk embed --db " + quoted + " --set dim="));
  EXPECT_TRUE(contains(told("pretrain-text" + db + run_folder),
                       "`kgwalk ingest --db " + quoted + " --replace --dialogs train=FILE`"));
}

TEST(Program, AResultThatCannotBeWrittenIsAnError) {
  const TempFolder folder;
  const std::string err = (folder / "err").string();
  const int status = std::system((std::string(KGWALK_PROGRAM) + " version >/dev/full 2>" + err).c_str());
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1);
  EXPECT_TRUE(contains(read_file(err), "standard output") && is_one_line(read_file(err))) << read_file(err);
}

TEST(Program, DoctorFindsMissingDatabases) {
  const TempFolder folder;
  const Result result = run("doctor --db " + (folder / "none").string());
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(contains(result.out, "there is no database")) << result.out;
  EXPECT_TRUE(contains(result.out, "GFLOP/s")) << result.out;
  EXPECT_TRUE(contains(result.err, "doctor found 1 failures")) << result.err;
}

}  // namespace
}  // namespace kgwalk
