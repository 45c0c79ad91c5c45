// Configuration structs that read, check and print themselves.
//
// A struct lists its fields once; defaults stay in the members:
//
//   struct TransEConfig {
//     int dim = 384;
//     Choice<Loss> loss = Loss::kSoftmax;  // kgwalk/choice.h
//     template <class F>
//     void fields(F& f) {
//       f("dim", dim, "Width of the vectors of entities and relations.").range(1, 4096);
//       f("loss", loss, "Training loss.");
//     }
//     void check(Problems& problems) const;  // optional: rules across fields
//   };
//
// apply_json() is strict: unknown keys (with the nearest key), wrong types and values out of range are
// collected and thrown together as one ConfigError. Nested structs are fields of struct type; vectors of
// plain values work too. describe() lists every option with its default, range and description.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "kgwalk/choice.h"
#include "kgwalk/error.h"
#include "kgwalk/json.h"
#include "runtime/text.h"

namespace kgwalk {

// Everything found wrong, one sentence each, prefixed by the dotted path of the field.
class Problems {
 public:
  void add(std::string_view where, std::string_view what);
  // Takes over the problems of a nested struct, whose field has this path.
  void add_below(std::string_view path, const Problems& nested);
  [[nodiscard]] bool empty() const noexcept { return list_.empty(); }
  [[nodiscard]] const std::vector<std::string>& list() const noexcept { return list_; }
  // Throws one ConfigError that names all problems; does nothing when there are none.
  void throw_if_any(std::string_view source) const;

 private:
  std::vector<std::string> list_;
};

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
concept HasFields = requires(T& t) {
  []<class F>(T& u, F& f) -> decltype(u.fields(f)) { return u.fields(f); };
}
&&std::is_class_v<T> && !std::is_same_v<T, std::string>;

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

std::string joined(std::string_view path, std::string_view name);

// Reads one plain value; says what was expected when the json has another type.
void read_value(const Json& json, bool& out, std::string_view where, Problems& problems);
void read_value(const Json& json, int& out, std::string_view where, Problems& problems);
void read_value(const Json& json, std::int64_t& out, std::string_view where, Problems& problems);
void read_value(const Json& json, std::uint64_t& out, std::string_view where, Problems& problems);
void read_value(const Json& json, float& out, std::string_view where, Problems& problems);
void read_value(const Json& json, double& out, std::string_view where, Problems& problems);
void read_value(const Json& json, std::string& out, std::string_view where, Problems& problems);

template <class E>
void read_value(const Json& json, Choice<E>& out, std::string_view where, Problems& problems) {
  std::string name;
  const std::size_t before = problems.list().size();
  read_value(json, name, where, problems);
  if (problems.list().size() == before && !out.assign(name))
    problems.add(where, "is '" + name + "'; " + Choice<E>::advice(name));
}

template <class T>
void read_value(const Json& json, std::vector<T>& out, std::string_view where, Problems& problems) {
  if (!json.is_array()) return problems.add(where, "expected a list");
  out.assign(json.size(), T{});
  for (std::size_t i = 0; i < json.size(); ++i) {
    T value{};
    read_value(json[i], value, joined(where, std::to_string(i)), problems);
    out[i] = value;
  }
}

// What fields() gets back for a field: constraints, checked by the validating visitor, told by the describing one;
// and former names, tried by the reading one.
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

template <class T>
void validate_into(const T& config, std::string_view path, Problems& problems);

class Reader {
 public:
  Reader(const Json& json, std::string_view path, Problems& problems);
  template <class T>
  Constraint<T, Reader> operator()(std::string_view name, T& value, std::string_view = "") {
    read(name, value);
    return Constraint<T, Reader>(&value, "", nullptr, nullptr, this);
  }
  template <class T>
  void read(std::string_view name, T& value) {
    known_.emplace_back(name);
    const auto it = json_.find(std::string(name));
    if (it != json_.end()) {
      const std::string where = joined(path_, name);
      if constexpr (kIsStruct<T>) {
        Reader inner(*it, where, problems_);
        value.fields(inner);
        inner.finish();
      } else {
        read_value(*it, value, where, problems_);
      }
    }
  }
  void finish();  // reports keys that no field has taken

 private:
  const Json& json_;
  std::string path_;
  Problems& problems_;
  std::vector<std::string> known_;
};

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

class Validator {
 public:
  Validator(std::string_view path, Problems& problems) : path_(path), problems_(problems) {}
  template <class T>
  Constraint<T> operator()(std::string_view name, T& value, std::string_view = "") {
    const std::string where = joined(path_, name);
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
    const std::string where = joined(path_, name);
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

}  // namespace config_detail

// Throws ConfigError naming `source` (a file, a setting) with every problem; on success `config` holds
// the new values.
template <class T>
void apply_json(T& config, const Json& json, std::string_view source) {
  Problems problems;
  T copy = config;
  config_detail::Reader reader(json, "", problems);
  copy.fields(reader);
  reader.finish();
  problems.throw_if_any(source);
  config = copy;
}

template <class T>
void validate(const T& config, std::string_view source = "configuration") {
  Problems problems;
  config_detail::validate_into(config, "", problems);
  problems.throw_if_any(source);
}

template <class T>
[[nodiscard]] Json to_json_of(const T& config) {
  Json json;
  config_detail::Writer writer(json);
  const_cast<T&>(config).fields(writer);
  return json;
}

// Every option of `config` in the order of its fields, with the value it has there.
template <class T>
[[nodiscard]] std::vector<OptionDoc> describe(const T& config) {
  std::vector<OptionDoc> docs;
  config_detail::Describer describer("", docs);
  const_cast<T&>(config).fields(describer);  // the visitor only reads
  return docs;
}

// Json in which // and /* */ comments are allowed and no object gives a key twice. FormatError names
// source, line, column.
[[nodiscard]] Json parse_json(std::string_view text, std::string_view source);

// The same from a file.
[[nodiscard]] Json read_json_file(const std::string& path);

// "a.b=3" merged into `json` as {"a": {"b": 3}}; the value is json when it parses as such,
// otherwise a string.
void apply_assignment(Json& json, std::string_view assignment);

// Recursive merge: objects are merged, everything else is replaced by `later`.
void merge_json(Json& base, const Json& later);

// Defaults of T, then the files in order, then the assignments; validated.
template <class T>
[[nodiscard]] T load_config(const std::vector<std::string>& files,
                            const std::vector<std::string>& assignments, T config = T{}) {
  for (const std::string& file : files) apply_json(config, read_json_file(file), file);
  for (const std::string& text : assignments) {
    Json json = Json::object();
    apply_assignment(json, text);
    apply_json(config, json, "setting " + text);
  }
  validate(config);
  return config;
}

}  // namespace kgwalk
