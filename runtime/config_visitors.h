// The visitors that write a configuration struct, hold it against its ranges and describe it
// (runtime/config.h).
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "kgwalk/json.h"
#include "runtime/config_field.h"
#include "runtime/problems.h"

namespace kgwalk::config_detail {

class Writer {
 public:
  explicit Writer(Json& json) : json_(json) { json_ = Json::object(); }
  template <class T>
  Constraint<T> operator()(std::string_view name, T& value, std::string_view = "") {
    Json& slot = json_[std::string(name)];
    if constexpr (kIsStruct<T>) {
      Writer inner(slot);
      value.fields(inner);
    } else if constexpr (is_choice<T>::value) {
      slot = value.name();
    } else {
      slot = value;
    }
    return Constraint<T>(&value, "", nullptr);
  }

 private:
  Json& json_;
};

template <class T>
void validate_into(const T& config, std::string_view path, Problems& problems);

class Validator {
 public:
  Validator(std::string_view path, Problems& problems) : path_(path), problems_(problems) {}
  template <class T>
  Constraint<T> operator()(std::string_view name, T& value, std::string_view = "") {
    const std::string where = dotted(path_, name);
    if constexpr (kIsStruct<T>) validate_into(value, where, problems_);
    return Constraint<T>(&value, where, &problems_);
  }

 private:
  std::string path_;
  Problems& problems_;
};

class Describer {
 public:
  Describer(std::string_view path, std::vector<OptionDoc>& docs) : path_(path), docs_(docs) {}
  template <class T>
  Constraint<T> operator()(std::string_view name, T& value, std::string_view description = "") {
    const std::string where = dotted(path_, name);
    if constexpr (kIsStruct<T>) {
      Describer inner(where, docs_);
      value.fields(inner);
      return Constraint<T>(&value, where, nullptr);
    } else {
      OptionDoc& doc = docs_.emplace_back();
      doc.name = where;
      doc.description = description;
      if constexpr (is_choice<T>::value) {
        doc.type = "choice";
        doc.value = value.name();
        doc.choices = T::names();
      } else {
        doc.type = type_name<T>();
        doc.value = value;
      }
      return Constraint<T>(&value, where, nullptr, &doc);
    }
  }

 private:
  template <class T>
  static constexpr const char* type_name() {
    if constexpr (std::is_same_v<T, bool>) return "true or false";
    if constexpr (std::is_floating_point_v<T>) return "number";
    if constexpr (std::is_integral_v<T>) return "integer";
    return is_vector<T>::value ? "list" : "text";
  }
  std::string path_;
  std::vector<OptionDoc>& docs_;
};

template <class T>
void validate_into(const T& config, std::string_view path, Problems& problems) {
  Validator validator(path, problems);
  const_cast<T&>(config).fields(validator);  // the visitor only reads
  if constexpr (requires { config.check(problems); }) {
    Problems own;  // a struct does not know where it is nested
    config.check(own);
    problems.add_below(path, own);
  }
}

}  // namespace kgwalk::config_detail
