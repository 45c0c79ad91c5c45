// What fields() of a configuration struct gets back for one of its fields (runtime/config.h): the place where
// its range and its former names are said.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "kgwalk/choice.h"
#include "kgwalk/json.h"
#include "runtime/problems.h"

namespace kgwalk {

// What an option is, for people.
struct OptionDoc {
  std::string name;  // dotted
  std::string type;  // "integer", "number", "true or false", "text", "choice", "list"
  Json value;        // as written to files
  std::optional<double> low, high;
  std::vector<std::string> choices;
  std::string description;
  std::vector<std::string> former;  // names under which older files have it
};

namespace config_detail {

template <class T>
struct is_vector : std::false_type {};
template <class T>
struct is_vector<std::vector<T>> : std::true_type {};

template <class T>
struct is_choice : std::false_type {};
template <class E>
struct is_choice<Choice<E>> : std::true_type {};

template <class T>
inline constexpr bool kIsStruct =
    std::is_class_v<T> && !std::is_same_v<T, std::string> && !is_vector<T>::value && !is_choice<T>::value;

// What fields() gets back for a field: constraints, checked by the validating visitor, told by the describing
// one; and former names, tried by the reading one.
template <class T, class Visitor = void>
class Constraint {
 public:
  Constraint(T* value, std::string where, Problems* problems, OptionDoc* doc = nullptr,
             Visitor* reader = nullptr)
      : value_(value), where_(std::move(where)), problems_(problems), doc_(doc), reader_(reader) {}
  Constraint& range(double low, double high) {
    if (doc_ != nullptr) {
      doc_->low = low;
      doc_->high = high;
    }
    if constexpr (std::is_arithmetic_v<T>) {
      // Written so that NaN fails too.
      if (problems_ && !(static_cast<double>(*value_) >= low && static_cast<double>(*value_) <= high))
        problems_->add(where_, "is " + Json(*value_).dump() + "; must be from " + Json(low).dump() + " to " +
                                   Json(high).dump());
    }
    return *this;
  }
  // Older files give the value under this name.
  Constraint& formerly(std::string_view name) {
    if (doc_ != nullptr) doc_->former.emplace_back(name);
    if constexpr (!std::is_void_v<Visitor>)
      if (reader_ != nullptr) reader_->read(name, *value_);
    return *this;
  }

 private:
  T* value_;
  std::string where_;
  Problems* problems_;
  OptionDoc* doc_;
  Visitor* reader_;
};

}  // namespace config_detail
}  // namespace kgwalk
