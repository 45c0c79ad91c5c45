// A configuration value that is one of a few named things: an enum in the code, its word in files and on the
// command line. The words are listed once, beside the enum, in a function that is found by its argument:
//
//   enum class NormPlace { kPre, kPost, kEnd };
//   constexpr auto choice_names(NormPlace) { return choices_in_order<NormPlace>("pre", "post", "end"); }
//
//   struct StackOptions { Choice<NormPlace> norm = NormPlace::kPre; ... };
//
// Example:
//   #include <kgwalk/embeddings.h>
//   using kgwalk::embeddings::EmbeddingKind;
//   kgwalk::Choice<EmbeddingKind> model = "complex";  // ConfigError names the choices there are
//   if (model == EmbeddingKind::kComplEx) std::cout << model.name() << '\n';
//
// A choice compares with its enum alone: no text is compared where the work is done. A value: copies are
// independent, and reading one from several threads is safe.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "kgwalk/error.h"

namespace kgwalk {

// "must be one of pre, post, end (did you mean 'pre'?)"
[[nodiscard]] std::string choice_advice(std::string_view name, const std::vector<std::string>& choices);

template <class E>
struct ChoiceName {
  std::string_view name;
  E value;
  bool former = false;  // still read, no longer written
};

// Names of the values 0, 1, 2, ... of an enum.
template <class E, class... Names>
[[nodiscard]] constexpr auto choices_in_order(Names... names) {
  std::array<ChoiceName<E>, sizeof...(Names)> table{ChoiceName<E>{names, E{}}...};
  for (std::size_t i = 0; i < table.size(); ++i) table[i].value = static_cast<E>(i);
  return table;
}

// The same and a word of older files for one of them.
template <class E, std::size_t N>
[[nodiscard]] constexpr std::array<ChoiceName<E>, N + 1> formerly(const std::array<ChoiceName<E>, N>& names,
                                                                  std::string_view old, E value) {
  std::array<ChoiceName<E>, N + 1> table{};
  for (std::size_t i = 0; i < N; ++i) table[i] = names[i];
  table[N] = {old, value, true};
  return table;
}

template <class E>
class Choice {
 public:
  constexpr Choice(E value)
      : value_(value) {}  // NOLINT(google-explicit-constructor): a value of the enum is one
  // ConfigError names the choices there are and the nearest one.
  Choice(std::string_view name) : value_(named(name)) {}    // NOLINT(google-explicit-constructor)
  Choice(const char* name) : value_(named(name)) {}         // NOLINT(google-explicit-constructor)
  Choice(const std::string& name) : value_(named(name)) {}  // NOLINT(google-explicit-constructor)

  constexpr operator E() const noexcept { return value_; }  // NOLINT(google-explicit-constructor)

  [[nodiscard]] constexpr std::string_view name() const noexcept {
    for (const ChoiceName<E>& choice : kNames)
      if (choice.value == value_ && !choice.former) return choice.name;
    return {};
  }
  // The words there are, without former ones.
  [[nodiscard]] static std::vector<std::string> names() {
    std::vector<std::string> list;
    for (const ChoiceName<E>& choice : kNames)
      if (!choice.former) list.emplace_back(choice.name);
    return list;
  }
  // False, and nothing changed, when there is no such word.
  bool assign(std::string_view name) noexcept {
    for (const ChoiceName<E>& choice : kNames) {
      if (choice.name != name) continue;
      value_ = choice.value;
      return true;
    }
    return false;
  }
  [[nodiscard]] static std::string advice(std::string_view name) { return choice_advice(name, names()); }

 private:
  static E named(std::string_view name) {
    Choice choice{E{}};
    if (!choice.assign(name))
      throw ConfigError("'" + std::string(name) + "' is no choice; it " + advice(name));
    return choice.value_;
  }
  static constexpr auto kNames = choice_names(E{});
  E value_;
};

// The word of a value, for messages.
template <class E>
requires std::is_enum_v<E>
[[nodiscard]] std::string choice_name(E value) { return std::string(Choice<E>(value).name()); }

// Text of another kind than the enum's does not compare: what it may be is checked where it is read.
template <class E>
bool operator==(const Choice<E>&, const char*) = delete;
template <class E>
bool operator==(const Choice<E>&, const std::string&) = delete;

}  // namespace kgwalk
