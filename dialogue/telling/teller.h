// What the sentences for answers share. Torch-free.
#pragma once

#include <string>
#include <vector>

#include "dialogue/telling/set_speaker.h"
#include "dialogue/telling/tell.h"

namespace kgwalk::dialogue {

// One answer being told. Borrows all that it is made of.
class Teller {
 public:
  Teller(const forms::Query& query, const forms::Answer& answer, const forms::Engine& engine,
         const Wordings& wordings, const TellOptions& options)
      : query_(query),
        answer_(answer),
        engine_(engine),
        options_(options),
        facts_(engine.values(), wordings),
        sets_(facts_, engine, options.before) {}

  Teller(const Teller&) = delete;  // sets_ borrows facts_
  Teller& operator=(const Teller&) = delete;

  [[nodiscard]] Told tell();
  // What was asked as a phrase: "films directed by Nolan", "whether ...".
  [[nodiscard]] std::string asked() const;
  // Tells a sum or average that there is.
  [[nodiscard]] std::string number_answer() const;

 private:
  // tell.cc
  Told find();
  std::string go_on(const std::vector<std::string>& names, std::size_t named) const;
  std::string none() const;
  std::string not_known() const;
  std::string ranked(const std::vector<std::string>& names) const;
  std::string listed(const std::vector<std::string>& names, std::size_t named) const;
  std::string count() const;
  std::string total() const;
  std::string relations() const;
  std::vector<std::string> take_names(Told& told) const;
  std::string name(graph::EntityId entity) const;
  std::string type_noun() const;

  // comparing.cc
  std::string which() const;
  std::string whether() const;
  std::string difference() const;
  std::string cannot_compare() const;
  std::string with_counted(const std::string& value) const;
  std::string ahead(const std::string& name, bool greatest, bool negated) const;
  std::string measured_noun() const;
  std::string value_text(std::size_t place) const;

  // checking.cc
  std::string check() const;
  std::string checked_value() const;
  std::string which_they_are() const;
  std::string check_members() const;
  std::string check_hop(const OneHop& hop, const std::vector<graph::EntityId>& asked) const;
  std::string check_type(graph::EntityId entity) const;
  std::string what_is_said(const OneHop& hop, graph::EntityId claim) const;

  const forms::Query& query_;
  const forms::Answer& answer_;
  const forms::Engine& engine_;
  const TellOptions& options_;
  FactSpeaker facts_;
  SetSpeaker sets_;
};

[[nodiscard]] std::string sentence_of(const Worded& worded);

}  // namespace kgwalk::dialogue
