// An exam of conversations: what is said turn by turn, and what an answer must hold to be right, judged by
// names and numbers alone (docs/reference/formats/exam.md).
//
// Example:
//   const auto exam = kgwalk::read_exam("conversations.json");
//   const auto report = kgwalk::hold_exam(conversation, exam);
//   std::cout << report.to_text();
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kgwalk/conversation.h"
#include "kgwalk/json.h"
#include "kgwalk/progress.h"

namespace kgwalk {

class ShardedWork;

// One thing is asked of an answer: the first of these that a turn has.
struct ExamTurn {
  std::string say;
  std::string kind;      // heading that it counts under; empty: it is not judged
  bool no_fact = false;  // no fact may be told and no hop walked
  bool refuse = false;   // that the graph does not say it
  std::optional<std::int64_t> number = {};
  std::optional<bool> yes = {};          // yes, or no
  std::optional<std::string> lead = {};  // the name that must come first
  std::vector<std::string> all = {};     // names, four in five of which must be said
  std::vector<std::string> any = {};     // names, one of which must be said
  std::vector<std::string> no = {};      // beside `all` and `any`: names that must not be said
};
using Exam = std::vector<std::vector<ExamTurn>>;

// FormatError with the conversation and the turn for what is no exam; IoError when it cannot be read.
[[nodiscard]] Exam read_exam(const std::filesystem::path& file);

// Whether `said` is what the turn asks for; `walked`: a hop was walked to another path than the first.
[[nodiscard]] bool is_right(const ExamTurn& turn, const std::string& said, bool walked);

struct HeldTurn {
  ExamTurn turn;
  std::string said;
  bool right = false;  // where it is judged
};

struct ExamReport {
  struct Kind {
    std::string name;
    std::int64_t right = 0, turns = 0;
  };
  std::vector<std::vector<HeldTurn>> conversations;

  // In the order in which they come first, and behind them all together under an empty name.
  [[nodiscard]] std::vector<Kind> kinds() const;
  // A line a kind: percent, 95 % interval (Wilson's, over turns), counts.
  [[nodiscard]] std::string to_text() const;
  [[nodiscard]] Json to_json() const;
  // All conversations whole.
  [[nodiscard]] std::string to_markdown() const;
};

// Holds each conversation with one that begins anew beside `model`. Ends early on `stop`; the report then
// holds the conversations that are whole. `work` (borrowed, null = all of it is done here) is asked for each
// conversation.
[[nodiscard]] ExamReport hold_exam(const Conversation& model, const Exam& exam, std::uint64_t seed,
                                   Reporter& reporter, const StopFlag& stop, ShardedWork* work = nullptr);

}  // namespace kgwalk
