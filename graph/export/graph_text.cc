#include "graph/export/graph_text.h"

#include <cctype>

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

std::string ntriples_literal(std::string_view text, std::string_view language, std::string_view datatype) {
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
      (result += "\\u00").append(1, kHex[byte >> 4]).append(1, kHex[byte & 15]);
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

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result += '"';
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
