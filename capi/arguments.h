// Values that come from C and go there.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "capi/errors.h"
#include "kgwalk/json.h"

namespace kgwalk::capi {

// WrongVersion where a program that was compiled against `version` cannot use this library.
void check_version(int version);

// Misuse where the place for a result, or for what else must be given, is NULL.
void need(const void* pointer, const char* name);

// Text that must be given, or may be NULL, which is an empty one. Misuse, and ConfigError where it is not
// UTF-8.
[[nodiscard]] std::string text_of(const char* text, const char* name);
[[nodiscard]] std::string text_or_empty(const char* text, const char* name);
[[nodiscard]] std::vector<std::string> texts_of(const char* const* texts, std::size_t count,
                                                const char* name);
// A path that must be given; any bytes.
[[nodiscard]] std::string path_of(const char* path, const char* name);
[[nodiscard]] std::string path_or_empty(const char* path);

// A text for the caller, who frees it by kgwalk_free(): given away with release(), freed here where a call
// fails.
struct FreeText {
  void operator()(char* text) const noexcept { kgwalk_free(text); }
};
using Text = std::unique_ptr<char, FreeText>;
[[nodiscard]] Text copied(const std::string& text);
[[nodiscard]] Text copied(const Json& json);

// A struct of the caller, who may be of an earlier version that had fewer members: those are 0. `first_size`
// is what its first version had.
template <class Struct>
[[nodiscard]] Struct struct_of(const Struct* given, std::size_t first_size, const char* name) {
  need(given, name);
  if (given->size < first_size)
    throw Misuse(std::string("the member size of ") + name + " must be set to sizeof *" + name);
  Struct copy;
  std::memset(&copy, 0, sizeof copy);
  std::memcpy(&copy, given, given->size < sizeof copy ? given->size : sizeof copy);
  return copy;
}

}  // namespace kgwalk::capi
