#include "data/phrase_book.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "kgwalk/error.h"
#include "runtime/files.h"

namespace kgwalk::sample {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

bool starts_sentence(const std::string& text) {
  if (text.empty()) return true;
  return text.size() >= 2 && text.back() == ' ' &&
         std::string_view(".?!").find(text[text.size() - 2]) != std::string_view::npos;
}

// "Sheep??" and "Jr.." read badly: a mark after a name that ends with one is left out.
bool redundant_mark(const std::string& text, char mark) {
  if (text.empty()) return false;
  const char last = text.back();
  return (mark == '.' && std::string_view(".?!").find(last) != std::string_view::npos) ||
         (mark == '?' && last == '?');
}

}  // namespace

PhraseBook PhraseBook::read(const std::filesystem::path& path, const FactGraph& graph) {
  PhraseBook book(graph);
  const std::string text = read_file(path);
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.empty() || line[0] == '#') continue;
    try {
      book.add_line(line);
    } catch (const std::invalid_argument& error) {
      throw DataError(path.string(), number, error.what());
    }
  }
  return book;
}

void PhraseBook::add_line(const std::string& line) {
  if (line.size() < 3 || line[1] != ' ') throw std::invalid_argument("a line is a mark, a blank and text");
  const std::string text = line.substr(2);
  if (line[0] == '=') return add_pattern(text);
  if (line[0] == '@') {
    list_ = &lists_[text];
  } else if (line[0] == '-' && list_ != nullptr) {
    list_->push_back(text);
  } else if (line[0] == '?' && !patterns_.empty()) {
    patterns_.back().questions.push_back(text);
  } else if (line[0] == '!' && !patterns_.empty()) {
    patterns_.back().statements.push_back(text);
  } else {
    throw std::invalid_argument("unknown or misplaced mark '" + line.substr(0, 1) + "'");
  }
}

void PhraseBook::add_pattern(const std::string& text) {
  Pattern pattern;
  const std::size_t bar = text.find(" | ");
  if (bar != std::string::npos) pattern.weight = std::stoi(text.substr(bar + 3));
  std::vector<std::string> parts(1);
  for (const char c : text.substr(0, bar)) {
    if (c == '/') {
      parts.emplace_back();
    } else {
      parts.back().push_back(c);
    }
  }
  if (parts.size() != 3 && parts.size() != 5) throw std::invalid_argument("a pattern has one hop or two");
  pattern.start_kind = parts[0];
  for (std::size_t i = 1; i < parts.size(); i += 2) {
    const int relation = graph_->find_relation(parts[i]);
    if (relation < 0) throw std::invalid_argument("no relation '" + parts[i] + "' in the tables");
    pattern.hops.push_back({relation, parts[i + 1]});
  }
  patterns_.push_back(std::move(pattern));
}

const std::vector<std::string>& PhraseBook::lines(const std::string& name, const std::string& kind) const {
  for (const std::string& key : {name + " " + kind, name + " *", name}) {
    const auto found = lists_.find(key);
    if (found != lists_.end()) return found->second;
  }
  throw ConfigError("phrases.txt has no list '@ " + name + "'");
}

std::string PhraseBook::spoken(int entity) const {
  std::string text = graph_->name(entity);
  const std::size_t open = text.rfind(" (");
  if (open != std::string::npos && text.back() == ')') text.resize(open);
  if (contains(lines("the", ""), text)) return "the " + text;
  if (contains(lines("small", ""), graph_->kind(entity)) && !contains(lines("capital", ""), text)) {
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  }
  return text;
}

std::string PhraseBook::spoken_in(int entity, const std::vector<int>& vertices) const {
  std::string text = spoken(entity);
  const auto same = [&](int other) { return other != entity && spoken(other) == text; };
  const std::string& full = graph_->name(entity);
  if (full.size() == text.size() || std::none_of(vertices.begin(), vertices.end(), same)) return text;
  std::string what = full.substr(text.size() + 2, full.size() - text.size() - 3);  // between " (" and ")"
  what[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(what[0])));
  return "the " + what + " " + text;
}

std::string PhraseBook::pronoun(int entity, std::string_view form) const {
  const bool female = graph_->pronoun(entity) == "she";
  if (form == "he") return female ? "she" : "he";
  if (form == "He") return female ? "She" : "He";
  if (form == "his") return female ? "her" : "his";
  if (form == "His") return female ? "Her" : "His";
  return female ? "her" : "him";
}

std::string PhraseBook::with_pronoun(std::string line, int start) const {
  static const std::set<std::string_view> kThings = {"film", "book", "song", "album"};
  static const std::set<std::string_view> kBeforeHim = {"by",         "with", "about", "for",
                                                        "influenced", "like", "know",  "put"};
  const std::string& kind = graph_->kind(start);
  const std::size_t slot = line.find("{h}");
  if (slot == std::string::npos || line.find("{h}", slot + 1) != std::string::npos || slot < 2) return line;
  const std::size_t word = line.rfind(' ', slot - 2) + 1;
  const std::string_view before = std::string_view(line).substr(word, slot - 1 - word);
  const bool named_kind = kThings.contains(before) || before == "record";  // "the album {h}"
  if (before == "of" || before == "as" || named_kind) return line;
  if (kThings.contains(kind)) return line.replace(slot, 3, "it");
  if (graph_->pronoun(start).empty()) return line;
  return line.replace(slot, 3, kBeforeHim.contains(before) ? "{him}" : "{he}");
}

std::optional<std::string> PhraseBook::value(std::string_view slot, const std::vector<int>& vertices) const {
  static const std::set<std::string_view> kPronouns = {"he", "He", "his", "His", "him"};
  if (kPronouns.contains(slot)) return pronoun(vertices.front(), slot);
  if (slot.empty() || std::string_view("hmt").find(slot[0]) == std::string_view::npos) {
    throw ConfigError("phrases.txt: unknown slot {" + std::string(slot) + "}");
  }
  const int entity = slot[0] == 'h' ? vertices.front() : slot[0] == 'm' ? vertices.at(1) : vertices.back();
  if (slot.size() == 1) return spoken_in(entity, vertices);
  if (slot == "t.a") {
    const std::string text = spoken(entity);
    return (std::string_view("aeiouAEIOU").find(text[0]) == std::string_view::npos ? "a " : "an ") + text;
  }
  if (slot[1] == '.') return pronoun(entity, slot.substr(2));
  const std::vector<int> tails = graph_->tails(entity, graph_->find_relation(slot.substr(2)));
  if (tails.empty() || std::find(vertices.begin(), vertices.end(), tails[0]) != vertices.end())
    return std::nullopt;
  return spoken(tails[0]);
}

std::optional<std::string> PhraseBook::fill(std::string_view line, const std::vector<int>& vertices) const {
  std::string text;
  bool after_name = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '{') {
      if (!(after_name && redundant_mark(text, line[i]))) text.push_back(line[i]);
      after_name = false;
      continue;
    }
    const std::size_t close = line.find('}', i);
    if (close == std::string_view::npos)
      throw ConfigError("phrases.txt: no } in '" + std::string(line) + "'");
    std::optional<std::string> name = value(line.substr(i + 1, close - i - 1), vertices);
    if (!name) return std::nullopt;
    if (starts_sentence(text))
      (*name)[0] = static_cast<char>(std::toupper(static_cast<unsigned char>((*name)[0])));
    text += *name;
    after_name = true;
    i = close;
  }
  return text;
}

}  // namespace kgwalk::sample
