#include "capi/arguments.h"

#include <fmt/format.h>

#include <cstdlib>
#include <new>

#include "kgwalk/error.h"
#include "runtime/text.h"

namespace kgwalk::capi {

void check_version(int version) {
  const int major = version / 1'000'000, minor = version / 1000 % 1000, patch = version % 1000;
  if (version > 0 && major == KGWALK_VERSION_MAJOR && minor <= KGWALK_VERSION_MINOR) return;
  throw WrongVersion(fmt::format(
      "the program was compiled for kgwalk {}.{}.{} and runs with libkgwalk {}, which cannot stand "
      "for it; compile it with the kgwalk.h of this library, or install the library of that version",
      major, minor, patch, kgwalk_version_text()));
}

void need(const void* pointer, const char* name) {
  if (pointer == nullptr) throw Misuse(fmt::format("{} is NULL", name));
}

std::string text_of(const char* text, const char* name) {
  need(text, name);
  std::string copy = text;
  if (const auto at = invalid_utf8_at(copy))
    throw ConfigError(fmt::format("{} is not valid UTF-8: byte {}", name, *at));
  return copy;
}

std::string text_or_empty(const char* text, const char* name) {
  return text == nullptr ? std::string() : text_of(text, name);
}

std::vector<std::string> texts_of(const char* const* texts, std::size_t count, const char* name) {
  if (count > 0) need(texts, name);
  std::vector<std::string> copies;
  for (std::size_t i = 0; i < count; ++i)
    copies.push_back(text_of(texts[i], fmt::format("{}[{}]", name, i).c_str()));
  return copies;
}

std::string path_of(const char* path, const char* name) {
  need(path, name);
  if (*path == '\0') throw Misuse(fmt::format("{} is empty", name));
  return path;
}

std::string path_or_empty(const char* path) { return path == nullptr ? "" : path; }

Text copied(const std::string& text) {
  Text copy(static_cast<char*>(std::malloc(text.size() + 1)));
  if (!copy) throw std::bad_alloc();
  std::memcpy(copy.get(), text.c_str(), text.size() + 1);
  return copy;
}

// Paths that stand in reports need not be UTF-8.
Text copied(const Json& json) {
  return copied(json.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace));
}

}  // namespace kgwalk::capi
