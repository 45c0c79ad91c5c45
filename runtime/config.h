// Configuration structs that read, check and print themselves.
//
// A struct lists its fields once; defaults stay in the members:
//
//   struct EmbeddingConfig {
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

#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/choice.h"
#include "kgwalk/error.h"
#include "kgwalk/json.h"
#include "runtime/config_field.h"
#include "runtime/config_reader.h"
#include "runtime/config_visitors.h"
#include "runtime/json_text.h"
#include "runtime/problems.h"

namespace kgwalk {

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
