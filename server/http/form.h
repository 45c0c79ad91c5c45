// Forms with files in them (multipart/form-data, RFC 7578), as browsers and OpenAI's clients upload them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/http/message.h"

namespace kgwalk::server {

struct FormPart {
  std::string name;
  std::string file;       // what the client calls the file; empty where the part is none
  std::string_view body;  // lies in the request's body
};

// The parts in their order. Refusal: 415 when the request is of another type, 400 when it is not well formed.
[[nodiscard]] std::vector<FormPart> form_parts(const Request& request);

// The first of this name; null when there is none.
[[nodiscard]] const FormPart* part_named(const std::vector<FormPart>& parts, std::string_view name);

}  // namespace kgwalk::server
