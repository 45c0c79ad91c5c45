// What the functions of kgwalk.h give.
#include "kgwalk.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>

#include "kgwalk/json.h"
#include "runtime/files.h"
#include "tests/capi/handles_of_a_world.h"
#include "tests/temp_folder.h"

namespace kgwalk {
namespace {

using test::TempFolder;
using testing::contains;
using testing::taken;

TEST(CInterface, MakesAGraphOfAFileAndReadsIt) {
  const TempFolder folder;
  const std::string database = (folder / "kg.db").string(), file = (folder / "films.tsv").string();
  write_file_atomically(file,
                        "Heat\tdirected_by\tMichael Mann\nCollateral\tdirected_by\tMichael Mann\nbad line\n");
  const char* const files[] = {file.c_str()};
  char* report = nullptr;
  ASSERT_EQ(kgwalk_ingest(KGWALK_VERSION, database.c_str(), files, 1, 0, &report), KGWALK_OK)
      << kgwalk_error();
  const Json read = Json::parse(taken(report));
  EXPECT_EQ(read["entities"], 3);
  EXPECT_TRUE(contains(read["problems"][0].get<std::string>(), "films.tsv:3"));
  EXPECT_EQ(kgwalk_ingest(KGWALK_VERSION, database.c_str(), files, 1, 0, nullptr), KGWALK_STORE_ERROR)
      << "a database is not replaced unasked";
  EXPECT_EQ(kgwalk_ingest(KGWALK_VERSION, database.c_str(), files, 1, 1, nullptr), KGWALK_OK);

  kgwalk_graph* graph = nullptr;
  ASSERT_EQ(kgwalk_graph_open(KGWALK_VERSION, database.c_str(), &graph), KGWALK_OK) << kgwalk_error();
  EXPECT_EQ(kgwalk_graph_num_entities(graph), 3U);
  EXPECT_EQ(kgwalk_graph_num_relations(graph), 2U) << "with the inverse";
  EXPECT_EQ(kgwalk_graph_num_facts(graph), 2U);
  EXPECT_EQ(kgwalk_graph_complete(graph, "Heat", "directed_by", nullptr, 0, 1, &report), KGWALK_STORE_ERROR)
      << "there is no table of embeddings";
  EXPECT_EQ(kgwalk_graph_close(graph), KGWALK_OK);

  const char* settings = R"({"embedding": {"model": "complex", "dim": 8, "epochs": 3}, "held_out": 0})";
  ASSERT_EQ(kgwalk_embed(KGWALK_VERSION, database.c_str(), settings, &report), KGWALK_OK) << kgwalk_error();
  EXPECT_EQ(Json::parse(taken(report))["config"]["embedding"]["reciprocal"], true) << "as suits the model";
  ASSERT_EQ(kgwalk_graph_open(KGWALK_VERSION, database.c_str(), &graph), KGWALK_OK) << kgwalk_error();
  ASSERT_EQ(kgwalk_graph_complete(graph, "Heat", "directed_by", nullptr, 0, 1, &report), KGWALK_OK)
      << kgwalk_error();
  EXPECT_EQ(Json::parse(taken(report))["answers"].size(), 3U);
  EXPECT_EQ(kgwalk_graph_close(graph), KGWALK_OK);
}

TEST(CInterface, WalksTheEdgesOfAGraphWithoutCopies) {
  kgwalk_graph* graph = testing::graph_of_world();
  std::uint32_t film = 0;
  ASSERT_EQ(kgwalk_graph_find_entity(graph, "SCARFACE", &film), KGWALK_OK);
  const kgwalk_edge* edges = nullptr;
  std::size_t count = 0;
  ASSERT_EQ(kgwalk_graph_edges(graph, film, &edges, &count), KGWALK_OK);
  ASSERT_EQ(count, 2U);
  std::string told;
  for (std::size_t i = 0; i < count; ++i) {
    char *relation = nullptr, *tail = nullptr;
    ASSERT_EQ(kgwalk_graph_relation_name(graph, edges[i].relation, &relation), KGWALK_OK);
    ASSERT_EQ(kgwalk_graph_entity_name(graph, edges[i].tail, &tail), KGWALK_OK);
    told += taken(relation) + ": " + taken(tail) + "; ";
  }
  EXPECT_EQ(told, "starred_actors: Al Pacino; has_genre: Gangster film; ");
  std::uint32_t inverse = 0, again = 0;
  ASSERT_EQ(kgwalk_graph_inverse(graph, edges[0].relation, &inverse), KGWALK_OK);
  ASSERT_EQ(kgwalk_graph_find_relation(graph, "~starred_actors", &again), KGWALK_OK);
  EXPECT_EQ(inverse, again);
  EXPECT_EQ(kgwalk_graph_close(graph), KGWALK_OK);
}

TEST(CInterface, AnswersQuestionsToAGraphAsJson) {
  kgwalk_graph* graph = testing::graph_of_world();
  char* json = nullptr;
  ASSERT_EQ(kgwalk_graph_query(graph, R"({"count": {"step": "~directed_by", "from": "Michael Mann"}})", 0, 0,
                               &json),
            KGWALK_OK)
      << kgwalk_error();
  EXPECT_EQ(Json::parse(taken(json))["answer"]["number"], 2);
  ASSERT_EQ(kgwalk_graph_search(graph, "heat", 5, &json), KGWALK_OK);
  EXPECT_EQ(Json::parse(taken(json))["entities"].size(), 2U);
  ASSERT_EQ(kgwalk_graph_distance(graph, "Taxi Driver", "Michael Mann", &json), KGWALK_OK);
  EXPECT_EQ(Json::parse(taken(json))["distance"], 3);
  ASSERT_EQ(kgwalk_graph_distance(graph, "Taxi Driver", "Mars", &json), KGWALK_OK);
  EXPECT_TRUE(Json::parse(taken(json))["distance"].is_null());
  kgwalk_graph_close(graph);
}

TEST(CInterface, SparqlIsTheSameQuestion) {
  kgwalk_graph* graph = testing::graph_of_world();
  char* json = nullptr;
  ASSERT_EQ(
      kgwalk_graph_query(graph, R"({"find": {"step": "~directed_by", "from": "Michael Mann"}})", 0, 0, &json),
      KGWALK_OK);
  const Json first = Json::parse(taken(json));
  ASSERT_EQ(kgwalk_graph_sparql(graph, first["sparql"].get<std::string>().c_str(), 1, 2.5, &json), KGWALK_OK)
      << kgwalk_error();
  const Json second = Json::parse(taken(json));
  EXPECT_EQ(second["form"], first["form"]);
  EXPECT_EQ(first["rows"].size(), 2U);
  EXPECT_EQ(second["rows"].size(), 1U) << "rows were limited";
  EXPECT_EQ(kgwalk_graph_sparql(graph, "SELECT", 0, 0, &json), KGWALK_INVALID);
  EXPECT_EQ(kgwalk_graph_query(graph, "", 0, 0, &json), KGWALK_INVALID);
  kgwalk_graph_close(graph);
}

TEST(CInterface, PlansComeAsStructsAndInEveryFormat) {
  kgwalk_model* model = testing::compass_model();
  kgwalk_plan_request request{};
  request.size = sizeof request;
  request.start = "taxi driver";
  request.goal = "Crime";
  request.k = 2;
  kgwalk_plan* plan = nullptr;
  ASSERT_EQ(kgwalk_model_plan(model, &request, &plan), KGWALK_OK) << kgwalk_error();
  kgwalk_model_close(model);  // the plan needs it no more
  ASSERT_GE(kgwalk_plan_num_paths(plan), 1U);
  const kgwalk_path* path = kgwalk_plan_path(plan, 0);
  ASSERT_EQ(path->num_hops, 2U);
  EXPECT_STREQ(path->hops[0].head, "Taxi Driver");
  EXPECT_STREQ(path->hops[0].tail, "Robert De Niro");
  EXPECT_STREQ(path->hops[1].head, path->hops[0].tail);
  EXPECT_EQ(path->distance_to_goal, 3);
  EXPECT_NEAR(std::exp(path->log_prob), path->hops[0].probability * path->hops[1].probability, 1e-6);
  for (const char* format : {"text", "json", "dot", "html"}) {
    char* text = nullptr;
    ASSERT_EQ(kgwalk_plan_write(plan, format, &text), KGWALK_OK);
    EXPECT_TRUE(contains(taken(text), "Robert De Niro")) << format;
  }
  kgwalk_plan_close(plan);
}

TEST(CInterface, APlanTakesWhatWasSaidAndWalked) {
  kgwalk_model* model = testing::compass_model();
  const kgwalk_utterance history[] = {{"user", "Do you know Heat?"}, {"assistant", "By Michael Mann."}};
  const kgwalk_hop hop{"Heat (1995 Film)", "directed_by", "Michael Mann", 0};
  const kgwalk_walk walked{&hop, 1};
  kgwalk_plan_request request{};
  request.size = sizeof request;
  request.history = history;
  request.num_history = 2;
  request.walked = &walked;
  request.num_walked = 1;
  request.start = "Michael Mann";
  kgwalk_plan* plan = nullptr;
  ASSERT_EQ(kgwalk_model_plan(model, &request, &plan), KGWALK_OK) << kgwalk_error();
  EXPECT_EQ(kgwalk_plan_path(plan, 0)->distance_to_goal, -1) << "no goal was given";
  kgwalk_plan_close(plan);
  const kgwalk_hop wrong{"Heat (1995 Film)", "directed_by", "Mars", 0};
  const kgwalk_walk never{&wrong, 1};
  request.walked = &never;
  EXPECT_EQ(kgwalk_model_plan(model, &request, &plan), KGWALK_INVALID);
  EXPECT_EQ(plan, nullptr);
  kgwalk_model_close(model);
}

TEST(CInterface, AModelLeadsConnectsAndRetrieves) {
  kgwalk_model* model = testing::compass_model();
  char *json = nullptr, *text = nullptr;
  ASSERT_EQ(kgwalk_model_lead(model, "Taxi Driver", "Crime", 0, &json), KGWALK_OK) << kgwalk_error();
  EXPECT_EQ(Json::parse(taken(json))["turns"].size(), 5U);
  const char* const both[] = {"Scarface", "Collateral"};
  ASSERT_EQ(kgwalk_model_connect(model, both, 2, 1, 0, &json), KGWALK_OK) << kgwalk_error();
  const Json links = Json::parse(taken(json))["links"];
  ASSERT_EQ(links.size(), 1U);
  EXPECT_EQ(links[0]["paths"].size(), 1U);
  ASSERT_EQ(kgwalk_model_retrieve(model, "Who is in Scarface?", 0, &text, &json), KGWALK_OK)
      << kgwalk_error();
  const std::string lines = taken(text);
  EXPECT_TRUE(contains(lines, "Scarface | starred_actors | Al Pacino\n")) << lines;
  EXPECT_EQ(Json::parse(taken(json))["text"], lines);
  kgwalk_model_close(model);
}

TEST(CInterface, AConversationGoesOnElsewhereFromItsMemory) {
  kgwalk_model* model = testing::compass_model();
  kgwalk_conversation *here = nullptr, *there = nullptr;
  ASSERT_EQ(kgwalk_conversation_open(model, 1, &here), KGWALK_OK);
  ASSERT_EQ(kgwalk_conversation_open(model, 1, &there), KGWALK_OK);
  kgwalk_model_close(model);
  char *said = nullptr, *shown = nullptr, *memory = nullptr;
  int over = 2;
  ASSERT_EQ(kgwalk_conversation_say(here, "/goal crime", &said, &shown, &over), KGWALK_OK);
  EXPECT_EQ(taken(said), "goal: Crime. Name an entity to start from.")
      << "a command is answered by what is shown";
  EXPECT_EQ(over, 0);
  kgwalk_free(shown);
  ASSERT_EQ(kgwalk_conversation_say(here, "Have you seen Taxi Driver?", nullptr, &shown, nullptr), KGWALK_OK);
  EXPECT_TRUE(contains(taken(shown), "4 hops left to Crime"));
  ASSERT_EQ(kgwalk_conversation_memory(here, &memory), KGWALK_OK);
  const std::string kept = taken(memory);
  ASSERT_EQ(kgwalk_conversation_recall(there, kept.c_str()), KGWALK_OK) << kgwalk_error();
  ASSERT_EQ(kgwalk_conversation_say(there, "And then?", nullptr, &shown, nullptr), KGWALK_OK);
  EXPECT_TRUE(contains(taken(shown), "3 hops left to Crime"));
  ASSERT_EQ(kgwalk_conversation_transcript(there, &memory), KGWALK_OK);
  EXPECT_EQ(Json::parse(taken(memory))["turns"].size(), 2U);
  ASSERT_EQ(kgwalk_conversation_say(there, "/quit", nullptr, nullptr, &over), KGWALK_OK);
  EXPECT_EQ(over, 1);
  EXPECT_EQ(kgwalk_conversation_recall(here, "{\"no\": memory}"), KGWALK_INVALID);
  EXPECT_EQ(kgwalk_conversation_recall(here, "{}"), KGWALK_FORMAT_ERROR);
  kgwalk_conversation_close(here);
  kgwalk_conversation_close(there);
}

TEST(CInterface, AGraphOfAModelOutlivesTheModel) {
  kgwalk_model* model = testing::compass_model();
  kgwalk_graph *one = nullptr, *two = nullptr;
  ASSERT_EQ(kgwalk_model_graph(model, &one), KGWALK_OK);
  ASSERT_EQ(kgwalk_model_graph(model, &two), KGWALK_OK);
  kgwalk_model_close(model);
  EXPECT_NE(one, two);
  EXPECT_EQ(kgwalk_graph_close(one), KGWALK_OK);
  char* json = nullptr;
  EXPECT_EQ(kgwalk_graph_search(two, "Mars", 1, &json), KGWALK_OK);
  EXPECT_TRUE(contains(taken(json), "Mars"));
  EXPECT_EQ(kgwalk_graph_close(two), KGWALK_OK);
}

TEST(CInterface, ThreadsShareAModelThatIsClosedMeanwhile) {
  kgwalk_model* model = testing::compass_model();
  std::atomic<int> good = 0, refused = 0, other = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, model] {
      for (int i = 0; i < 50; ++i) {
        kgwalk_plan_request request{};
        request.size = sizeof request;
        request.start = "Scarface";
        kgwalk_plan* plan = nullptr;
        const kgwalk_status status = kgwalk_model_plan(model, &request, &plan);
        ++(status == KGWALK_OK ? good : status == KGWALK_MISUSE ? refused : other);
        kgwalk_plan_close(plan);
      }
    });
  while (good < 5 && refused == 0 && other == 0) std::this_thread::yield();
  EXPECT_EQ(kgwalk_model_close(model), KGWALK_OK);
  for (std::thread& thread : threads) thread.join();
  EXPECT_GE(good, 5);
  EXPECT_EQ(other, 0);
}

}  // namespace
}  // namespace kgwalk
