// The fields of requests in OpenAI's form, chat completions and responses: each is honored, or taken because
// it cannot change anything here, or refused with a sentence. None is passed over in silence.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/json.h"
#include "server/http/message.h"

namespace kgwalk::server {

// In which form an answer is given.
struct AnswerForm {
  enum class Kind { kText, kJson, kSchema } kind = Kind::kText;
  Json schema = nullptr;  // kSchema
  std::string field;      // of the request, for refusals
};

// What a request wants, checked.
struct ChatWish {
  bool stream = false, tell_usage = false;
  int most_tokens = 0;  // 0: as many as there are
  std::vector<std::string> stop = {};
  AnswerForm form = {};
  std::uint64_t seed = 1;
};

// Refusal (400) that names the first field at fault.
[[nodiscard]] ChatWish chat_wish(const Json& input);
[[nodiscard]] ChatWish response_wish(const Json& input);

// The body of a request; Refusal (400) when it is no object.
[[nodiscard]] Json object_of(const Request& request);
// The name that is given, or "" for the first; Refusal (400) when it is no text.
[[nodiscard]] std::string model_given(const Json& input);

// Schemas for the description.
[[nodiscard]] Json chat_input();
[[nodiscard]] Json response_input();

// The beginning of a text that has no more than so many tokens, as estimated_tokens() counts them, in whole
// characters of UTF-8.
[[nodiscard]] std::string_view within_tokens(std::string_view text, int most);

}  // namespace kgwalk::server
