// Says in a sentence what a planner planned: the path that the talk turns to, or the answer to what was
// asked.
//
// Example:
//   #include "kgwalk/planner.h"
//
//   const auto planner = kgwalk::Planner::open("kg.db", "runs/walker");
//   const auto responder = kgwalk::Responder::by_wordings();
//   const auto plan =
//       planner.explain({.history = {{"user", "Who directed Iron Man?"}}, .start = "Iron Man"});
//   std::cout << responder.say(plan) << '\n';  // Jon Favreau directed Iron Man.
//
// A sentence names entities as the graph writes them. All const functions are thread-safe. Nothing here
// prints or exits; errors are the tree of kgwalk/error.h.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "kgwalk/plan.h"

namespace kgwalk::dialogue {
class Voice;  // private
struct Message;
}  // namespace kgwalk::dialogue

namespace kgwalk {

class Responder {
 public:
  // By the wordings of relations that are compiled in. Relations that they do not know are said by their own
  // words, so that it speaks of any graph.
  [[nodiscard]] static Responder by_wordings();

  // By the response model of a finished run of 'kgwalk respond train', for plans on the graph of a database
  // made by ingestion: it names no other entities than those of the plan and of what was said. Where it finds
  // no such sentence the wordings speak. StoreError, FormatError and IoError where one of both cannot be read
  // or is something else.
  [[nodiscard]] static Responder open(const std::filesystem::path& database,
                                      const std::filesystem::path& run);

  Responder(Responder&&) noexcept;
  Responder& operator=(Responder&&) noexcept;
  ~Responder();

  // One sentence, or two where the graph does not say what was asked: then what it says instead is offered.
  // Says plan.answer, and where nothing was asked (or the walker does not listen) the path with this place;
  // a plan without paths is told too. ConfigError where the plan has no path of this place, or a name that is
  // not UTF-8.
  [[nodiscard]] std::string say(const Plan& plan, std::size_t path = 0) const;

  // Asking back, in words that change with `turn`: which of the entities that bear a name is meant, whether
  // one of these is when a name is unknown, and what is talked about at all. `entities` is not empty.
  [[nodiscard]] static std::string ask_which(const std::string& name,
                                             const std::vector<std::string>& entities, std::size_t turn);
  [[nodiscard]] static std::string ask_nearest(const std::vector<std::string>& entities, std::size_t turn);
  [[nodiscard]] static std::string ask_anything(std::size_t turn);

  // For kgwalk's own sources: the same for a sentence that stands already, and what stands behind it.
  [[nodiscard]] std::string put(const dialogue::Message& message, std::string draft) const;
  explicit Responder(std::unique_ptr<const dialogue::Voice> voice);
  [[nodiscard]] std::unique_ptr<const dialogue::Voice> voice() &&;  // leaves nothing behind

 private:
  std::unique_ptr<const dialogue::Voice> voice_;
};

}  // namespace kgwalk
