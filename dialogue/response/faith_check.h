// Whether a sentence of a foreign speaker, a language model, says what a message and our own sentence for it
// say, and nothing else: the judge that stands between them and the user. It holds names, numbers and dates
// against those given; that a verb was changed for another it may miss. Torch-free.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "dialogue/response/name_check.h"

namespace kgwalk::dialogue {

class FaithChecker {
 public:
  // The graph is borrowed.
  FaithChecker(const graph::KnowledgeGraph& graph, OrdinaryNames ordinary)
      : names_(graph, std::move(ordinary)) {}

  // Why it may not be said, in a few words; empty where it may. `draft` is our sentence for the message.
  // Refused are:
  // - more than a paragraph, markup, links, control characters, bytes that are no UTF-8;
  // - an entity of the graph that the message does not have, and any word that is written large, or in a
  //   script without large letters, and is neither in the message nor in the draft, function words aside;
  // - a number or a date that neither of both has;
  // - an answer that the draft names and the sentence does not;
  // - a denial where the draft has none, none where it has one, "yes" for "no";
  // - not one word of those by which the draft tells the fact.
  // What was said before counts for nothing: a lie of the user is no fact. Thread-safe.
  [[nodiscard]] std::string fault(std::string_view sentence, const Message& message,
                                  std::string_view draft) const;

 private:
  NameChecker names_;
};

}  // namespace kgwalk::dialogue
