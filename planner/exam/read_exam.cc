#include <algorithm>
#include <array>
#include <string_view>

#include "kgwalk/error.h"
#include "planner/exam/exam.h"
#include "runtime/files.h"
#include "runtime/json_text.h"
#include "runtime/text.h"

namespace kgwalk {
namespace {

constexpr std::array<const char*, 10> kMembers = {"say",   "kind", "any",    "all",    "number",
                                                  "yesno", "lead", "nofact", "refuse", "no"};

// A member of a turn; what is wrong with it is told with its place.
class TurnReader {
 public:
  TurnReader(const Json& json, std::string place) : json_(json), place_(std::move(place)) {
    if (!json.is_object()) fail("is no object");
    for (const auto& [name, value] : json.items()) {
      const std::vector<std::string> known(kMembers.begin(), kMembers.end());
      if (std::find(known.begin(), known.end(), name) == known.end())
        fail("has an unknown member '" + name + "'" + did_you_mean(name, known));
    }
  }

  [[nodiscard]] ExamTurn read() const {
    if (!json_.contains("say")) fail("has no member 'say'");
    ExamTurn turn{.say = text("say"), .kind = has("kind") ? text("kind") : ""};
    turn.no_fact = flag("nofact");
    turn.refuse = flag("refuse");
    if (has("number")) turn.number = whole("number");
    if (has("yesno")) turn.yes = yes_or_no();
    if (has("lead")) turn.lead = text("lead");
    turn.all = names("all");
    turn.any = names("any");
    turn.no = names("no");
    const bool asks =
        turn.no_fact || turn.refuse || turn.number || turn.yes || turn.lead || has("all") || has("any");
    if (!turn.kind.empty() && !asks)
      fail("is judged, but says not what is right: any, all, number, yesno, lead, nofact or refuse");
    return turn;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw FormatError(place_ + " " + why); }
  [[nodiscard]] bool has(const char* name) const { return json_.contains(name) && !json_.at(name).is_null(); }
  [[nodiscard]] std::string text(const char* name) const {
    if (!json_.at(name).is_string()) fail(std::string("must hold text in '") + name + "'");
    return json_.at(name);
  }
  [[nodiscard]] bool flag(const char* name) const {
    if (!has(name)) return false;
    if (!json_.at(name).is_boolean()) fail(std::string("must hold true or false in '") + name + "'");
    return json_.at(name);
  }
  [[nodiscard]] std::int64_t whole(const char* name) const {
    if (!json_.at(name).is_number_integer()) fail(std::string("must hold a whole number in '") + name + "'");
    return json_.at(name);
  }
  [[nodiscard]] bool yes_or_no() const {
    const std::string said = text("yesno");
    if (said != "yes" && said != "no") fail("must hold yes or no in 'yesno'");
    return said == "yes";
  }
  [[nodiscard]] std::vector<std::string> names(const char* name) const {
    std::vector<std::string> found;
    if (!has(name)) return found;
    if (!json_.at(name).is_array()) fail(std::string("must hold a list of names in '") + name + "'");
    for (const Json& one : json_.at(name)) {
      if (!one.is_string()) fail(std::string("must hold names in '") + name + "'");
      found.push_back(one);
    }
    return found;
  }

  const Json& json_;
  std::string place_;
};

}  // namespace

Exam read_exam(const std::filesystem::path& file) {
  const Json json = read_json_file(file.string());
  if (!json.is_array()) throw FormatError(file.string() + ": is no list of conversations");
  Exam exam;
  for (const Json& conversation : json) {
    const std::string place = file.string() + ": conversation " + std::to_string(exam.size() + 1);
    if (!conversation.is_array()) throw FormatError(place + " is no list of turns");
    std::vector<ExamTurn> turns;
    for (const Json& turn : conversation)
      turns.push_back(TurnReader(turn, place + ", turn " + std::to_string(turns.size() + 1)).read());
    exam.push_back(std::move(turns));
  }
  return exam;
}

}  // namespace kgwalk
