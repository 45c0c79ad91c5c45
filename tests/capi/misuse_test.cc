// What a caller can do wrong is told, and never ends the process.
#include <gtest/gtest.h>

#include <thread>

#include "kgwalk.h"
#include "tests/capi/handles_of_a_world.h"

namespace kgwalk {
namespace {

using testing::contains;
using testing::taken;

constexpr const char* kNotUtf8 =
    "Sc\xff"
    "arface";

TEST(CMisuse, AProgramOfAnotherVersionIsRefusedWithASentence) {
  kgwalk_graph* graph = nullptr;
  const int newer = KGWALK_VERSION + 1000, next = KGWALK_VERSION + 1'000'000;
  for (const int version : {newer, next, 0, -1}) {
    EXPECT_EQ(kgwalk_graph_open(version, "kg.db", &graph), KGWALK_VERSION_ERROR) << version;
    EXPECT_EQ(kgwalk_model_open(version, "kg.db", nullptr, nullptr, nullptr), KGWALK_VERSION_ERROR);
    EXPECT_EQ(kgwalk_ingest(version, "kg.db", nullptr, 0, 0, nullptr), KGWALK_VERSION_ERROR);
    EXPECT_EQ(kgwalk_embed(version, "kg.db", nullptr, nullptr), KGWALK_VERSION_ERROR);
  }
  EXPECT_EQ(kgwalk_graph_open(newer, "kg.db", &graph), KGWALK_VERSION_ERROR);
  EXPECT_TRUE(contains(kgwalk_error(), "compiled for kgwalk 0.2.0 and runs with libkgwalk 0.1.0"))
      << kgwalk_error();
  EXPECT_NE(kgwalk_graph_open(KGWALK_VERSION + 1, "no.db", &graph), KGWALK_VERSION_ERROR)
      << "a patch changes no interface";
  EXPECT_EQ(kgwalk_version(), KGWALK_VERSION);
}

TEST(CMisuse, NullIsTold) {
  EXPECT_EQ(kgwalk_graph_open(KGWALK_VERSION, "kg.db", nullptr), KGWALK_MISUSE);
  EXPECT_EQ(kgwalk_graph_open(KGWALK_VERSION, nullptr, nullptr), KGWALK_MISUSE);
  EXPECT_EQ(kgwalk_graph_num_entities(nullptr), 0U);
  EXPECT_STREQ(kgwalk_error(), "the graph is NULL");
  EXPECT_EQ(kgwalk_graph_find_entity(nullptr, "Mars", nullptr), KGWALK_MISUSE);
  EXPECT_EQ(kgwalk_model_plan(nullptr, nullptr, nullptr), KGWALK_MISUSE);
  EXPECT_EQ(kgwalk_plan_path(nullptr, 0), nullptr);
  EXPECT_EQ(kgwalk_conversation_say(nullptr, nullptr, nullptr, nullptr, nullptr), KGWALK_MISUSE);
  EXPECT_EQ(kgwalk_conversation_recall(nullptr, nullptr), KGWALK_MISUSE);
  EXPECT_EQ(kgwalk_graph_close(nullptr), KGWALK_OK) << "closing nothing is no mistake";
  EXPECT_EQ(kgwalk_model_close(nullptr), KGWALK_OK);
  EXPECT_EQ(kgwalk_plan_close(nullptr), KGWALK_OK);
  EXPECT_EQ(kgwalk_conversation_close(nullptr), KGWALK_OK);
  kgwalk_free(nullptr);

  kgwalk_graph* graph = testing::graph_of_world();
  char* json = nullptr;
  EXPECT_EQ(kgwalk_graph_find_entity(graph, "Mars", nullptr), KGWALK_MISUSE);
  EXPECT_EQ(kgwalk_graph_find_entity(graph, nullptr, nullptr), KGWALK_MISUSE);
  EXPECT_EQ(kgwalk_graph_edges(graph, 0, nullptr, nullptr), KGWALK_MISUSE);
  EXPECT_EQ(kgwalk_graph_query(graph, nullptr, 0, 0, &json), KGWALK_MISUSE);
  EXPECT_EQ(kgwalk_graph_query(graph, "{}", 0, 0, nullptr), KGWALK_MISUSE);
  EXPECT_EQ(kgwalk_graph_search(graph, nullptr, 3, &json), KGWALK_MISUSE);
  EXPECT_EQ(kgwalk_graph_distance(graph, "Mars", nullptr, &json), KGWALK_MISUSE);
  EXPECT_STREQ(kgwalk_error(), "to is NULL");
  kgwalk_graph_close(graph);
}

TEST(CMisuse, NullOfAModelIsTold) {
  kgwalk_model* model = testing::compass_model();
  kgwalk_plan* plan = nullptr;
  char* json = nullptr;
  kgwalk_plan_request request{};
  EXPECT_EQ(kgwalk_model_plan(model, &request, &plan), KGWALK_MISUSE) << "the size is not set";
  EXPECT_TRUE(contains(kgwalk_error(), "sizeof *request")) << kgwalk_error();
  request.size = sizeof request;
  request.num_history = 1;
  EXPECT_EQ(kgwalk_model_plan(model, &request, &plan), KGWALK_MISUSE);
  EXPECT_STREQ(kgwalk_error(), "history is NULL");
  request.num_history = 0;
  request.num_walked = 1;
  EXPECT_EQ(kgwalk_model_plan(model, &request, &plan), KGWALK_MISUSE);
  const kgwalk_walk nothing{nullptr, 2};
  request.walked = &nothing;
  EXPECT_EQ(kgwalk_model_plan(model, &request, &plan), KGWALK_MISUSE);
  EXPECT_STREQ(kgwalk_error(), "hops is NULL");
  EXPECT_EQ(kgwalk_model_connect(model, nullptr, 2, 0, 0, &json), KGWALK_MISUSE);
  const char* const one[] = {"Scarface", nullptr};
  EXPECT_EQ(kgwalk_model_connect(model, one, 2, 0, 0, &json), KGWALK_MISUSE);
  EXPECT_STREQ(kgwalk_error(), "entities[1] is NULL");
  EXPECT_EQ(kgwalk_model_retrieve(model, "Mars?", 0, nullptr, nullptr), KGWALK_MISUSE);
  kgwalk_model_close(model);
}

TEST(CMisuse, HandlesOfAnotherKindAreTold) {
  kgwalk_graph* graph = testing::graph_of_world();
  kgwalk_model* model = testing::compass_model();
  char* json = nullptr;
  EXPECT_EQ(kgwalk_graph_search(reinterpret_cast<kgwalk_graph*>(model), "Mars", 3, &json), KGWALK_MISUSE);
  EXPECT_STREQ(kgwalk_error(), "a graph is expected, and this is a model");
  EXPECT_EQ(kgwalk_model_close(reinterpret_cast<kgwalk_model*>(graph)), KGWALK_MISUSE);
  EXPECT_EQ(kgwalk_graph_num_entities(graph), 14U) << "it was not closed";
  EXPECT_EQ(kgwalk_graph_close(graph), KGWALK_OK);
  EXPECT_EQ(kgwalk_graph_close(graph), KGWALK_MISUSE) << "twice";
  EXPECT_EQ(kgwalk_graph_search(graph, "Mars", 3, &json), KGWALK_MISUSE);
  EXPECT_TRUE(contains(kgwalk_error(), "was closed")) << kgwalk_error();
  int local = 0;
  EXPECT_EQ(kgwalk_graph_num_facts(reinterpret_cast<kgwalk_graph*>(&local)), 0U);
  EXPECT_EQ(kgwalk_graph_num_facts(reinterpret_cast<kgwalk_graph*>(std::uintptr_t{0x1234})), 0U);
  kgwalk_model_close(model);
}

TEST(CMisuse, TextThatIsNoUtf8IsTold) {
  kgwalk_graph* graph = testing::graph_of_world();
  kgwalk_model* model = testing::compass_model();
  kgwalk_conversation* conversation = nullptr;
  std::uint32_t id = 0;
  char* json = nullptr;
  EXPECT_EQ(kgwalk_graph_find_entity(graph, kNotUtf8, &id), KGWALK_INVALID);
  EXPECT_STREQ(kgwalk_error(), "name is not valid UTF-8: byte 2");
  EXPECT_EQ(kgwalk_graph_query(graph, kNotUtf8, 0, 0, &json), KGWALK_INVALID);
  EXPECT_EQ(kgwalk_model_lead(model, kNotUtf8, "Crime", 0, &json), KGWALK_INVALID);
  kgwalk_plan_request request{};
  request.size = sizeof request;
  request.start = kNotUtf8;
  kgwalk_plan* plan = nullptr;
  EXPECT_EQ(kgwalk_model_plan(model, &request, &plan), KGWALK_INVALID);
  ASSERT_EQ(kgwalk_conversation_open(model, 1, &conversation), KGWALK_OK);
  EXPECT_EQ(kgwalk_conversation_say(conversation, kNotUtf8, &json, nullptr, nullptr), KGWALK_INVALID);
  EXPECT_EQ(json, nullptr);
  kgwalk_conversation_close(conversation);
  kgwalk_model_close(model);
  kgwalk_graph_close(graph);
}

TEST(CMisuse, WhatIsNotThereIsToldWithWhatIsNear) {
  kgwalk_graph* graph = testing::graph_of_world();
  std::uint32_t id = 7;
  EXPECT_EQ(kgwalk_graph_find_entity(graph, "Scarfase", &id), KGWALK_INVALID);
  EXPECT_EQ(id, 0U);
  EXPECT_TRUE(contains(kgwalk_error(), "did you mean 'Scarface'")) << kgwalk_error();
  char* name = nullptr;
  EXPECT_EQ(kgwalk_graph_entity_name(graph, 4'000'000'000U, &name), KGWALK_MISUSE);
  EXPECT_EQ(kgwalk_graph_relation_name(graph, kgwalk_graph_num_relations(graph), &name), KGWALK_MISUSE);
  EXPECT_EQ(kgwalk_graph_query(graph, "{", 0, 0, &name), KGWALK_INVALID);
  EXPECT_EQ(
      kgwalk_graph_query(graph, R"({"find": {"step": "~directed_by", "from": "Michael Man"}})", 0, 0, &name),
      KGWALK_INVALID);
  EXPECT_EQ(kgwalk_graph_query(graph, R"({"find": {"step": "~directed_by", "from": "Michael Mann"}})", 0, -1,
                               &name),
            KGWALK_INVALID);
  kgwalk_graph_close(graph);
  EXPECT_EQ(kgwalk_graph_open(KGWALK_VERSION, "no/such.db", &graph), KGWALK_STORE_ERROR);
  kgwalk_model* model = nullptr;
  EXPECT_EQ(kgwalk_model_open(KGWALK_VERSION, "no/such.tar.zst", nullptr, nullptr, &model), KGWALK_IO_ERROR);
  EXPECT_EQ(kgwalk_model_open(KGWALK_VERSION, ".", nullptr, nullptr, &model), KGWALK_INVALID);
  EXPECT_TRUE(contains(kgwalk_error(), "is no packed model")) << kgwalk_error();
  EXPECT_EQ(kgwalk_set_threads(-1), KGWALK_INVALID);
}

TEST(CMisuse, EachThreadHasItsOwnSentence) {
  EXPECT_EQ(kgwalk_graph_num_entities(nullptr), 0U);
  std::thread([] {
    EXPECT_STREQ(kgwalk_error(), "");
    (void)kgwalk_plan_num_paths(nullptr);
    EXPECT_STREQ(kgwalk_error(), "the plan is NULL");
  }).join();
  EXPECT_STREQ(kgwalk_error(), "the graph is NULL");
}

TEST(CMisuse, EveryStatusHasAName) {
  EXPECT_STREQ(kgwalk_status_name(KGWALK_OK), "ok");
  EXPECT_STREQ(kgwalk_status_name(KGWALK_INTERNAL), "internal error");
  EXPECT_STREQ(kgwalk_status_name(static_cast<kgwalk_status>(99)), "unknown status");
  EXPECT_STREQ(kgwalk_status_name(static_cast<kgwalk_status>(-1)), "unknown status");
}

}  // namespace
}  // namespace kgwalk
