// Facts for the prompt of a language model: from a question to what the graph has to say to it, as text
// within a budget of tokens, each fact with where it comes from.
//
// Example:
//   const auto retriever = kgwalk::Retriever::open("kg.db", "runs/walker");
//   const auto found = retriever.retrieve({.question = "Who directed Inception?", .tokens = 200});
//   std::cout << "Answer from these facts:\n" << found.text;
//
// The entities that the question names are found in the graph; the walker plans paths from each with the
// question in its ear, and paths are sought that join them. A retriever owns what it opened; it is
// thread-safe. Errors are the tree of kgwalk/error.h.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/plan.h"

namespace kgwalk {

class Guide;
namespace dialogue {
class EntityLinker;
}

struct RetrieveRequest {
  std::string question;                 // UTF-8
  std::vector<Utterance> history = {};  // what was said before it
  int tokens = 400;                     // at most, of the text; from 16
  int k = 8;                            // paths from each entity, 1 to 100
  int max_hops = 2;                     // of a path, 1 to kMaxPathHops
};

struct RetrievedFact {
  NamedHop fact;  // read forward, never by an inverse; its `sources` are the graph's own
  double weight =
      0;  // in [0, 1]: the probability of the likeliest path with it; 1 for one that joins what was named
  std::string source;  // the path that it is a hop of: "path from Inception", "joins Inception and Memento"
};

struct Retrieved {
  std::vector<std::string> entities;  // named in the question, in its order
  std::vector<RetrievedFact> facts;   // the weightiest first: those of `text`
  // A line a fact: "Inception | directed_by | Christopher Nolan", and behind it, in square brackets, its
  // sources where the graph has some.
  std::string text;
  int tokens = 0;    // of the text, estimated: a token for each four bytes of a word begun
  bool cut = false;  // facts were left out for want of tokens
};

class Retriever {
 public:
  // Errors as Planner::open.
  [[nodiscard]] static Retriever open(const std::filesystem::path& database,
                                      const std::filesystem::path& run);
  // For kgwalk's own sources: what stands behind it.
  Retriever(std::shared_ptr<const Guide> guide, std::shared_ptr<const dialogue::EntityLinker> linker);

  Retriever(Retriever&&) noexcept;
  Retriever& operator=(Retriever&&) noexcept;
  ~Retriever();

  // A question that names no entity of the graph gets no facts. ConfigError: numbers out of range, text that
  // is not UTF-8.
  [[nodiscard]] Retrieved retrieve(const RetrieveRequest& request) const;

 private:
  std::shared_ptr<const Guide> guide_;
  std::shared_ptr<const dialogue::EntityLinker> linker_;
};

// What a text costs by that estimate: for each run of letters and digits the fours of bytes begun, for each
// other sign one.
[[nodiscard]] int estimated_tokens(std::string_view text);

}  // namespace kgwalk
