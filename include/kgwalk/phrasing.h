// A language model that puts answers into words, behind an OpenAI-compatible endpoint: what was planned stays
// ours, and a sentence of the model is said only when every name, number and date in it is among the facts
// given; else ours is said.
//
// Example:
//   #include "kgwalk/conversation.h"
//
//   kgwalk::ConversationOptions options;
//   options.phrase = {.url = "http://127.0.0.1:8081/v1", .timeout_s = 5};
//   options.phrase.tally = std::make_shared<kgwalk::PhrasingTally>();
//   auto conversation = kgwalk::Conversation::open("kg.db", "runs/agent", options);
//   std::cout << conversation.answer("Who directed Inception?").said << '\n';
//   std::cout << options.phrase.tally->refused << " sentences of the model were not faithful\n";
//
// Values; the tally may be read while others count.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace kgwalk {

// How often which sentence was said.
struct PhrasingTally {
  std::atomic<std::uint64_t> said = 0;     // the model's
  std::atomic<std::uint64_t> refused = 0;  // ours, since the model's was not faithful
  std::atomic<std::uint64_t> failed =
      0;  // ours, since no sentence came: no connection, too late, not understood
};

struct PhrasingOptions {
  std::string url =
      {};  // where "/chat/completions" is put behind: "http://127.0.0.1:8081/v1"; empty: none is asked
  std::string model = {};  // by which the endpoint chooses; empty: it is not told
  std::string key = {};    // sent as a bearer's; without TLS to this machine only
  double timeout_s = 10;   // for a sentence, connecting included
  std::shared_ptr<PhrasingTally> tally = {};
};

}  // namespace kgwalk
