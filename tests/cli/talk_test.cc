// Planning towards goals and chatting through the program, on the embedded sample with
// hardly trained walkers.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "runtime/files.h"
#include "runtime/json_text.h"
#include "tests/cli/sample.h"
#include "tests/cli/shell.h"

namespace kgwalk {
namespace {

using test::contains;
using test::shell;
using test::TempFolder;
using Result = test::ShellResult;

class Talk : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TempFolder>();
    const std::string db = " --db " + path("kg.db");
    const std::string steps[] = {
        test::ingest_sample(path("kg.db")), "distances" + db + " --rank 64 --index",
        "embed" + db + " --set dim=64",
        "train" + db + " --run " + path("pretrained") +
            " --preset stage2_tiny --set text.states=false --set trainer.max_epochs=1",
        "rl" + db + " --preset tiny --from " + path("pretrained") + " --run " + path("agent") +
            " --set trainer.max_epochs=1 --set a2c.updates_per_epoch=10"};
    for (const std::string& step : steps) {
      const Result result = shell(KGWALK_PROGRAM " " + step + " --threads 1 --quiet");
      ASSERT_EQ(result.status, 0) << step << "\n" << result.err;
    }
  }
  static void TearDownTestSuite() { folder_.reset(); }

  static std::string path(const char* name) { return (*folder_ / name).string(); }
  static Result plan(const std::string& more, const char* run = "agent") {
    return shell(KGWALK_PROGRAM " plan --db " + path("kg.db") + " --run " + path(run) + " --threads 1 " +
                 more);
  }
  static Result chat(const std::string& lines, const std::string& more, const char* run = "agent") {
    write_file_atomically(*folder_ / "lines", lines);
    return shell(KGWALK_PROGRAM " chat --db " + path("kg.db") + " --run " + path(run) + " --threads 1 " +
                 more + " <" + path("lines"));
  }

  static std::unique_ptr<TempFolder> folder_;
};

std::unique_ptr<TempFolder> Talk::folder_;

constexpr const char* kTowards =
    "--from Inception --goal 'Roger Federer' --turns 6 --say 'I liked Inception.' ";

TEST_F(Talk, ATrajectoryComesInEveryFormat) {
  const Result text = plan(kTowards);
  ASSERT_EQ(text.status, 0) << text.err;
  EXPECT_TRUE(
      text.out.starts_with("goal: Roger Federer, 4 hops from Inception\n    user: I liked Inception.\n"))
      << text.out;
  const Result json = plan(std::string(kTowards) + "--format json --json " + path("t.json"));
  const Json parsed = Json::parse(json.out);
  EXPECT_LE(parsed["turns"].size(), 6U);
  EXPECT_EQ(parsed["turns"][0]["said"], "I liked Inception.");
  EXPECT_EQ(read_json_file(path("t.json")), parsed);
  EXPECT_TRUE(plan(std::string(kTowards) + "--format dot").out.starts_with("digraph trajectory"));
  EXPECT_EQ(plan(std::string(kTowards) + "--format html --out " + path("t.html")).status, 0);
  EXPECT_TRUE(read_file(path("t.html")).starts_with("<!doctype html>"));
}

TEST_F(Talk, BadGoalsAndNumbersAreErrorsThatSaySo) {
  const auto failed = [](const Result& result, int status, const std::string& part) {
    EXPECT_EQ(result.status, status) << result.out;
    EXPECT_TRUE(contains(result.err, part)) << result.err;
  };
  failed(plan("--from Inception --goal 'Roger Federerr' --turns 3"), 1, "did you mean 'Roger Federer'");
  failed(plan("--from Inceptoin --goal 'Roger Federer' --turns 3"), 1, "did you mean 'Inception'");
  failed(plan("--from Inception --goal inception --turns 3"), 1, "the start itself");
  failed(plan("--from Inception --goal 'Roger Federer' --turns 3", "pretrained"), 1, "stage 1");
  failed(plan("--from Inception --goal 'Roger Federer' --turns 0"), 2, "--turns");
  failed(plan("--from Inception --goal 'Roger Federer' --turns 1001"), 2, "--turns");
  failed(plan("--from Inception --turns 3"), 2, "--goal");
  failed(plan("--from Inception --goal 'Roger Federer' --turns 3 --k 2"), 2, "--k");
  failed(plan("--from Inception --goal 'Roger Federer' --turns 3 --say 'assistant: hi'"), 2, "only the user");
  failed(plan("--from Inception --goal 'Roger Federer' --turns 3 --simulator " + path("agent")), 1,
         "simulator");
  EXPECT_TRUE(contains(plan("--from Inception --goal inception").out, "which is the start itself"));
}

TEST_F(Talk, SelfPlayHoldsDialoguesAndTellsOfThem) {
  const std::string play = KGWALK_PROGRAM " selfplay --threads 1 --db " + path("kg.db") + " --run ";
  const std::string files = " --out " + path("dialogues.jsonl") + " --html " + path("dialogues.html");
  const Result result = shell(play + path("agent") + " --dialogues 6 --distances 2,3" + files);
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.err, "the user speaks by wordings")) << result.err;
  EXPECT_TRUE(contains(result.out, "6 ")) << result.out;
  const std::string lines = read_file(path("dialogues.jsonl"));
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 6);
  EXPECT_TRUE(contains(read_file(path("dialogues.html")), "class=\"said assistant\""));
  EXPECT_TRUE(contains(shell(play + path("pretrained")).err, "stage 1"));
  EXPECT_TRUE(contains(shell(play + path("agent") + " --simulator " + path("agent")).err, "simulator train"));
  EXPECT_EQ(shell(play + path("agent") + " --dialogues 0").status, 2);
}

TEST_F(Talk, ChatAnswersPipedLinesAndEndsWithThem) {
  const Result result = chat("I saw inceptoin\n1\nGo on\n/why\n/undo\n/where\n",
                             "--trace --goal 'Roger Federer' --json " + path("chat.json"));
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "goal: Roger Federer. Name an entity")) << result.out;
  EXPECT_TRUE(contains(result.out, "> I saw inceptoin\n")) << result.out;
  EXPECT_TRUE(contains(result.out, "1. Inception (")) << result.out;
  EXPECT_TRUE(contains(result.out, "goal: Roger Federer, 4 hops from Inception\n")) << result.out;
  EXPECT_TRUE(contains(result.out, " left to Roger Federer")) << result.out;
  EXPECT_EQ(read_json_file(path("chat.json"))["turns"].size(), 1U);
  EXPECT_EQ(chat("", "").status, 0);
  EXPECT_EQ(chat("/quit\nInception\n", "").out.find("> Inception"), std::string::npos);
  const Result last = chat("/from Inception", "");  // a last line without its end counts
  EXPECT_TRUE(contains(last.out, "at Inception; no goal")) << last.out;
}

TEST_F(Talk, ChatSaysASentenceFirstUnlessItIsToldNotTo) {
  const Result result = chat("Inception\nzzzzzzz\n", "--transcript " + path("talk.jsonl"));
  ASSERT_EQ(result.status, 0) << result.err;
  const std::size_t said = result.out.find("> Inception\nassistant: ");
  ASSERT_NE(said, std::string::npos) << result.out;
  const std::string turn = read_file(path("talk.jsonl"));
  const Json json = Json::parse(turn.substr(0, turn.find('\n')));
  EXPECT_TRUE(contains(result.out, "assistant: " + json["answer"].get<std::string>() + "\n")) << turn;
  EXPECT_TRUE(contains(json["answer"], json["path"].back()["tail"].get<std::string>())) << turn;
  EXPECT_FALSE(contains(chat("Inception\n", "--speak none").out, "assistant:"));
  EXPECT_EQ(chat("", "--speak loudly").status, 2);
  EXPECT_TRUE(contains(chat("", "--speak model").err, "no run of one is given"));
  EXPECT_EQ(chat("", "--speak model --responder " + path("agent")).status, 1);
}

TEST_F(Talk, AResponseModelIsTrainedMeasuredAndHeard) {
  const std::string db = " --db " + path("kg.db"), run = " --run " + path("responder");
  const Result trained = shell(KGWALK_PROGRAM " respond train --preset tiny" + db + run +
                               " --set questions=200 --set trainer.max_epochs=1 --threads 1 --quiet");
  ASSERT_EQ(trained.status, 0) << trained.err;
  const Result measured =
      shell(KGWALK_PROGRAM " respond eval --split dev --most 20" + db + run + " --threads 1 --json " +
            path("respond.json") + " --output " + path("said.jsonl"));
  ASSERT_EQ(measured.status, 0) << measured.err;
  const Json systems = read_json_file(path("respond.json"))["systems"];
  ASSERT_EQ(systems.size(), 9U);
  EXPECT_EQ(systems[8]["system"], "model");
  EXPECT_EQ(systems[8]["wrong"], 0.0) << systems[8].dump();
  EXPECT_EQ(systems[8]["named"], 1.0) << systems[8].dump();
  for (std::size_t i = 1; i <= 5; ++i) EXPECT_EQ(systems[i]["named"], 1.0) << systems[i].dump();
  const std::string message =
      R"({"kind":"path","start":"Inception","ways":[[["Inception","directed_by","Christopher Nolan"]]]})";
  write_file_atomically(*folder_ / "messages",
                        message + "\n" + message + "\n{\"kind\":\"path\",\"start\":\"A\"}\n");
  for (const std::string& by : {run, std::string()}) {
    const Result said = shell(KGWALK_PROGRAM " respond say --batch 2" + db + by + " <" + path("messages"));
    EXPECT_EQ(said.status, 1);
    EXPECT_TRUE(contains(said.err, "standard input:3:")) << said.err;
    EXPECT_TRUE(contains(said.out, "Inception") && contains(said.out, "Christopher Nolan")) << said.out;
  }
  EXPECT_EQ(chat("Inception\n", "--speak model --responder " + path("responder")).status, 0);
}

TEST_F(Talk, ChatWithAWalkerOfStageOneSaysWhatItCannotDo) {
  const Result result = chat("Inception\n", "--goal 'Roger Federer'", "pretrained");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "of stage 1: it does not head for goals")) << result.out;
  EXPECT_TRUE(contains(result.out, " left to Roger Federer")) << result.out;
}

TEST_F(Talk, ChatEndsCleanlyOnASignal) {
  const std::string fifo = path("fifo"), out = path("interrupted");
  const Result result = shell("mkfifo " + fifo + "; exec 3<>" + fifo + "; " + KGWALK_PROGRAM + " chat --db " +
                              path("kg.db") + " --run " + path("agent") + " --threads 1 <" + fifo + " >" +
                              out + " &\npid=$!; echo /help >&3; for i in {1..600}; do grep -qs /undo " +
                              out + " && break; sleep 0.1; done; kill -INT $pid; wait $pid");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(contains(read_file(out), "/undo"));
}

TEST_F(Talk, ConnectCompleteAndRetrieveAnswer) {
  const std::string model = " --db " + path("kg.db") + " --run " + path("agent") + " --threads 1 ";
  const Result links = shell(KGWALK_PROGRAM " connect" + model + "Inception 'Roger Federer' --k 2 --json " +
                             path("links.json"));
  EXPECT_TRUE(contains(links.out, "Inception and Roger Federer: 4 hops\n  Inception -["))
      << links.out << links.err;
  EXPECT_EQ(read_json_file(path("links.json"))[0]["paths"].size(), 2U);
  const std::string facts = KGWALK_PROGRAM " complete --db " + path("kg.db") +
                            " --threads 1 --head Inception --relation directed_by";
  const Result completed = shell(facts + " --k 852 --json " + path("complete.json"));
  EXPECT_TRUE(completed.out.starts_with("probability  distance  fact\n")) << completed.out;
  EXPECT_TRUE(contains(completed.out, "      known  ")) << completed.out;
  double sum = 0;
  for (const Json& one : read_json_file(path("complete.json"))) {
    EXPECT_EQ(one["probability"].is_null(), one["known"].get<bool>());
    if (!one["probability"].is_null()) sum += one["probability"].get<double>();
  }
  EXPECT_NEAR(sum, 1, 1e-6) << "of all that may be answered";
  EXPECT_FALSE(contains(shell(facts + " --k 852 --new").out, "Christopher Nolan"));
  const Result refused = shell(facts + " --tail Inception");
  EXPECT_EQ(refused.status, 1);
  EXPECT_TRUE(contains(refused.err, "one of them is asked for")) << refused.err;
  const Result retrieved = shell(KGWALK_PROGRAM " retrieve" + model + "'Who directed Inception?'");
  EXPECT_TRUE(contains(retrieved.out, "Inception | ")) << retrieved.out << retrieved.err;
}

TEST_F(Talk, AnExamOfConversationsIsHeldAndToldByKind) {
  write_file_atomically(path("exam.json"), R"([[{"say": "Do you know the film Inception?", "kind": null},
    {"say": "Inception", "kind": "name", "any": ["Inception"]}],
    [{"say": "Inception", "kind": "never", "any": ["Nobody of this name"]}]])");
  const Result result = shell(KGWALK_PROGRAM " eval conversations --threads 1 --db " + path("kg.db") +
                              " --run " + path("agent") + " " + path("exam.json") + " --show --json " +
                              path("held.json") + " --log " + path("held.md"));
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "NO  never | Inception -> ")) << result.out;
  const Json held = read_json_file(path("held.json"));
  ASSERT_EQ(held["kinds"].size(), 2U);
  EXPECT_EQ(held["kinds"][1]["right"], 0);
  EXPECT_EQ(held["all"]["turns"], 2);
  EXPECT_TRUE(contains(read_file(path("held.md")), "**Do you know the film Inception?**"));
  const Result wrong = shell(KGWALK_PROGRAM " eval conversations --db " + path("kg.db") + " --run " +
                             path("agent") + " " + path("held.json"));
  EXPECT_EQ(wrong.status, 1);
  EXPECT_TRUE(contains(wrong.err, "is no list of conversations")) << wrong.err;
}

TEST_F(Talk, ChatSaysOneThingOnceAndForgets) {
  const Result brief = chat("Inception\n/why\n/forget\n/where\n", "--json " + path("forgotten.json"));
  ASSERT_EQ(brief.status, 0) << brief.err;
  const std::string first = brief.out.substr(0, brief.out.find("> /why"));
  EXPECT_TRUE(contains(first, "assistant: ")) << first;
  EXPECT_FALSE(contains(first, "-[")) << first;
  EXPECT_TRUE(contains(brief.out, "the walker weighed")) << brief.out;
  EXPECT_TRUE(contains(brief.out, "> /where\nNowhere yet")) << brief.out;
  EXPECT_TRUE(read_json_file(path("forgotten.json"))["turns"].empty());
  EXPECT_TRUE(contains(chat("Inception\n", "--trace").out, "-["));
}

// At a terminal, which `script` plays: Tab completes, the signal of Ctrl-C ends, the lines are history then.
// Each key is pressed once what it answers to is seen. `exec`: a shell in between would end by the signal.
TEST_F(Talk, ChatAtATerminalCompletesNamesAndKeepsHistory) {
  const std::string seen = path("seen");
  const auto wait_for = [&](const std::string& text) {
    return "for i in $(seq 600); do grep -q '" + text + "' " + seen + " && break; sleep .1; done; ";
  };
  const Result result =
      shell("export TERM=xterm XDG_STATE_HOME=" + path("state") + "; touch " + seen + "; (" +
            wait_for("Name one") + "sleep .5; printf 'I saw Incep\\t\\r'; " + wait_for("assistant:") +
            "printf '\\003'; sleep 1) | script -qefc 'exec " + KGWALK_PROGRAM " chat --threads 1 --db " +
            path("kg.db") + " --run " + path("agent") + "' " + seen);
  EXPECT_EQ(result.status, 0) << result.out;
  EXPECT_TRUE(contains(result.out, "Inception")) << result.out;
  EXPECT_TRUE(contains(result.out, "\033[1;36massistant:")) << result.out;
  EXPECT_TRUE(contains(read_file(path("state/kgwalk/chat_history")), "Inception"));
}

TEST_F(Talk, AskedForWhatIsNotThereAPlanNamesTheNearest) {
  const Result result = plan("--say 'Who directed Incepton?'");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(contains(result.err, "did you mean 'Inception'")) << result.err;
}

TEST_F(Talk, McpAnswersLinesOfStandardInput) {
  write_file_atomically(
      path("messages"),
      "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}\nnonsense\n"
      "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}\n"
      "{\"jsonrpc\": \"2.0\", \"id\": 2, \"method\": \"tools/call\", \"params\": {\"name\": \"stats\"}}\n");
  const Result result = shell(KGWALK_PROGRAM " mcp --db " + path("kg.db") + " --run " + path("agent") +
                              " --threads 1 <" + path("messages"));
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(result.out.starts_with("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n")) << result.out;
  EXPECT_TRUE(contains(result.out, "-32700")) << result.out;
  EXPECT_TRUE(contains(result.out, "\"entities\":852")) << result.out;
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 3);
}

// Bash that starts a server, asks it (ask METHOD PATH [BODY]) and ends it (stop SIGNAL).
std::string serving(const std::string& kgwalk, const std::string& folder, const std::string& script) {
  return "cd " + folder + R"(
start() {
  rm -f out; )" +
         kgwalk + R"( serve --db kg.db --run agent --threads 1 --port 0 --sessions sessions >out 2>>log &
  pid=$!
  for i in {1..600}; do grep -q serves out 2>/dev/null && break; sleep 0.1; done
  port=$(sed 's,.*127.0.0.1:\([0-9]*\)/.*,\1,' out)
}
ask() {
  exec 4<>/dev/tcp/127.0.0.1/$port
  printf '%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s' "$1" "$2" ${#3} "$3" >&4
  cat <&4
}
stop() { kill -$1 $pid; wait $pid; }
)" + script;
}

TEST_F(Talk, AConversationOutlivesAServerThatIsKilled) {
  const Result result = shell(serving(KGWALK_PROGRAM, folder_->path().string(), R"sh(
start
id=$(ask POST /api/v1/sessions '{"from": "Inception", "goal": "Roger Federer"}' | sed -n 's/.*"id":"\([0-9a-f]*\)".*/\1/p')
for i in 1 2 3; do ask POST /api/v1/sessions/$id/turns '{"say": "Go on"}' >answer; done
stop KILL
start
echo "answered: $(grep -o '"turns":[0-9]*' answer), kept: $(ask GET /api/v1/sessions/$id | grep -o '"say"' | wc -l)"
stop INT
echo "status: $?")sh"));
  EXPECT_EQ(result.out, "answered: \"turns\":5, kept: 5\nstatus: 0\n") << result.err;
  const std::string log = read_file(path("log"));
  EXPECT_TRUE(contains(log, "\"method\":\"POST\",\"route\":\"/api/v1/sessions/{id}/turns\",\"status\":200"))
      << log;
}

}  // namespace
}  // namespace kgwalk
