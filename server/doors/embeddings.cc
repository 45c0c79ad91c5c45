#include "server/doors/embeddings.h"

#include <string>
#include <utility>
#include <vector>

#include "server/doors/chat_fields.h"
#include "server/http/problem.h"

namespace kgwalk::server {
namespace {

std::string base64(const std::vector<float>& values) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* bytes =
      reinterpret_cast<const unsigned char*>(values.data());  // little-endian, as the API has it
  const std::size_t size = values.size() * sizeof(float);
  std::string out;
  for (std::size_t i = 0; i < size; i += 3) {
    const unsigned a = bytes[i], b = i + 1 < size ? bytes[i + 1] : 0, c = i + 2 < size ? bytes[i + 2] : 0;
    out += kDigits[a >> 2];
    out += kDigits[(a & 3) << 4 | b >> 4];
    out += i + 1 < size ? kDigits[(b & 15) << 2 | c >> 6] : '=';
    out += i + 2 < size ? kDigits[c & 63] : '=';
  }
  return out;
}

const Fault kInput{.param = "input", .code = "invalid_value"};

std::vector<std::string> texts_of(const Json& input) {
  const auto given = input.find("input");
  if (given == input.end()) throw Refusal(400, "'input' is missing: a text, or a list of texts", kInput);
  if (given->is_string()) return {given->get<std::string>()};
  constexpr std::size_t kMost = 2048;
  if (!given->is_array() || given->empty() || given->size() > kMost)
    throw Refusal(400, "'input' must be a text or a list of 1 to 2048 texts", kInput);
  std::vector<std::string> texts;
  for (const Json& text : *given) {
    if (!text.is_string()) throw Refusal(400, "'input' must hold texts, not tokens", kInput);
    texts.push_back(text.get<std::string>());
  }
  return texts;
}

Json embeddings_input() {
  return {{"type", "object"},
          {"properties",
           {{"model", {{"type", "string"}, {"description", "Left out: the first."}}},
            {"input", {{"type", {"string", "array"}}, {"items", {{"type", "string"}}}}},
            {"dimensions", {{"type", "integer"}, {"description", "The width of the encoder, or left out."}}},
            {"user", {{"type", "string"}, {"description", "Taken; it can change nothing here."}}},
            {"encoding_format", {{"type", "string"}, {"enum", {"float", "base64"}}, {"default", "float"}}}}},
          {"required", {"input"}}};
}

// What is known and what can change nothing passes; all else is refused.
void check(const Json& input) {
  const Json schema = embeddings_input();
  for (const auto& field : input.items())
    if (!schema["properties"].contains(field.key()))
      throw Refusal(400, "'" + field.key() + "' is no field of this request; leave it out",
                    {.param = field.key(), .code = "unknown_parameter"});
}

bool packs(const Json& input) {
  const Json form = input.value("encoding_format", Json());
  if (!form.is_null() && form != "float" && form != "base64")
    throw Refusal(400, "'encoding_format' must be float or base64",
                  {.param = "encoding_format", .code = "invalid_value"});
  return form == "base64";
}

Response embeddings(ModelShelf& models, const Request& request) {
  const Json input = object_of(request);
  check(input);
  const std::string model = models.full_name(model_given(input));
  const std::vector<std::string> texts = texts_of(input);
  const auto opened = models.get(model);
  const TextEmbedder& embedder = opened->embedder();
  if (const auto width = input.find("dimensions");
      width != input.end() && !width->is_null() && *width != embedder.width())
    throw Refusal(400, "'dimensions' must be " + std::to_string(embedder.width()) + " or left out",
                  {.param = "dimensions", .code = "invalid_value"});
  const bool packed = packs(input);
  Json data = Json::array();
  std::size_t tokens = 0;
  for (const EmbeddedText& embedded : embedder.embed(texts)) {
    tokens += embedded.tokens;
    data.push_back({{"object", "embedding"},
                    {"index", data.size()},
                    {"embedding", packed ? Json(base64(embedded.vector)) : Json(embedded.vector)}});
  }
  return Response::of({{"object", "list"},
                       {"data", std::move(data)},
                       {"model", model},
                       {"usage", {{"prompt_tokens", tokens}, {"total_tokens", tokens}}}});
}

}  // namespace

void add_embeddings(Router& router, ModelShelf& models) {
  router.add({"POST", "/v1/embeddings", [&models](const Request& r) { return embeddings(models, r); },
              "OpenAI's embeddings, by the text encoder of the model.", embeddings_input()});
}

}  // namespace kgwalk::server
