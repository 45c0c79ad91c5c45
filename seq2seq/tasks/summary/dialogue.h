// Dialogues and their summaries as text. Torch-free.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kgwalk::seq2seq {

struct Turn {
  int speaker = 0;  // place in Dialogue::speakers, from 1; 0 = nobody is named
  std::string text;
};
struct Dialogue {
  std::vector<std::string> speakers;  // in order of their first turn
  std::vector<Turn> turns;
};

// One turn a line ("\n" or "\r\n"), "NAME: TEXT" with a name of 1 to 40 bytes; a line without a name goes on
// with the turn above, lines without text are left out. White space around names and texts does not count.
[[nodiscard]] Dialogue parse_dialogue(std::string_view text);

// `text` cut at every mention of a speaker: a whole word or words equal to the name as it is written, or with
// its first letter a capital (ASCII). The longest name wins. The text between two mentions keeps its spaces.
struct TextPart {
  int speaker = 0;   // who is mentioned; 0 = `text` mentions nobody
  std::string text;  // empty for a mention
};
[[nodiscard]] std::vector<TextPart> parts_of(std::string_view text, const std::vector<std::string>& speakers);

struct SummaryExample {
  std::string id, dialogue, summary;
};

// A json array of objects with the strings "dialogue" and "summary" and, if there is one, "id"; other keys
// are ignored. FormatError with file and line for broken json and bytes that are no UTF-8; DataError with
// file and line for an object without those strings; IoError when the file cannot be read.
[[nodiscard]] std::vector<SummaryExample> read_summary_examples(const std::filesystem::path& file);

// One line of json: an object with the string "dialogue". DataError naming `source` and `line` otherwise.
[[nodiscard]] std::string dialogue_of_line(std::string_view json, std::string_view source, std::size_t line);

// The summaries of simple rules, to compare with: the first `turns` turns, or the longest ones (in words, the
// earlier one first among equals) in their order; each as "NAME: TEXT" joined by spaces.
enum class LeadRule { kFirst, kLongest };
[[nodiscard]] std::string lead_summary(const Dialogue& dialogue, LeadRule rule, int turns);

}  // namespace kgwalk::seq2seq
