#include "runtime/text.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "kgwalk/error.h"

namespace kgwalk {
namespace {

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool is_ascii_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool is_continuation(std::string_view text, std::size_t i) {
  return i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80;
}

// Length of the valid sequence at `i`, or 0. Follows table 3-7 of the Unicode standard.
std::size_t sequence_length(std::string_view text, std::size_t i) {
  const auto lead = static_cast<unsigned char>(text[i]);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4 || !is_continuation(text, i + 1)) return 0;
  const auto second = static_cast<unsigned char>(text[i + 1]);
  if (lead < 0xE0) return 2;
  if (lead < 0xF0) {
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F)) return 0;
    return is_continuation(text, i + 2) ? 3 : 0;
  }
  if ((lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F)) return 0;
  return is_continuation(text, i + 2) && is_continuation(text, i + 3) ? 4 : 0;
}

std::string fold_ascii(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (is_ascii_space(c)) {
      if (!out.empty() && out.back() != ' ') out += ' ';
    } else {
      out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

// NFKC with case folding; the text must be valid UTF-8.
std::string normalize(std::string_view text) {
  utf8proc_uint8_t* mapped = nullptr;
  const auto options = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_COMPOSE |
                                                      UTF8PROC_CASEFOLD);
  const utf8proc_ssize_t size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                             static_cast<utf8proc_ssize_t>(text.size()), &mapped, options);
  if (size < 0) throw ConfigError(std::string("cannot normalize text: ") + utf8proc_errmsg(size));
  const std::unique_ptr<utf8proc_uint8_t, void (*)(void*)> owner(mapped, std::free);
  return {reinterpret_cast<const char*>(mapped), static_cast<std::size_t>(size)};
}

bool is_space(utf8proc_int32_t code_point) {
  if (code_point < 0x80) return is_ascii_space(static_cast<char>(code_point));
  const utf8proc_category_t category = utf8proc_category(code_point);
  return code_point == 0x85 || category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL ||
         category == UTF8PROC_CATEGORY_ZP;
}

std::string collapse_spaces(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    utf8proc_int32_t code_point = 0;
    const auto length = static_cast<std::size_t>(
        utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + i,
                         static_cast<utf8proc_ssize_t>(text.size() - i), &code_point));
    if (is_space(code_point)) {
      if (!out.empty() && out.back() != ' ') out += ' ';
    } else {
      out.append(text.substr(i, length));
    }
    i += length;
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

}  // namespace

std::optional<std::size_t> invalid_utf8_at(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = sequence_length(text, i);
    if (length == 0) return i;
    i += length;
  }
  return std::nullopt;
}

std::string fold_name(std::string_view text) {
  if (is_ascii(text)) return fold_ascii(text);
  if (const auto bad = invalid_utf8_at(text))
    throw ConfigError("text is not valid UTF-8 at byte " + std::to_string(*bad) + "; convert it to UTF-8");
  // Folding can undo the normal form and the other way round; a second round reaches the fixed point.
  return collapse_spaces(normalize(normalize(text)));
}

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  const std::size_t gap = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (gap > limit) return limit + 1;
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> before(width), previous(width), current(width);
  for (std::size_t j = 0; j < width; ++j) previous[j] = j;
  std::size_t previous_best = 0;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    std::size_t best = i;
    for (std::size_t j = 1; j < width; ++j) {
      std::size_t cost = previous[j - 1] + (a[i - 1] != b[j - 1]);
      cost = std::min({cost, previous[j] + 1, current[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost = std::min(cost, before[j - 2] + 1);
      current[j] = cost;
      best = std::min(best, cost);
    }
    // Swaps look two rows back, so both must be beyond the limit.
    if (best > limit && previous_best > limit) return limit + 1;
    previous_best = best;
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return std::min(previous[b.size()], limit + 1);
}

constexpr std::size_t kFewestBegun = 3;  // letters of a name that is only begun

std::vector<std::string> nearest_names(std::string_view name, std::span<const std::string> names,
                                       std::size_t count) {
  if (invalid_utf8_at(name) || count == 0) return {};
  const std::string folded = fold_name(name);
  const std::size_t limit = std::max<std::size_t>(2, folded.size() / 3);
  std::vector<std::pair<std::size_t, std::size_t>> near;  // distance, index
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (invalid_utf8_at(names[i])) continue;
    const std::string other = fold_name(names[i]);
    std::size_t distance = edit_distance(folded, other, limit);
    // Somebody stopped typing: "Incept" is Inception sooner than what is as near by its letters.
    if (folded.size() >= kFewestBegun && other.size() > folded.size() && other.starts_with(folded))
      distance = std::min({distance, limit, (other.size() - folded.size()) / 4});
    // As far as the longer of the two is long: nothing in common.
    if (distance <= limit && distance < std::max(folded.size(), other.size())) near.emplace_back(distance, i);
  }
  std::sort(near.begin(), near.end());
  std::vector<std::string> out;
  for (const auto& [distance, i] : near) {
    if (out.size() == count) break;
    if (std::find(out.begin(), out.end(), names[i]) == out.end()) out.push_back(names[i]);
  }
  return out;
}

std::string did_you_mean(std::string_view name, std::span<const std::string> names) {
  std::string out;
  for (const std::string& near : nearest_names(name, names)) {
    out += out.empty() ? " (did you mean '" : ", '";
    out += near + "'";
  }
  return out.empty() ? out : out + "?)";
}

std::string with_commas(long long value) {
  std::string digits = std::to_string(value);
  const std::size_t first = digits[0] == '-' ? 1 : 0;
  for (std::size_t i = digits.size(); i > first + 3;) digits.insert(i -= 3, ",");
  return digits;
}

}  // namespace kgwalk
