// Graphs that change while they are served.
#include "kgwalk/edits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "kgwalk/ingest.h"
#include "kgwalk/store.h"
#include "runtime/files.h"
#include "server/service/service.h"
#include "tests/server/served_world.h"
#include "tests/temp_folder.h"

namespace kgwalk::server {
namespace {

using testing::contains;
using testing::request;
using Kind = graph::EditOperation::Kind;

class ServedEdits : public ::testing::Test {
 protected:
  ServedEdits() {
    folder_.write("films.tsv",
                  "Heat\tdirected_by\tMichael Mann\nCollateral\tdirected_by\tMichael Mann\n"
                  "Heat\thas_genre\tCrime\nTaxi Driver\thas_genre\tDrama\nCollateral\thas_genre\tDrama\n");
    (void)graph::ingest({.database = database(), .triples = {folder_ / "films.tsv"}});
    service_ = std::make_unique<Service>(
        std::vector<ModelSource>{{.name = "films", .database = database().string()}},
        ServiceOptions{.writers = {{"ada", "write-key"}},
                       .version = "1",
                       .log = [this](std::string_view line) { log_ += line; }},
        [this](const ModelSource& source) { return open(source); });
  }
  std::shared_ptr<const Model> open(const ModelSource& source) {
    ++opened_;
    if (cannot_open_) throw StoreError("cannot be opened");
    const auto graph = std::make_shared<const graph::KnowledgeGraph>(
        graph::Store::open(source.database, graph::Store::Mode::kReadOnly).load_graph());
    return std::make_shared<const Model>(source, testing::talk_conversation(graph));
  }
  [[nodiscard]] std::filesystem::path database() const { return folder_ / "kg.db"; }
  Response ask(const std::string& method, const std::string& target, const Json& body = nullptr,
               const std::string& key = "") {
    Request r = request(method, target, body);
    if (!key.empty()) r.headers["authorization"] = "Bearer " + key;
    if (auto at_once = service_->at_once(r)) return *at_once;
    return service_->answer(r);
  }
  Json json(const std::string& method, const std::string& target, const Json& body = nullptr,
            const std::string& key = "") {
    const Response response = ask(method, target, body, key);
    EXPECT_LT(response.status, 300) << response.body;
    return Json::parse(response.body);
  }
  void edit(const graph::EditOperation& operation) {
    (void)graph::edit(database(), {&operation, 1}, {.author = "bob"});
  }
  [[nodiscard]] bool finds(const std::string& name) {
    const Json all = json("GET", "/api/v1/search?text=" + name);
    for (const Json& found : all["entities"])
      if (found["entity"] == name) return true;
    return false;
  }
  test::TempFolder folder_;
  std::unique_ptr<Service> service_;
  std::string log_;
  int opened_ = 0;
  std::atomic<bool> cannot_open_ = false;
};

TEST_F(ServedEdits, OfAnotherProcessAreSeenAndConversationsGoOn) {
  const std::string id = json("POST", "/api/v1/sessions", {{"from", "Heat"}, {"goal", "Taxi Driver"}})["id"];
  service_->look_for_edits();
  EXPECT_EQ(opened_, 1);
  edit({.kind = Kind::kAdd, .names = {"Thief", "directed_by", "Michael Mann"}, .make_new = true});
  edit({.kind = Kind::kRename, .names = {"Taxi Driver", "Taxi Driver (1976)"}});
  EXPECT_FALSE(finds("Thief"));
  service_->look_for_edits();
  EXPECT_EQ(opened_, 2);
  EXPECT_TRUE(finds("Thief"));
  service_->look_for_edits();
  EXPECT_EQ(opened_, 2);
  const Json turn = json("POST", "/api/v1/sessions/" + id + "/turns", {{"auto", 1}});
  EXPECT_EQ(turn["goal"], "Taxi Driver (1976)");
  EXPECT_EQ(turn["turns"], 3);
}

TEST_F(ServedEdits, ThatTakeAwayWhatAConversationSpokeOfLeaveTheRestOfIt) {
  const std::string id = json("POST", "/api/v1/sessions", {{"from", "Heat"}, {"goal", "Taxi Driver"}})["id"];
  (void)json("POST", "/api/v1/sessions/" + id + "/turns", {{"auto", 1}});
  edit({.kind = Kind::kMerge, .names = {"Drama", "Taxi Driver"}});
  edit({.kind = Kind::kRetract, .names = {"Heat", "directed_by", "Michael Mann"}});
  edit({.kind = Kind::kRetract, .names = {"Heat", "has_genre", "Crime"}});
  service_->look_for_edits();
  const Json view = json("GET", "/api/v1/sessions/" + id);
  EXPECT_EQ(view["log"].size(), 3U);
  EXPECT_EQ(view["goal"], "Drama");  // what it was merged into
  EXPECT_EQ(ask("POST", "/api/v1/sessions/" + id + "/turns", {{"say", "And Collateral?"}}).status, 200);
}

TEST_F(ServedEdits, AreMadeWithAKeyThatMayWriteAlone) {
  const Json body =
      Json::parse(R"({"operations": [{"add": ["Thief", "directed_by", "Michael Mann"], "new": true}]})");
  EXPECT_EQ(ask("POST", "/api/v1/edit", body).status, 403);
  EXPECT_EQ(ask("POST", "/api/v1/edit", body, "other-key").status, 403);
  EXPECT_EQ(ask("GET", "/api/v1/edit").status, 405);
  EXPECT_EQ(graph::edit_log(database()).size(), 0U);
  const Json done = json("POST", "/api/v1/edit", body, "write-key");
  EXPECT_EQ(done["edit"], 1);
  EXPECT_TRUE(done["served"]);
  EXPECT_TRUE(finds("Thief"));
  const Json edits = json("GET", "/api/v1/edits");
  EXPECT_EQ(edits["edits"][0]["author"], "ada");
  EXPECT_EQ(edits["served"], 1);
  EXPECT_EQ(json("POST", "/api/v1/edit", {{"undo", 1}}, "write-key")["edit"], 2);
  EXPECT_FALSE(finds("Thief"));
}

TEST_F(ServedEdits, ThatCannotBeMadeAreRefusedWhole) {
  const auto status = [&](const char* body) {
    return ask("POST", "/api/v1/edit", Json::parse(body), "write-key").status;
  };
  EXPECT_EQ(status("{}"), 400);
  EXPECT_EQ(status(R"({"operations": [{"retract": ["Heat", "directed_by", "Crime"]}]})"), 400);
  EXPECT_EQ(status(R"({"operations": [{"alias": ["Heat", "Heat 95"]}, {"rename": ["Heat"]}]})"), 400);
  EXPECT_EQ(status(R"({"operations": [{"alias": ["Heat", "Heat 95"]}], "undo": 1})"), 400);
  EXPECT_EQ(status(R"({"operations": [{"alias": ["Heat", "Heat 95"]}], "author": "eve"})"), 400);
  {
    const auto writer = graph::Store::open(database(), graph::Store::Mode::kReadWrite);
    EXPECT_EQ(status(R"({"operations": [{"alias": ["Heat", "Heat 95"]}]})"), 503);
  }
  EXPECT_TRUE(graph::edit_log(database()).empty());
}

TEST_F(ServedEdits, AreNoToolsOfAssistantsAndNotOfBatches) {
  const Json tools =
      json("POST", "/mcp", {{"jsonrpc", "2.0"}, {"id", 1}, {"method", "tools/list"}}, "write-key");
  std::vector<std::string> names;
  for (const Json& tool : tools["result"]["tools"]) names.push_back(tool["name"]);
  EXPECT_EQ(std::count(names.begin(), names.end(), "search"), 1);
  EXPECT_EQ(std::count(names.begin(), names.end(), "edit"), 0);
  const Json batch =
      json("POST", "/api/v1/batch",
           Json::parse(R"({"requests": [{"operation": "edit", "input": {"undo": 1}}]})"), "write-key");
  EXPECT_EQ(batch["results"][0]["status"], 403);
}

TEST_F(ServedEdits, OnWhichAModelCannotBeOpenedLeaveTheGraphOfBefore) {
  (void)json("GET", "/api/v1/search?text=Heat");
  cannot_open_ = true;
  const Json body = {{"operations", {{{"rename", {"Heat", "The Heat"}}}}}};
  const Json done = json("POST", "/api/v1/edit", body, "write-key");
  EXPECT_EQ(done["edit"], 1);
  EXPECT_FALSE(done["served"]);
  EXPECT_TRUE(contains(done["problems"].dump(), "cannot be opened"));
  EXPECT_TRUE(finds("Heat"));
  service_->look_for_edits();
  EXPECT_TRUE(contains(log_, "\"event\":\"edit\"")) << log_;
}

// A writer leaves its notice before the edit; where it died nothing came of it.
TEST_F(ServedEdits, OfAWriterThatDiedDoNoHarm) {
  (void)json("GET", "/api/v1/search?text=Heat");
  write_file_atomically(database() / "EDITED", "1\n");
  service_->look_for_edits();
  EXPECT_EQ(opened_, 1);
  edit({.kind = Kind::kRename, .names = {"Heat", "Heat (1995)"}});
  EXPECT_EQ(graph::last_edit_noticed(database()), 1U);
}

TEST(Guard, LetsWritersInByTheirKeys) {
  const Guard guard({.key = "read", .writers = {{"ada", "write"}, {"bob", "also"}}});
  const auto with = [&](const std::string& key) {
    Request r = request("GET", "/api/v1/stats");
    if (!key.empty()) r.headers["authorization"] = "Bearer " + key;
    return r;
  };
  EXPECT_TRUE(guard.refusal(with("")));
  EXPECT_TRUE(guard.refusal(with("none")));
  EXPECT_FALSE(guard.refusal(with("read")));
  EXPECT_FALSE(guard.refusal(with("also")));
  EXPECT_EQ(guard.writer(with("also")), "bob");
  EXPECT_EQ(guard.writer(with("read")), "");
  EXPECT_EQ(guard.writer(with("")), "");
  EXPECT_EQ(Guard({.writers = {{"ada", ""}}}).writer(with("")), "");
}

}  // namespace
}  // namespace kgwalk::server
