// A small world for these tests: a graph, dialogues about it, a database, and a random text encoder.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "dialogue/text/text_encoder.h"
#include "kgwalk/ingest.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/store.h"
#include "runtime/files.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/text/albert_tokenizer.h"
#include "tests/temp_folder.h"

namespace kgwalk::dialogue::test {

// A folder that goes away with the object.
using kgwalk::test::TempFolder;

inline std::string triples() {
  return "The Mill\twritten_by\tAda Berg\n"
         "The Mill\thas_genre\tNovel\n"
         "Ada Berg\t~written_by\tThe Harbour\n"
         "The Harbour\thas_genre\tNovel\n"
         "Novel\tis-a\tBook\n";
}

// Two dialogues: one with three paths (two hops in the second), side talk and a later path off the preceding
// one; one with a path before anything was said.
inline std::string dialogues_csv() {
  const auto chat = [](const char* who, const char* text) {
    return std::string(R"({""type"": ""chat"", ""sender"": "")") + who + R"("", ""message"": "")" + text +
           R"(""})";
  };
  const auto path = [](const char* who, const char* hops) {
    return std::string(R"({""type"": ""action"", ""sender"": "")") + who +
           R"("", ""action_id"": ""kgwalk/choose_path"", ""metadata"": {""path"": [1, [)" + hops +
           R"(], """"]}})";
  };
  const std::string side =
      R"({""type"": ""action"", ""sender"": ""user"", ""action_id"": ""meta_thread/send_meta_message"", ""metadata"": {""text"": ""hi""}})";
  const std::string first =
      chat("user", "Do you know The Mill?") + ", " + side + ", " +
      path("assistant", R"([""the mill"", ""written_by"", ""Ada Berg""])") + ", " +
      chat("assistant", "Yes, by Ada Berg.") + ", " + chat("user", "What else did she write?") + ", " +
      path(
          "assistant",
          R"([""Ada Berg"", ""~written_by"", ""The Harbour""], [""The Harbour"", ""has_genre"", ""Novel""])") +
      ", " + chat("assistant", "The Harbour, a novel.") + ", " + chat("user", "I like harbors.") + ", " +
      path("user", R"([""The Mill"", ""has_genre"", ""Novel""])") + ", " + chat("user", "And novels.");
  const std::string second =
      path("user", R"([""Novel"", ""is-a"", ""Book""])") + ", " + chat("user", "A novel is a book.");
  return "Messages,User Rating,Assistant Rating\n\"[" + first + "]\",{},{}\n\"[" + second + "]\",{},{}\n";
}

// Ingests the world (and an annotation-only mark on the last hop) into folder/db.
inline std::filesystem::path make_database(const std::filesystem::path& folder) {
  write_file_atomically(folder / "triples.txt", triples());
  write_file_atomically(folder / "train.csv", dialogues_csv());
  write_file_atomically(folder / "only.txt", "Novel\tis-a\tBook\n");
  graph::IngestOptions options;
  options.database = folder / "db";
  options.triples = {folder / "triples.txt"};
  options.annotation_only = folder / "only.txt";
  options.dialogues = {{"train", folder / "train.csv"}, {"dev", folder / "train.csv"}};
  (void)graph::ingest(options);
  return options.database;
}

inline std::shared_ptr<const seq2seq::Tokenizer> make_tokenizer(const char* fixture = "dialogue.model") {
  return std::make_shared<const seq2seq::AlbertTokenizer>(seq2seq::SentencePiece::load(
      std::filesystem::path(KGWALK_SOURCE_DIR) / "tests/seq2seq/text/fixtures" / fixture));
}

inline seq2seq::AlbertOptions small_albert(int vocabulary, int positions = 64) {
  seq2seq::AlbertOptions options;
  options.vocab_size = vocabulary;
  options.embedding_size = 16;
  options.hidden_size = 32;
  options.num_hidden_layers = 2;
  options.num_attention_heads = 2;
  options.intermediate_size = 64;
  options.max_position_embeddings = positions;
  options.initializer_range = 0.2;
  return options;
}

inline std::shared_ptr<const TextEncoder> make_encoder(std::uint64_t seed, int positions = 64) {
  const auto tokenizer = make_tokenizer();
  torch::manual_seed(seed);
  return std::make_shared<const TextEncoder>(seq2seq::Albert(small_albert(tokenizer->size(), positions)),
                                             tokenizer, torch::kCPU);
}

// A reporter that remembers its warnings.
class Warnings : public Reporter {
 public:
  void info(std::string_view) override {}
  void warn(std::string_view line) override { lines.emplace_back(line); }
  std::unique_ptr<Progress> start(std::string_view what, std::int64_t total, std::string_view unit) override {
    return silent_reporter().start(what, total, unit);
  }
  std::vector<std::string> lines;
};

}  // namespace kgwalk::dialogue::test
