#include "dialogue/questions/readers.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <utility>

#include "dialogue/linking/name_index.h"
#include "kgwalk/error.h"
#include "runtime/input_bytes.h"

namespace kgwalk::dialogue {
namespace {

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = text.find(at);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<QuestionTurn> read_lines(
    const std::filesystem::path& path,
    const std::function<QuestionTurn(const std::vector<std::string>&)>& read) {
  const std::string text = read_input(path);
  std::vector<QuestionTurn> questions;
  std::string_view left = text;
  for (std::size_t number = 1; !left.empty(); ++number) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    std::string_view line = left.substr(0, end);
    left.remove_prefix(std::min(end + 1, left.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    try {
      questions.push_back(read(split(line, '\t')));
    } catch (const ConfigError& error) {
      throw DataError(path.string(), number, error.what());
    }
  }
  return questions;
}

// MetaQA's kinds of entity and the relation that leads from a film to them.
std::string relation_to(const std::string& kind) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kRelations{
      {{"director", "directed_by"},
       {"writer", "written_by"},
       {"actor", "starred_actors"},
       {"year", "release_year"},
       {"language", "in_language"},
       {"genre", "has_genre"},
       {"tags", "has_tags"},
       {"imdbrating", "has_imdb_rating"},
       {"imdbvotes", "has_imdb_votes"}}};
  for (const auto& [known, relation] : kRelations)
    if (known == kind || (known == "tags" && kind == "tag")) return std::string(relation);
  throw ConfigError("\"" + kind + "\" is no kind of entity that MetaQA's types are made of");
}

// "movie_to_director_to_movie": one step forward, one back.
std::vector<std::vector<std::string>> path_of(const std::string& type, int hops) {
  std::vector<std::string> kinds;
  std::string_view left = type;
  for (;;) {
    const std::size_t end = left.find("_to_");
    kinds.emplace_back(left.substr(0, end));
    if (end == std::string_view::npos) break;
    left.remove_prefix(end + 4);
  }
  if (static_cast<int>(kinds.size()) != hops + 1)
    throw ConfigError("the type \"" + type + "\" takes " + std::to_string(kinds.size() - 1) + " hops, not " +
                      std::to_string(hops));
  std::vector<std::vector<std::string>> relations;
  for (std::size_t i = 0; i + 1 < kinds.size(); ++i) {
    if (kinds[i] == "movie") {
      relations.push_back({relation_to(kinds[i + 1])});
    } else {
      relations.push_back({std::string("~").append(relation_to(kinds[i]))});
    }
  }
  return relations;
}

constexpr std::size_t kStem = 5;

// Words of a name that tell what it is about, cut to their stems.
std::set<std::string> stems_of(std::string_view name) {
  constexpr std::array<std::string_view, 12> kSmall{"of",   "by",  "in",   "the",   "for",    "with",
                                                    "this", "has", "type", "level", "people", "first"};
  std::string spaced(name);
  std::replace(spaced.begin(), spaced.end(), '_', ' ');
  std::replace(spaced.begin(), spaced.end(), '/', ' ');
  std::set<std::string> stems;
  for (const std::string& word : words_of(spaced))
    if (std::find(kSmall.begin(), kSmall.end(), word) == kSmall.end() && word.size() > 1)
      stems.insert(word.substr(0, kStem));
  return stems;
}

}  // namespace

std::size_t leave_out(std::vector<QuestionTurn>& questions, const Bank& bank,
                      const std::vector<std::string>& families) {
  std::set<std::string> held;
  for (const Family& family : bank.families) {
    if (std::find(families.begin(), families.end(), family.name) == families.end()) continue;
    for (const std::string& name : family.relations) held.merge(stems_of(name));
    for (const std::string& name : family.elsewhere) held.merge(stems_of(name));
  }
  return std::erase_if(questions, [&](const QuestionTurn& question) {
    if (question.relations.empty() || question.relations.front().empty()) return false;
    const std::string& name = question.relations.front().front();
    const std::set<std::string> stems = stems_of(name.substr(name.rfind('/') + 1));
    return std::any_of(stems.begin(), stems.end(), [&](const std::string& s) { return held.contains(s); });
  });
}

std::vector<QuestionTurn> read_simplequestions(const std::filesystem::path& path) {
  return read_lines(path, [](const std::vector<std::string>& fields) {
    if (fields.size() != 2 || fields[0].empty() || fields[1].empty())
      throw ConfigError(std::to_string(fields.size()) + " fields instead of two: a relation TAB a question");
    QuestionTurn question;
    question.turns = {fields[1]};
    question.relations = {{fields[0]}};
    return question;
  });
}

std::vector<QuestionTurn> read_metaqa(const std::filesystem::path& path, int hops, bool path_labels) {
  return read_lines(path, [&](const std::vector<std::string>& fields) {
    if (fields.size() < 2)
      throw ConfigError("one field: a question with its start in brackets TAB answers joined by |");
    const std::size_t open = fields[0].find('['), close = fields[0].rfind(']');
    if (open == std::string::npos || close == std::string::npos || close < open)
      throw ConfigError("the question has no start in brackets");
    QuestionTurn question;
    question.start = fields[0].substr(open + 1, close - open - 1);
    question.turns = {fields[0].substr(0, open) + question.start + fields[0].substr(close + 1)};
    question.asks = Asks::kList;
    question.hops = hops;
    question.answers = split(fields[1], '|');
    if (path_labels) {
      if (fields.size() < 3) throw ConfigError("the type of question is missing, which tells its path");
      question.relations = path_of(fields[2], hops);
    }
    return question;
  });
}

}  // namespace kgwalk::dialogue
