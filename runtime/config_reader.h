// The visitor that reads a configuration struct from json, strictly (runtime/config.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/choice.h"
#include "kgwalk/json.h"
#include "runtime/config_field.h"
#include "runtime/problems.h"

namespace kgwalk::config_detail {

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
    read_value(json[i], value, dotted(where, std::to_string(i)), problems);
    out[i] = value;
  }
}

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
      const std::string where = dotted(path_, name);
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

}  // namespace kgwalk::config_detail
