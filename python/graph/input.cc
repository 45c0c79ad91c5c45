#include "python/graph/input.h"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <array>
#include <string>

#include "kgwalk/error.h"
#include "python/binding/casters.h"

namespace kgwalk::python {
namespace {

using graph::InputFormat;
using graph::InputOptions;

char sign_of(const std::string& text, const char* what, char none) {
  if (text.empty()) return none;
  if (text.size() != 1)
    throw ConfigError(std::string(what) + " '" + text + "': must be one character of ASCII");
  return text.front();
}

std::string text_of_sign(char sign) { return sign == '\0' ? std::string() : std::string(1, sign); }

// Each option is an attribute that is read and written, and a keyword of the constructor.
class OptionsClass {
 public:
  explicit OptionsClass(py::class_<InputOptions>& c) : class_(c) {}

  template <class T>
  OptionsClass& option(const char* name, T InputOptions::*member, const char* doc) {
    class_.def_readwrite(name, member, doc);
    return *this;
  }
  OptionsClass& sign(const char* name, char InputOptions::*member, const char* doc) {
    class_.def_property(
        name, [member](const InputOptions& self) { return text_of_sign(self.*member); },
        [member, name](InputOptions& self, const std::string& text) {
          self.*member = sign_of(text, name, '\0');
        },
        doc);
    return *this;
  }

 private:
  py::class_<InputOptions>& class_;
};

InputOptions input_options(const py::kwargs& given) {
  InputOptions options;
  const py::object self = py::cast(&options, py::return_value_policy::reference);
  std::vector<std::string> names;
  for (const py::handle name : py::type::of<InputOptions>().attr("__match_args__"))
    names.push_back(name.cast<std::string>());
  for (const auto& [key, value] : given) {
    const auto name = key.cast<std::string>();
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw ConfigError(name + ": is no option; it " + choice_advice(name, names));
    self.attr(key) = value;
  }
  return options;
}

}  // namespace

std::vector<std::filesystem::path> paths_of(const py::object& given, const char* what) {
  if (py::isinstance<py::str>(given) || py::hasattr(given, "__fspath__"))
    return {given.cast<std::filesystem::path>()};
  if (py::isinstance<py::sequence>(given) && !py::isinstance<py::bytes>(given))
    return given.cast<std::vector<std::filesystem::path>>();
  throw py::type_error(std::string(what) + ": must be a path or a list of paths, not " +
                       py::repr(given).cast<std::string>());
}

void bind_input_options(py::module_& m) {
  py::class_<InputOptions> c(m, "InputOptions",
                             "How files of a graph are read: keyword arguments, which are attributes too.");
  c.def(py::init(&input_options));
  c.def_property(
      "columns", [](const InputOptions& self) { return self.columns; },
      [](InputOptions& self, const std::array<std::string, 3>& columns) { self.columns = columns; },
      "Of csv and tsv: the columns of head, relation and tail, by name or by number from 1.");
  OptionsClass(c)
      .option(
          "format", &InputOptions::format,
          "'auto' (by extension), 'triples', 'csv', 'tsv', 'neo4j', 'ntriples', 'nquads', 'turtle', 'trig', "
          "'rdfxml', 'jsonld', 'json', 'graphml' or 'wikidata'.")
      .sign("separator", &InputOptions::separator, "Of tables; empty: as the first line shows.")
      .sign("quote", &InputOptions::quote, "Of csv and Neo4j.")
      .sign("list_separator", &InputOptions::list_separator, "Between several values in one cell.")
      .option("id_columns", &InputOptions::id_columns,
              "Columns of the ids of head and tail, or of head, tail and relation.")
      .option("weight_column", &InputOptions::weight_column, "The column of the weight of a fact.")
      .option("source_column", &InputOptions::source_column, "The column of what a fact was taken from.")
      .option("id_column", &InputOptions::id_column, "Of tables with a row per thing: its id.")
      .option("name_column", &InputOptions::name_column, "Of tables with a row per thing: its name.")
      .option("links", &InputOptions::links, "Links 'table.column=table.column' between such tables.")
      .option("entity_ids", &InputOptions::entity_ids, "A file of names for numbers in the files.")
      .option("relation_ids", &InputOptions::relation_ids, "The same for relations.")
      .option("labels", &InputOptions::labels, "What names things, best first; empty: found.")
      .option("aliases", &InputOptions::aliases, "What gives things other names.")
      .option("descriptions", &InputOptions::descriptions, "What describes things.")
      .option("language", &InputOptions::language, "Labels in this language come first.")
      .option("literals", &InputOptions::literals, "'entities', 'values' or 'drop'.")
      .option("base", &InputOptions::base, "The IRI that relative ones begin with.")
      .option("context", &InputOptions::context, "Of JSON-LD: a file with a context.")
      .option("max_name_bytes", &InputOptions::max_name_bytes, "Longer names are skipped.");
  c.attr("__match_args__") = py::make_tuple(
      "format", "columns", "separator", "quote", "list_separator", "id_columns", "weight_column",
      "source_column", "id_column", "name_column", "links", "entity_ids", "relation_ids", "labels", "aliases",
      "descriptions", "language", "literals", "base", "context", "max_name_bytes");
  m.def(
      "format_named",
      [](const std::string& word) -> std::optional<std::string> {
        const auto format = graph::format_named(word);
        if (!format) return std::nullopt;
        return choice_name(*format);
      },
      py::arg("word"), "The format that a name, extension or media type stands for, or None.");
  m.def(
      "format_of", [](const std::filesystem::path& file) { return choice_name(graph::format_of(file)); },
      py::arg("file"), "The format of a file, by its extension.");
}

}  // namespace kgwalk::python
