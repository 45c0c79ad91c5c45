#include "server/doors/chat_fields.h"

#include <cctype>
#include <initializer_list>
#include <utility>

#include "kgwalk/error.h"
#include "runtime/text.h"
#include "server/http/problem.h"
#include "server/schema.h"

namespace kgwalk::server {
namespace {

struct Field {
  std::string name;
  Json schema;
  bool (*honored)(const Json& value) = nullptr;  // unset: whatever the schema lets pass
  const char* instead = "";                      // what to do where it is not
};
using Fields = std::vector<Field>;

// Null is as good as left out.
Json maybe(const char* type, const char* description, Json more = Json::object()) {
  Json schema = {{"type", {type, "null"}}, {"description", description}};
  schema.update(more);
  return schema;
}

Json range(const char* type, int low, int high, const char* description) {
  return maybe(type, description, {{"minimum", low}, {"maximum", high}});
}

bool nothing(const Json& value) {
  return value.is_null() || value == false || value == 0 || value == "" || value == "none" ||
         (value.is_structured() && value.empty());
}

bool plain_choice(const Json& value) { return nothing(value) || value == "auto"; }

constexpr int kMostTokens = 1'000'000'000;
constexpr const char* kSampling = "Taken in its range; nothing is sampled here, so it changes nothing.";
constexpr const char* kCannotMatter = "Taken; it can change nothing here.";
constexpr const char* kNoTools =
    "no functions are called: answers come from the graph. Leave it out, or send the tool_choice 'none'; the "
    "graph's own operations are tools of MCP, at /mcp";

// What both APIs know.
Fields common_fields() {
  return {
      {"model", maybe("string", "Name of the model; left out: the first.")},
      {"metadata",
       maybe("object", "\"goal\": entity that the conversation is led to; others are told back.")},
      {"stream", maybe("boolean", "The answer in parts, as server-sent events.")},
      {"stream_options", maybe("object", "include_usage; include_obfuscation is taken and adds nothing.")},
      {"temperature", range("number", 0, 2, kSampling)},
      {"top_p", range("number", 0, 1, kSampling)},
      {"top_logprobs", range("integer", 0, 20, "0: nothing is sampled that has a probability."), nothing,
       "words have no probabilities here: leave it out or send 0"},
      {"tools", maybe("array", "Refused, unless tool_choice is none."), nothing, kNoTools},
      {"tool_choice", {{"description", "auto, or none, which lets tools pass."}}, plain_choice, kNoTools},
      {"parallel_tool_calls", maybe("boolean", kCannotMatter)},
      {"user", maybe("string", kCannotMatter)},
      {"safety_identifier", maybe("string", kCannotMatter)},
      {"prompt_cache_key", maybe("string", kCannotMatter)},
      {"prompt_cache_retention", maybe("string", kCannotMatter)},
      {"service_tier", maybe("string", kCannotMatter)}};
}

Fields chat_fields() {
  Fields fields = common_fields();
  const auto only_text = [](const Json& v) { return v.is_null() || v == Json::array({"text"}); };
  const auto medium = [](const Json& v) { return v.is_null() || v == "medium"; };
  const auto one = [](const Json& v) { return v.is_null() || v == 1; };
  const char* const no_sound = "only text is answered: leave it out";
  const char* const penalty = "Taken from -2 to 2; nothing is sampled here, so it changes nothing.";
  const Fields more{
      {"messages", {{"type", "array"}, {"description", "What was said so far; the last is the user's."}}},
      {"max_completion_tokens",
       range("integer", 1, kMostTokens, "Where the answer is cut off, a token for four bytes.")},
      {"max_tokens", range("integer", 1, kMostTokens, "The same, by its older name.")},
      {"stop",
       {{"type", {"string", "array", "null"}},
        {"description", "Up to four texts; the answer ends before the first of them."},
        {"items", {{"type", "string"}, {"minLength", 1}}},
        {"maxItems", 4}}},
      {"response_format", maybe("object", "text, json_object or json_schema.")},
      {"seed", maybe("integer", "Of what the simulated user says at /auto.")},
      {"n", maybe("integer", "1: a conversation goes one way."), one,
       "it must be 1, a conversation goes one way"},
      {"logprobs", maybe("boolean", "Refused when true."), nothing,
       "words have no probabilities here: leave it out; those of paths stand in the answer's 'kgwalk.plan'"},
      {"logit_bias", maybe("object", "Refused unless empty."), nothing,
       "words are not weighed: leave it out"},
      {"presence_penalty", range("number", -2, 2, penalty)},
      {"frequency_penalty", range("number", -2, 2, penalty)},
      {"functions", maybe("array", "Refused unless empty."), nothing, kNoTools},
      {"function_call", {{"description", "auto or none."}}, plain_choice, kNoTools},
      {"modalities", maybe("array", "[\"text\"]"), only_text, "only text is answered: send [\"text\"]"},
      {"audio", maybe("object", "Refused."), nothing, no_sound},
      {"verbosity", maybe("string", "medium"), medium, "answers have one length: leave it out"},
      {"web_search_options", maybe("object", "Refused."), nothing,
       "nothing but the graph is searched: leave it out"},
      {"prediction", maybe("object", kCannotMatter)},
      {"reasoning_effort", maybe("string", kCannotMatter)},
      {"store", maybe("boolean", kCannotMatter)}};
  fields.insert(fields.end(), more.begin(), more.end());
  return fields;
}

Fields response_fields() {
  Fields fields = common_fields();
  const auto known_include = [](const Json& v) {
    return nothing(v) || v == Json::array({"reasoning.encrypted_content"});
  };
  const Fields more{
      {"input", {{"type", {"string", "array"}}, {"description", "Text, or items of type message."}}},
      {"instructions", maybe("string", "Lines that begin with '/' are commands, as in a system message.")},
      {"previous_response_id", maybe("string", "The response that the conversation goes on from.")},
      {"max_output_tokens",
       range("integer", 1, kMostTokens, "Where the answer is cut off, a token for four bytes.")},
      {"text", maybe("object", "\"format\": text, json_object or json_schema.")},
      {"store", maybe("boolean", "false: the response is not kept, and nothing can go on from it.")},
      {"include",
       maybe("array", "Refused unless empty; reasoning.encrypted_content is taken: there is none."),
       known_include, "an answer holds all that there is: leave it out"},
      {"background", maybe("boolean", "Refused when true."), nothing,
       "an answer takes a moment and is waited for: leave it out"},
      {"conversation",
       {{"description", "Refused."}},
       nothing,
       "conversations go on by 'previous_response_id': leave it out"},
      {"prompt", maybe("object", "Refused."), nothing, "no prompts are kept here: send 'instructions'"},
      {"context_management", maybe("array", "Refused unless empty."), nothing,
       "conversations are kept whole: leave it out"},
      {"reasoning", maybe("object", kCannotMatter)},
      {"truncation", maybe("string", kCannotMatter)},
      {"max_tool_calls", maybe("integer", kCannotMatter)}};
  fields.insert(fields.end(), more.begin(), more.end());
  return fields;
}

void check_one(const Field& field, const Json& value, bool tools_pass) {
  Json schema = {{"type", "object"}, {"properties", {{field.name, field.schema}}}};
  try {
    (void)fitted(schema, {{field.name, value}}, "the request");
  } catch (const ConfigError& error) {
    throw Refusal(400, error.what(), {.param = field.name, .code = "invalid_value"});
  }
  const bool tool = field.name == "tools" || field.name == "functions";
  if (field.honored == nullptr || field.honored(value) || (tool && tools_pass)) return;
  throw Refusal(400, "'" + field.name + "' is not honored: " + field.instead,
                {.param = field.name, .code = "unsupported_parameter"});
}

void check(const Json& input, const Fields& fields) {
  std::vector<std::string> names;
  for (const Field& field : fields) names.push_back(field.name);
  const bool tools_pass =
      input.value("tool_choice", Json()) == "none" || input.value("function_call", Json()) == "none";
  for (const auto& given : input.items()) {
    const Field* known = nullptr;
    for (const Field& field : fields)
      if (field.name == given.key()) known = &field;
    if (known == nullptr)
      throw Refusal(400,
                    "'" + given.key() + "' is no field of this request" + did_you_mean(given.key(), names) +
                        "; leave it out",
                    {.param = given.key(), .code = "unknown_parameter"});
    check_one(*known, given.value(), tools_pass);
  }
}

bool flag(const Json& input, const char* name, bool otherwise = false) {
  const auto found = input.find(name);
  return found != input.end() && found->is_boolean() ? found->get<bool>() : otherwise;
}

// The form is {"type": "json_schema", "json_schema": {"schema": S}} in chats, and {"type": "json_schema",
// "schema": S} in responses.
AnswerForm form_of(const Json& given, const std::string& field) {
  AnswerForm form{.field = field};
  if (given.is_null()) return form;
  const Json type = given.value("type", Json());
  if (type == "text") return form;
  if (type == "json_object") {
    form.kind = AnswerForm::Kind::kJson;
    return form;
  }
  if (type != "json_schema")
    throw Refusal(400, "the type of '" + field + "' must be text, json_object or json_schema",
                  {.param = field + ".type", .code = "invalid_value"});
  const Json around = given.value("json_schema", given);
  form.kind = AnswerForm::Kind::kSchema;
  form.schema = around.is_object() ? around.value("schema", Json()) : Json();
  if (form.schema.is_object()) return form;
  throw Refusal(400, "'" + field + "' of type json_schema needs a schema, an object",
                {.param = field, .code = "missing_required_parameter"});
}

int whole(const Json& input, const char* name) {
  const auto found = input.find(name);
  return found != input.end() && found->is_number_integer() ? found->get<int>() : 0;
}

ChatWish wish_of(const Json& input) {
  ChatWish wish{.stream = flag(input, "stream")};
  if (const Json options = input.value("stream_options", Json()); options.is_object()) {
    for (const auto& option : options.items())
      if (option.key() != "include_usage" && option.key() != "include_obfuscation")
        throw Refusal(400, "'stream_options' knows include_usage and include_obfuscation only",
                      {.param = "stream_options." + option.key(), .code = "unknown_parameter"});
    wish.tell_usage = flag(options, "include_usage");
    if (!wish.stream)
      throw Refusal(400, "'stream_options' goes with 'stream': true only",
                    {.param = "stream_options", .code = "invalid_value"});
  }
  if (const Json metadata = input.value("metadata", Json()); metadata.is_object())
    for (const auto& entry : metadata.items())
      if (!entry.value().is_string())
        throw Refusal(400, "'metadata' must hold texts",
                      {.param = "metadata." + entry.key(), .code = "invalid_type"});
  return wish;
}

Json input_of(const Fields& fields, const char* required) {
  Json properties = Json::object();
  for (const Field& field : fields) properties[field.name] = field.schema;
  return {{"type", "object"}, {"properties", std::move(properties)}, {"required", {required}}};
}

}  // namespace

ChatWish chat_wish(const Json& input) {
  check(input, chat_fields());
  ChatWish wish = wish_of(input);
  wish.most_tokens = std::max(whole(input, "max_tokens"), 0);
  if (const int newer = whole(input, "max_completion_tokens"); newer > 0)
    wish.most_tokens = wish.most_tokens > 0 ? std::min(newer, wish.most_tokens) : newer;
  if (const Json stop = input.value("stop", Json()); stop.is_string()) {
    if (!stop.get_ref<const std::string&>().empty()) wish.stop = {stop.get<std::string>()};
  } else if (stop.is_array()) {
    wish.stop = stop.get<std::vector<std::string>>();
  }
  wish.form = form_of(input.value("response_format", Json()), "response_format");
  if (const Json seed = input.value("seed", Json()); seed.is_number_integer())
    wish.seed = static_cast<std::uint64_t>(seed.get<std::int64_t>());
  return wish;
}

ChatWish response_wish(const Json& input) {
  check(input, response_fields());
  ChatWish wish = wish_of(input);
  wish.most_tokens = whole(input, "max_output_tokens");
  const Json text = input.value("text", Json());
  if (!text.is_object()) return wish;
  for (const auto& part : text.items()) {
    const bool honored = part.key() == "format" ||
                         (part.key() == "verbosity" && (part.value().is_null() || part.value() == "medium"));
    if (!honored)
      throw Refusal(400, "'text' knows format only: answers have one length",
                    {.param = "text." + part.key(), .code = "unsupported_parameter"});
  }
  wish.form = form_of(text.value("format", Json()), "text.format");
  return wish;
}

Json object_of(const Request& request) {
  Json input = request.json();
  if (!input.is_object()) throw Refusal(400, "the body must be a json object");
  return input;
}

std::string model_given(const Json& input) {
  const auto given = input.find("model");
  if (given == input.end() || given->is_null()) return "";
  if (!given->is_string())
    throw Refusal(400, "'model' must be a text, or be left out for the first model",
                  {.param = "model", .code = "invalid_type"});
  return given->get<std::string>();
}

Json chat_input() { return input_of(chat_fields(), "messages"); }

Json response_input() { return input_of(response_fields(), "input"); }

std::string_view within_tokens(std::string_view text, int most) {
  int tokens = 0;
  std::size_t word = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const bool of_word = std::isalnum(byte) != 0 || byte >= 0x80;
    if (of_word ? word++ % 4 == 0 : std::isspace(byte) == 0) ++tokens;
    if (!of_word) word = 0;
    if (tokens <= most) continue;
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
    return text.substr(0, at);
  }
  return text;
}

}  // namespace kgwalk::server
