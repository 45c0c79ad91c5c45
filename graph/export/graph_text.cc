#include "graph/export/graph_text.h"

#include <array>
#include <cctype>
#include <charconv>

namespace kgwalk::graph {
namespace {

constexpr const char* kHex = "0123456789ABCDEF";

}  // namespace

std::string percent_coded(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x80 && std::isalnum(byte)) || c == '-' || c == '.' || c == '_' || c == '~')
      result += c;
    else
      (result += '%').append(1, kHex[byte >> 4]).append(1, kHex[byte & 15]);
  }
  return result;
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result += '"';
}

std::string number_text(float number) {
  std::array<char, 32> text{};
  const auto result = std::to_chars(text.data(), text.data() + text.size(), number);
  return {text.data(), result.ptr};
}

std::string xml_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else if (byte < 0x20 && c != '\t' && c != '\n' && c != '\r')
      result += "\xef\xbf\xbd";
    else
      result += c;
  }
  return result;
}

}  // namespace kgwalk::graph
