// What a listener is trained on and asked about: a database opened for it, and questions that people wrote.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "kgwalk/knowledge_graph.h"
#include "kgwalk/progress.h"
#include "kgwalk/store.h"
#include "listening/candidates/question.h"
#include "listening/network/config.h"
#include "listening/network/listener.h"
#include "listening/questions/question_config.h"

namespace kgwalk {

// What is trained and how the questions are made, as one configuration.
struct ListenConfiguration {
  listening::QuestionConfig questions;
  listening::ListenConfig listening;
  template <class F>
  void fields(F& f) {
    f("questions", questions, "Questions that are made from the graph.");
    f("listening", listening, "The listener.");
  }
};

struct ListenedDatabase {
  explicit ListenedDatabase(const std::filesystem::path& database);
  graph::Store store;
  graph::KnowledgeGraph graph;
  listening::ListenedGraph listened;
};

// Those that the graph can answer; the reporter is told of the others.
[[nodiscard]] std::vector<listening::FormQuestion> written_questions(const std::filesystem::path& file,
                                                                     bool without_named,
                                                                     const ListenedDatabase& opened,
                                                                     Reporter& reporter);

// Null where there is no folder: who needs one says so.
[[nodiscard]] std::shared_ptr<const dialogue::TextEncoder> load_encoder(const std::filesystem::path& folder);

// The encoder of a listener's run: `text`, or the one that it was trained with.
[[nodiscard]] std::shared_ptr<const dialogue::TextEncoder> encoder_of_listener(
    const std::filesystem::path& run, const std::filesystem::path& text);

}  // namespace kgwalk
