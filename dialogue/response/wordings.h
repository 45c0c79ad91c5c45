// How facts and answers are worded: data/responses/statements.txt, which tells the format and is compiled in.
// Torch-free.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dialogue/questions/bank.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::dialogue {

// What stands where a mark was: names of one or more entities, and texts.
struct Fillers {
  std::vector<std::string> x = {}, y = {};
  std::string statement = {}, phrase = {};        // {s}, {p}
  std::string relation = {}, bare_relation = {};  // {r}; {r0} is it without the "of" at its end
  std::string join = "and";                       // of several names
};

// Filled text. A sentence that begins with an ordinary word gets a capital, one that begins with a name keeps
// it.
struct Worded {
  std::string text;
  bool begins_with_name = false;
};

// A wording, taken apart once.
class Template {
 public:
  // ConfigError for a mark that there is none of.
  explicit Template(std::string_view text);
  [[nodiscard]] Worded fill(const Fillers& fillers) const;

 private:
  enum class Mark {
    kText,
    kX,
    kY,
    kOwnerX,
    kOwnerY,
    kArticleX,
    kArticleY,
    kNumberX,
    kNumberY,
    kStatement,
    kPhrase,
    kRelation,
    kBareRelation
  };
  struct Part {
    Mark mark = Mark::kText;
    std::string text, many;  // kText; of kNumberX and kNumberY for one and for many
  };
  static Part part_of(std::string_view inside);
  std::vector<Part> parts_;
};

// What says a family of relations, or a relation that no bank knows.
struct StatementWordings {
  std::vector<Template> statements;
  std::vector<Template> tails, heads;  // noun phrases for what a question asks for
  bool tails_tell = true;              // "{y} is the color of {x}", made of a noun phrase, is a statement too
};

// A relation as wordings see it.
struct WordedRelation {
  const StatementWordings* wordings = nullptr;
  bool flipped = false;  // the head of a fact is {y}
  std::string words = {}, bare = {};
  std::string many_words = {};  // where there are several {x}; empty: the same
  bool is_dated = false;        // {y} is a date, which "in" or "on" stands before
  // What fills a wording, where these are the ends of facts.
  [[nodiscard]] Fillers fillers(std::vector<std::string> heads, std::vector<std::string> tails) const;
};

// The frames around statements.
inline constexpr std::array<std::string_view, 15> kFrames{
    "is_noun",  "answer",         "path",    "goal", "yes",   "yes_alone", "no",  "no_alone",
    "not_said", "not_said_alone", "instead", "none", "which", "unknown",   "lost"};

class Wordings {
 public:
  // `bank` says which relations a family has. DataError with the line for a mark, a family or a frame that
  // there is none of; ConfigError where one is missing.
  Wordings(std::string_view text, const std::string& name, const Bank& bank);

  [[nodiscard]] WordedRelation of(std::string_view relation) const;
  // Of a fact: where nobody has worded the relation, it is told by what it leads to, whether a date ("was
  // founded on ..."), a number ("has 9 employees"), yes or no, or a name.
  [[nodiscard]] WordedRelation of(const graph::NamedTriple& fact) const;
  [[nodiscard]] const std::vector<Template>& frame(std::string_view name) const;

 private:
  [[nodiscard]] const std::vector<Template>* frame_or_null(std::string_view name) const;
  void need_words(const std::string& family, const std::string& name) const;
  struct Place {
    std::string family;
    bool flipped = false;
  };
  [[nodiscard]] const StatementWordings* section(std::string_view name) const {
    return &families_.find(name)->second;
  }
  std::map<std::string, StatementWordings, std::less<>> families_;  // and ":noun" ... for relations of none
  std::map<std::string, std::vector<Template>, std::less<>> frames_;
  std::map<std::string, Place, std::less<>> relations_, by_words_;  // by name; by relation_key()
};

[[nodiscard]] const Wordings& builtin_wordings();

}  // namespace kgwalk::dialogue
