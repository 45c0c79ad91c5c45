#include "graph/ingest/iri_names.h"

#include <algorithm>
#include <cctype>

#include "graph/names.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

constexpr const char* kHexDigits = "0123456789ABCDEF";

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

std::string_view without_end_marks(std::string_view iri) {
  while (!iri.empty() && (iri.back() == '/' || iri.back() == '#')) iri.remove_suffix(1);
  return iri;
}

std::size_t begin_of_local(std::string_view iri) {
  std::size_t mark = iri.find_last_of("/#");
  if (mark == std::string_view::npos) mark = iri.rfind(':');
  return mark == std::string_view::npos ? 0 : mark + 1;
}

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const int low = std::tolower(static_cast<unsigned char>(c));
  return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

// As it was where what comes out is not UTF-8.
std::string percent_decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool coded =
        text[i] == '%' && i + 2 < text.size() && hex(text[i + 1]) >= 0 && hex(text[i + 2]) >= 0;
    if (!coded) {
      result += text[i];
      continue;
    }
    result += static_cast<char>(hex(text[i + 1]) * 16 + hex(text[i + 2]));
    i += 2;
  }
  return invalid_utf8_at(result) ? std::string(text) : result;
}

// Whether a word begins at `i` inside of a run of letters: "birthPlace", "IMDbURL", "URLOfPage".
bool word_begins(std::string_view text, std::size_t i) {
  if (i == 0 || !is_upper(text[i])) return false;
  if (is_lower(text[i - 1])) return true;
  return is_upper(text[i - 1]) && i + 2 < text.size() && is_lower(text[i + 1]) && is_lower(text[i + 2]);
}

std::string word_in_lower_case(std::string word, bool keep_capitals) {
  const auto capitals = std::count_if(word.begin(), word.end(), is_upper);
  if (keep_capitals && capitals > 1) return word;
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) {
    return c < 0x80 ? static_cast<char>(std::tolower(c)) : static_cast<char>(c);
  });
  return word;
}

// "sheldon-cooper": words in lower case that nothing but hyphens joins.
bool is_slug(std::string_view name) {
  const bool letters =
      std::all_of(name.begin(), name.end(), [](char c) { return c == '-' || (c >= 'a' && c <= 'z'); });
  return letters && name.find('-') != std::string_view::npos && name.find("--") == std::string_view::npos &&
         !name.starts_with('-') && !name.ends_with('-');
}

// Where a unit begins that is written to the word before it: "areakm2". 0: there is none.
std::size_t begin_of_unit(std::string_view word) {
  constexpr std::string_view kUnits[] = {"km2", "km3", "cm2", "cm3", "sqkm", "sqmi", "sqft"};
  for (const std::string_view unit : kUnits)
    if (word.size() > unit.size() + 2 && word.ends_with(unit)) return word.size() - unit.size();
  return 0;
}

}  // namespace

std::string_view local_part(std::string_view iri) {
  const std::string_view text = without_end_marks(iri);
  return text.substr(begin_of_local(text));
}

std::string_view parent_part(std::string_view iri) {
  const std::string_view text = without_end_marks(iri);
  return local_part(text.substr(0, begin_of_local(text)));
}

std::string name_text(std::string_view text) {
  std::string name(text);
  for (char& c : name)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  const std::size_t begin = name.find_first_not_of(' ');
  if (begin == std::string::npos) return {};
  return name.substr(begin, name.find_last_not_of(' ') - begin + 1);
}

std::string entity_name_of(std::string_view iri) {
  std::string name = percent_decoded(local_part(iri));
  if (is_slug(name)) std::replace(name.begin(), name.end(), '-', ' ');
  std::replace(name.begin(), name.end(), '_', ' ');
  name = name_text(name);
  return name.empty() ? std::string(iri) : name;
}

std::string relation_words_of(std::string_view iri) {
  const std::string text = percent_decoded(local_part(iri));
  const bool mixed = std::any_of(text.begin(), text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  std::string words, word;
  const auto end_word = [&] {
    if (word.empty()) return;
    if (!words.empty()) words += ' ';
    const std::size_t unit = begin_of_unit(word);
    if (unit > 0) words += word_in_lower_case(word.substr(0, unit), mixed) + ' ';
    words += word_in_lower_case(word.substr(unit), mixed);
    word.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool between = c == '_' || c == '-' || c == ' ' || c == '.' || c == '~' || (c & 0xe0) == 0;
    if (between || word_begins(text, i)) end_word();
    if (!between) word += c;
  }
  end_word();
  return words.empty() ? std::string(iri) : words;
}

std::string entity_name_of_id(std::string_view iri) {
  std::string name = entity_name_of(iri);
  const std::string key = name_key(name);
  return key.empty() || key == "~" ? std::string(iri) : name;
}

std::string relation_name_of_id(std::string_view iri) {
  std::string name = relation_words_of(iri);
  const std::string key = name_key(name);
  return key.empty() || key == "~" ? std::string(iri) : name;
}

std::string literal_text(std::string_view text, std::string_view language, std::string_view datatype) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      (result += '\\') += c;
    else if (c == '\n')
      result += "\\n";
    else if (c == '\r')
      result += "\\r";
    else if (c == '\t')
      result += "\\t";
    else if (byte < 0x20 || byte == 0x7f)
      (result += "\\u00").append(1, kHexDigits[byte >> 4]).append(1, kHexDigits[byte & 15]);
    else
      result += c;
  }
  result += '"';
  if (!language.empty())
    (result += '@') += language;
  else if (!datatype.empty())
    ((result += "^^<") += datatype) += '>';
  return result;
}

}  // namespace kgwalk::graph
