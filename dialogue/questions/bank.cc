#include "dialogue/questions/bank.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "dialogue/linking/spoken_relation.h"
#include "dialogue/questions/builtin_bank.h"
#include "kgwalk/error.h"
#include "runtime/files.h"

namespace kgwalk::dialogue {
namespace {

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

std::optional<Kind> kind_named(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Kind>, 5> kKinds{{{"person", Kind::kPerson},
                                                                     {"work", Kind::kWork},
                                                                     {"place", Kind::kPlace},
                                                                     {"org", Kind::kOrg},
                                                                     {"thing", Kind::kThing}}};
  for (const auto& [known, kind] : kKinds)
    if (known == name) return kind;
  return std::nullopt;
}

class BankParser {
 public:
  explicit BankParser(std::string_view name) : name_(name) {}

  void line(std::string_view text, std::size_t number) {
    number_ = number;
    if (trim(text).empty() || text.front() == '#') return;
    if (text.front() == '[') return section(text);
    if (phrases_ != nullptr) {
      phrases_->emplace_back(text.ends_with('\r') ? text.substr(0, text.size() - 1) : text);
    } else {
      wording(text);
    }
  }

  Bank take() { return std::move(bank_); }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw DataError(name_, number_, why); }

  void section(std::string_view text) {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos) fail("a section's name ends with ]");
    const std::string name(text.substr(1, close - 1));
    if (name.starts_with(':')) {
      phrases_ = &bank_.phrases[name.substr(1)];
      return;
    }
    phrases_ = nullptr;
    family(name, text.substr(close + 1));
  }

  // "work -> person : directed_by ; ~Film appeared in"
  void family(const std::string& name, std::string_view text) {
    const std::size_t arrow = text.find("->"), colon = text.find(" : ");
    if (arrow == std::string_view::npos || colon == std::string_view::npos || arrow > colon)
      fail("a family is written \"[name] kind -> kind : relation ; relation\"");
    const auto head = kind_named(trim(text.substr(0, arrow)));
    const auto tail = kind_named(trim(text.substr(arrow + 2, colon - arrow - 2)));
    if (!head || !tail) fail("kinds are person, work, place, org and thing");
    bank_.families.push_back({name, *head, *tail, names(text.substr(colon + 3)), {}, {}});
  }

  // "directed_by ; ~Film appeared in"
  std::vector<std::string> names(std::string_view text) const {
    std::vector<std::string> found;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find(" ; "), text.size());
      found.emplace_back(trim(text.substr(0, end)));
      text.remove_prefix(std::min(end + 3, text.size()));
      if (found.back().empty()) fail("a relation has no name");
    }
    return found;
  }

  void wording(std::string_view text) {
    if (bank_.families.empty()) fail("wordings stand below the family that they ask for");
    if (text.front() == '=') {
      bank_.families.back().elsewhere = names(trim(text.substr(1)));
      return;
    }
    const bool backward = text.front() == '<';
    if (!backward && text.front() != '>') fail("a wording begins with > or <");
    text.remove_prefix(1);
    Wording wording{"", Form::kOne, backward, ""};
    const std::string_view marks = "*?@";
    if (const std::size_t mark = text.empty() ? marks.npos : marks.find(text.front()); mark != marks.npos) {
      wording.form = mark == 0 ? Form::kList : mark == 1 ? Form::kVerify : Form::kPhrase;
      text.remove_prefix(1);
    }
    wording.text = trim(text);
    if (wording.text.find("{x") == std::string::npos && wording.text.find("{he}") == std::string::npos)
      fail("a wording names what it asks about: {x}, {he} or {x's}");
    if ((wording.form == Form::kVerify) != (wording.text.find("{y}") != std::string::npos))
      fail("{y} is what a question to be verified claims, and no other has it");
    Family& family = bank_.families.back();
    wording.name = family.name;
    wording.name.append("/").append(std::to_string(family.wordings.size() + 1));
    family.wordings.push_back(std::move(wording));
  }

  std::string name_;
  std::size_t number_ = 0;
  Bank bank_;
  std::vector<std::string>* phrases_ = nullptr;
};

}  // namespace

Bank parse_bank(std::string_view text, std::string_view name) {
  BankParser parser(name);
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    parser.line(text.substr(0, end), number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  Bank bank = parser.take();
  if (bank.families.empty()) throw DataError(name, 0, "there is no family of relations");
  return bank;
}

Bank read_bank(const std::filesystem::path& path) {
  const MappedFile file(path);
  return parse_bank(file.bytes(), path.string());
}

const Bank& builtin_bank() {
  static const Bank bank = parse_bank(kBuiltinBank, "data/questions/bank.txt");
  return bank;
}

namespace {

// Wordings by a relation's name: of one tail, of one head, of all, and whether it is so.
struct NameWordings {
  std::vector<const char*> forward, backward;
  const char *list, *verify;
};

// What no sentence takes ("film appeared in") is named, and nothing said around it.
const NameWordings& wordings_of(const SpokenRelation& spoken) {
  static const NameWordings kNoun = {
      {"what is the {r} of {x}", "which {r} does {x} have", "{x's} {r}", "tell me the {r} of {x}",
       "{r} of {x}", "what is {x's} {r}", "do you know the {r} of {x}", "name the {r} of {x}",
       "who or what is the {r} of {x}", "what can you say about the {r} of {x}"},
      {"what has {x} as its {r}", "whose {r} is {x}", "for what is {x} the {r}", "{x} is the {r} of what",
       "of what is {x} the {r}", "what has the {r} {x}"},
      "list every {r} of {x}",
      "is {y} the {r} of {x}"};
  static const NameWordings kNounOf = {{"what is {x} the {r}", "{x} is the {r} what", "{x}: {r}"},
                                       {"what is the {r} {x}", "tell me the {r} {x}", "name the {r} {x}"},
                                       "list everything that {x} is the {r}",
                                       "is {x} the {r} {y}"};
  static const NameWordings kParticiple = {
      {"what is {x} {r}", "who or what is {x} {r}", "{x} is {r} what", "{x}: {r}"},
      {"what is {r} {x}", "who or what is {r} {x}", "tell me what is {r} {x}"},
      "list everything that {x} is {r}",
      "is {x} {r} {y}"};
  static const NameWordings kVerb = {{"{x} {r} what", "tell me what {x} {r}", "do you know what {x} {r}"},
                                     {"what {r} {x}", "who or what {r} {x}", "tell me what {r} {x}"},
                                     "list everything that {x} {r}",
                                     "is it so that {x} {r} {y}"};
  static const NameWordings kLabel = {{"{x}: {r}", "{r}: {x}", "{x}, {r}"},
                                      {"{r}: {x}", "{x} as {r}"},
                                      "{x}: {r}, all of them",
                                      "{x}, {r}: {y}, right"};
  switch (spoken.form) {
    case RelationForm::kNounOf:
      return kNounOf;
    case RelationForm::kParticiple:
      return kParticiple;
    case RelationForm::kVerb:
    case RelationForm::kPresent:
      return kVerb;
    default:
      return ends_with_preposition(spoken.words) ? kLabel : kNoun;
  }
}

}  // namespace

Family family_of_relation(std::string_view relation) {
  std::string name(relation);
  std::replace(name.begin(), name.end(), '/', ' ');
  const SpokenRelation spoken = spoken_relation(name);
  Family family{std::string(relation), Kind::kThing, Kind::kThing, {std::string(relation)}, {}, {}};
  const auto add = [&](Form form, bool backward, std::string text) {
    for (std::size_t at; (at = text.find("{r}")) != std::string::npos;) text.replace(at, 3, spoken.words);
    family.wordings.push_back(
        {std::move(text), form, backward, family.name + "/" + std::to_string(family.wordings.size() + 1)});
  };
  const NameWordings& wordings = wordings_of(spoken);
  for (const char* text : wordings.forward) add(Form::kOne, false, text);
  add(Form::kList, false, wordings.list);
  add(Form::kVerify, false, wordings.verify);
  for (const char* text : wordings.backward) add(Form::kOne, true, text);
  return family;
}

}  // namespace kgwalk::dialogue
