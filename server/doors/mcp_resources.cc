#include "server/doors/mcp_resources.h"

#include <cctype>
#include <optional>
#include <string>
#include <string_view>

#include "kgwalk/error.h"
#include "server/doors/mcp_errors.h"
#include "server/doors/operations.h"
#include "server/http/message.h"
#include "server/http/problem.h"
#include "server/schema.h"

namespace kgwalk::server {
namespace {

constexpr std::string_view kScheme = "kgwalk://", kGraph = "/graph", kEntity = "/entity/";

std::string percent_encoded(std::string_view text) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain =
        (byte < 0x80 && std::isalnum(byte) != 0) || c == '-' || c == '_' || c == '.' || c == '~';
    if (plain) {
      out += c;
    } else {
      out.append({'%', kDigits[byte >> 4], kDigits[byte & 15]});
    }
  }
  return out;
}

// The model's name is one part of the address, and so is the entity's.
struct Address {
  std::string model, entity;  // no entity: the graph
};

std::optional<Address> address_of(std::string_view uri) {
  if (!uri.starts_with(kScheme)) return std::nullopt;
  uri.remove_prefix(kScheme.size());
  const std::size_t slash = uri.find('/');
  if (slash == std::string_view::npos || slash == 0) return std::nullopt;
  const auto model = percent_decoded(uri.substr(0, slash));
  const std::string_view rest = uri.substr(slash);
  if (!model) return std::nullopt;
  if (rest == kGraph) return Address{*model, ""};
  if (!rest.starts_with(kEntity)) return std::nullopt;
  const auto entity = percent_decoded(rest.substr(kEntity.size()));
  return entity && !entity->empty() ? std::optional(Address{*model, *entity}) : std::nullopt;
}

Json answered(const char* name, const Model& model, Json input) {
  const Operation& operation = *operation_named(name);
  return operation.run(model, fitted(operation.input(), input, operation.name));
}

}  // namespace

Json mcp_resources(const ModelShelf& models) {
  Json list = Json::array();
  for (const std::string& name : models.names())
    list.push_back(
        {{"uri", std::string(kScheme) + percent_encoded(name) + std::string(kGraph)},
         {"name", name},
         {"description", "The graph of the model '" + name + "': what it is about, how much it holds."},
         {"mimeType", "application/json"}});
  return list;
}

Json mcp_resource_templates() {
  return Json::array(
      {{{"uriTemplate", "kgwalk://{model}/entity/{name}"},
        {"name", "entity"},
        {"description",
         "What an entity of the graph is joined to, relation by relation; 'search' finds its exact name."},
        {"mimeType", "application/json"}}});
}

Json mcp_read(ModelShelf& models, const Json& params) {
  const Json uri = params.value("uri", Json());
  const auto address = uri.is_string() ? address_of(uri.get_ref<const std::string&>()) : std::nullopt;
  if (!address)
    throw RpcError{kNoResource, "there is no resource " + dumped(uri) +
                                    ": there are kgwalk://MODEL/graph and kgwalk://MODEL/entity/NAME"};
  Json told;
  try {
    const auto model = models.get(address->model);
    told = address->entity.empty() ? answered("stats", *model, Json::object())
                                   : answered("neighborhood", *model, {{"entity", address->entity}});
  } catch (const Refusal& refusal) {
    throw RpcError{kNoResource, refusal.what()};
  } catch (const ConfigError& error) {
    throw RpcError{kNoResource, error.what()};
  }
  return {{"contents", Json::array({{{"uri", uri},
                                     {"mimeType", "application/json"},
                                     {"text", told.dump(1, ' ', false, Json::error_handler_t::replace)}}})}};
}

}  // namespace kgwalk::server
