// A model that is served: a walker over its graph, with all that is asked of it.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "kgwalk/complete.h"
#include "kgwalk/conversation.h"
#include "kgwalk/explore.h"
#include "kgwalk/guide.h"
#include "kgwalk/json.h"
#include "kgwalk/planner.h"
#include "kgwalk/querier.h"
#include "kgwalk/recognizer.h"
#include "kgwalk/retrieve.h"
#include "kgwalk/text_embedder.h"

namespace kgwalk::server {

// Where a model lies. A file of this form names one: {"database": "kg.db", "run": "agent", ...}, with paths
// relative to the file.
struct ModelSource {
  std::string name = {};                // by which requests choose it
  std::string database = {}, run = {};  // as Conversation::open() takes them
  std::string listener = {}, simulator = {}, text = {}, recognizer = {};
  std::string introduction = {};  // file of a packed model; empty: made when it is asked for
  std::string about = {};         // a sentence on the data
  std::string license = {};       // of the data; shown with them
  template <class F>
  void fields(F& f) {
    f("database", database, "Folder of the database.");
    f("run", run, "Run folder of the walker.");
    f("listener", listener,
      "Run folder of the listener; empty = the folder listener in the run, where there is one.");
    f("simulator", simulator, "Run folder of the user simulator; empty = it says nothing.");
    f("text", text, "Folder of the text encoder when it has moved since training.");
    f("recognizer", recognizer, "Run folder of a speech recognizer; empty = nothing is transcribed.");
    f("introduction", introduction,
      "File of kgwalk pack with what a newcomer is shown; empty = made when it is asked for.");
    f("about", about, "A sentence on the data.");
    f("license", license, "License of the data.");
  }
  // ConfigError when the file is none of these; its stem is the name where none is given.
  [[nodiscard]] static ModelSource read(const std::filesystem::path& file, std::string name);
};

// Thread-safe.
class Model {
 public:
  // Errors as Conversation::open().
  Model(ModelSource source, const ConversationOptions& options);
  // For tests: over a conversation that stands already; without database there is nothing to complete from
  // and to embed.
  Model(ModelSource source, Conversation first);

  [[nodiscard]] const ModelSource& source() const { return source_; }
  [[nodiscard]] const Guide& guide() const { return first_.guide(); }
  [[nodiscard]] const Planner& planner() const { return guide().planner(); }
  [[nodiscard]] const Explorer& explorer() const { return explorer_; }
  [[nodiscard]] const Retriever& retriever() const { return retriever_; }
  // Refusal (404) when the database has no TransE tables, the run no text encoder, or no recognizer was
  // named. Opened at first use.
  [[nodiscard]] const Completer& completer() const;
  [[nodiscard]] const TextEmbedder& embedder() const;
  [[nodiscard]] const Recognizer& recognizer() const;
  // Made at first use: the values of the graph are read then.
  [[nodiscard]] const Querier& querier() const;
  // Names of the files that the graph was made from, as ingestion noted them.
  [[nodiscard]] std::vector<std::string> files() const;
  [[nodiscard]] Conversation conversation(std::uint64_t seed) const { return first_.another(seed); }
  // Whether edits came to the database after it was opened.
  [[nodiscard]] bool is_behind() const;
  // What a newcomer is shown (planner/conversation/introduction.h).
  [[nodiscard]] Json introduction() const;
  // Counts of the graph, what the walker can do, about and license.
  [[nodiscard]] Json facts() const;

 private:
  ModelSource source_;
  Conversation first_;
  Explorer explorer_;
  Retriever retriever_;
  mutable std::mutex opening_, introducing_;
  mutable std::optional<Json> introduction_;
  mutable std::optional<Completer> completer_;
  mutable std::optional<Querier> querier_;
  mutable std::optional<TextEmbedder> embedder_;
  mutable std::optional<Recognizer> recognizer_;
  mutable std::optional<std::vector<std::string>> files_;
};

}  // namespace kgwalk::server
