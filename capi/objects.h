// What the handles stand for.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "capi/handles.h"
#include "kgwalk/complete.h"
#include "kgwalk/conversation.h"
#include "kgwalk/explore.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/plan.h"
#include "kgwalk/querier.h"
#include "kgwalk/retrieve.h"

namespace kgwalk::capi {

// A graph and what is asked of it, made at first use. Thread-safe; shared by the handles of one graph.
class SharedGraph {
 public:
  SharedGraph(std::shared_ptr<const graph::KnowledgeGraph> graph, std::filesystem::path database);
  [[nodiscard]] const graph::KnowledgeGraph& graph() const { return *graph_; }
  [[nodiscard]] const Explorer& explorer() const;
  [[nodiscard]] const Querier& querier() const;
  // StoreError where the database has no tables.
  [[nodiscard]] const Completer& completer() const;

 private:
  std::shared_ptr<const graph::KnowledgeGraph> graph_;
  std::filesystem::path database_;
  mutable std::mutex making_;
  mutable std::optional<Explorer> explorer_;
  mutable std::optional<Querier> querier_;
  mutable std::optional<Completer> completer_;
};

struct GraphObject : Object {
  using Handle = kgwalk_graph;
  static constexpr std::string_view kKind = "graph";
  [[nodiscard]] std::string_view kind() const override { return kKind; }
  explicit GraphObject(std::shared_ptr<const SharedGraph> from) : shared(std::move(from)) {}
  std::shared_ptr<const SharedGraph> shared;
};

struct ModelObject : Object {
  using Handle = kgwalk_model;
  static constexpr std::string_view kKind = "model";
  [[nodiscard]] std::string_view kind() const override { return kKind; }
  // `database`: where tables of embeddings are looked for.
  ModelObject(Conversation conversation, const std::filesystem::path& database);
  std::shared_ptr<const Conversation> first;  // never talked with: others are made of it
  Retriever retriever;
  std::shared_ptr<const SharedGraph> graph;  // keeps `first` alive
};

struct PlanObject : Object {
  using Handle = kgwalk_plan;
  static constexpr std::string_view kKind = "plan";
  [[nodiscard]] std::string_view kind() const override { return kKind; }
  explicit PlanObject(Plan made);
  Plan plan;
  std::vector<std::vector<kgwalk_hop>> hops;  // of each path; their texts are the plan's
  std::vector<kgwalk_path> paths;
};

struct ConversationObject : Object {
  using Handle = kgwalk_conversation;
  static constexpr std::string_view kKind = "conversation";
  [[nodiscard]] std::string_view kind() const override { return kKind; }
  explicit ConversationObject(Conversation of) : conversation(std::move(of)) {}
  std::mutex talking;
  Conversation conversation;
};

}  // namespace kgwalk::capi
