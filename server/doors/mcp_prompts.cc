#include "server/doors/mcp_prompts.h"

#include <string>
#include <string_view>

#include "server/doors/mcp_errors.h"
#include "server/http/message.h"

namespace kgwalk::server {
namespace {

// {NAMES} in the text are filled in.
struct Prompt {
  const char* name;
  const char* description;
  const char* arguments[2][2];  // name and what it is; none: null
  const char* text;
};

constexpr Prompt kPrompts[] = {
    {"answer_from_graph",
     "Answer a question from the knowledge graph alone, with the facts that the answer rests on.",
     {{"question", "What is to be answered."}, {nullptr, nullptr}},
     "Answer this question from the knowledge graph alone: {question}\n\nFind the exact names of what it is "
     "about with "
     "the tool 'search', then use 'ask', and 'retrieve' where more facts are needed. Tell the facts that the "
     "answer "
     "rests on and where they come from. Where the graph does not say it, say so; add nothing from "
     "elsewhere."},
    {"lead_the_talk",
     "Lead a conversation from one entity to another, a natural step at a time.",
     {{"start", "The entity to begin at."}, {"goal", "The entity to come to."}},
     "Talk with me and lead the talk from {start} to {goal}, one step a turn, each so natural that I would "
     "hardly "
     "notice. Find both exact names with the tool 'search', then ask 'plan' before each turn with what was "
     "said so "
     "far, the entity that we stand on as start, and {goal} as goal; say the likeliest path's fact in your "
     "own "
     "words. Claim nothing that is not among the facts. Begin now with {start}."}};

const Prompt* prompt_named(const Json& name) {
  for (const Prompt& prompt : kPrompts)
    if (name == prompt.name) return &prompt;
  return nullptr;
}

std::string filled(std::string_view text, const Json& arguments) {
  std::string out;
  while (!text.empty()) {
    const std::size_t open = text.find('{'), close = text.find('}');
    out += text.substr(0, open);
    if (open == std::string_view::npos) break;
    out += arguments.at(std::string(text.substr(open + 1, close - open - 1))).get<std::string>();
    text.remove_prefix(close + 1);
  }
  return out;
}

void check(const Prompt& prompt, const Json& arguments) {
  std::size_t known = 0;
  for (const auto& [name, what] : prompt.arguments) {
    if (name == nullptr) continue;
    ++known;
    const Json given = arguments.is_object() ? arguments.value(name, Json()) : Json();
    if (!given.is_string() || given.get_ref<const std::string&>().empty())
      throw RpcError{kInvalidParams, std::string("the prompt needs the argument '") + name + "': " + what};
  }
  if (arguments.size() > known)
    throw RpcError{kInvalidParams, "the prompt has fewer arguments than were given: prompts/list names them"};
}

}  // namespace

Json mcp_prompts() {
  Json list = Json::array();
  for (const Prompt& prompt : kPrompts) {
    Json arguments = Json::array();
    for (const auto& [name, what] : prompt.arguments)
      if (name != nullptr) arguments.push_back({{"name", name}, {"description", what}, {"required", true}});
    list.push_back({{"name", prompt.name}, {"description", prompt.description}, {"arguments", arguments}});
  }
  return list;
}

Json mcp_prompt(const Json& params) {
  const Json name = params.value("name", Json());
  const Prompt* prompt = prompt_named(name);
  if (prompt == nullptr) throw RpcError{kInvalidParams, "there is no prompt " + dumped(name)};
  const Json arguments = params.value("arguments", Json::object());
  check(*prompt, arguments);
  return {{"description", prompt->description},
          {"messages",
           Json::array({{{"role", "user"},
                         {"content", {{"type", "text"}, {"text", filled(prompt->text, arguments)}}}}})}};
}

}  // namespace kgwalk::server
