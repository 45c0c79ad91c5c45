#include "workflows/steps/recipe_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "kgwalk/workflows.h"
#include "runtime/config.h"
#include "runtime/files.h"

namespace kgwalk {
namespace {

namespace fs = std::filesystem;

std::string escaped_html(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

// A table whose first row is its heading.
std::string table_of(const std::vector<std::vector<std::string>>& rows) {
  std::string html = "<table>\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    html += "<tr>";
    for (const std::string& cell : rows[i])
      html += fmt::format("<{0}>{1}</{0}>", i == 0 ? "th" : "td", escaped_html(cell));
    html += "</tr>\n";
  }
  return html + "</table>\n";
}

std::string percent_of(const Json& row, const std::string& key) {
  if (!row.contains(key)) return "-";
  const Json& value = row[key];
  const Json& number = value.is_object() && value.contains("percent") ? value["percent"]
                       : value.is_array() && !value.empty()           ? value[0]  // beside its interval
                                                                      : value;
  return number.is_number() ? fmt::format("{:.1f}", number.get<double>()) : "-";
}

std::string path_table(const fs::path& results) {
  std::vector<std::vector<std::string>> rows{{"test paths", "k = 1", "3", "5", "10", "25"}};
  for (const auto& [name, file] : {std::pair("count prior", "prior.json"), {"walker", "walker.json"}}) {
    const Json all = read_json_file((results / file).string()).at("all");
    for (const char* measure : {"path", "tgt"}) {
      std::vector<std::string> row{std::string(name) + ", " + measure + "@k"};
      for (const char* k : {"1", "3", "5", "10", "25"}) row.push_back(percent_of(all.at(measure), k));
      rows.push_back(std::move(row));
    }
  }
  return table_of(rows);
}

std::string question_table(const fs::path& results) {
  std::vector<std::vector<std::string>> rows{
      {"questions", "number", "right first", "first three", "yes or no"}};
  const Json json = read_json_file((results / "questions.json").string());
  for (const auto& [name, row] : json.items())
    rows.push_back({name, row.contains("count") ? row["count"].dump() : "-", percent_of(row, "first"),
                    percent_of(row, "first3"), percent_of(row, "verified")});
  return table_of(rows);
}

std::string success_table(const fs::path& results) {
  std::vector<std::vector<std::string>> rows{{"distance", "pairs", "within d", "within d + 2", "within 2 d"}};
  const Json json = read_json_file((results / "success.json").string());
  for (const Json& row : json.at("rows"))
    rows.push_back({row.at("distance").dump(), row.at("pairs").dump(), percent_of(row, "within_d"),
                    percent_of(row, "within_d_plus_2"), percent_of(row, "within_2d")});
  return table_of(rows);
}

// The curves that a training drew, in the order of their names.
std::string curves_of(const fs::path& run, const std::string& title) {
  std::vector<fs::path> files;
  if (fs::is_directory(run / "plots"))
    for (const fs::directory_entry& entry : fs::directory_iterator(run / "plots"))
      if (entry.path().extension() == ".svg") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::string html = "<h3>" + title + "</h3>\n<div class=curves>\n";
  for (const fs::path& file : files) html += read_file(file) + "\n";
  return html + "</div>\n";
}

constexpr const char* kStyle =
    "body{font:15px/1.5 sans-serif;max-width:72em;margin:2em auto;padding:0 1em;color:#222}"
    "table{border-collapse:collapse;margin:1em 0}td,th{border-bottom:1px solid #ccc;padding:.2em "
    ".8em;text-align:right}"
    "td:first-child,th:first-child{text-align:left}.curves{display:flex;flex-wrap:wrap;gap:1em}"
    ".curves svg{width:22em;height:auto}pre{background:#f5f5f5;padding:1em;overflow:auto}";

}  // namespace

void write_recipe_page(const fs::path& page, const RecipePage& what, Reporter& reporter,
                       const StopFlag& stop) {
  const fs::path results = what.folder / "results", runs = what.folder / "runs";
  const ModelSummary summary =
      summarize_model({.model = what.model, .seconds = what.seconds}, reporter, stop);
  std::string html = "<!doctype html><meta charset=utf-8><title>" + what.title + "</title><style>" + kStyle +
                     "</style>\n<h1>" + what.title +
                     "</h1>\n<p>Made by <code>kgwalk recipe</code>; every command is in " +
                     "state.json beside this page.</p>\n";
  html += "<h2>Paths</h2>\n" + path_table(results);
  html += "<h2>Questions in wordings never learned from</h2>\n" + question_table(results);
  html += "<h2>Goals reached</h2>\n" + success_table(results);
  if (const fs::path walk = results / "walk.txt"; fs::exists(walk))
    html += "<h2>A walk to a goal</h2>\n<pre>" + escaped_html(read_file(walk)) + "</pre>\n";
  html += "<h2>The graph, and answers</h2>\n<pre>" + escaped_html(summary.text) + "</pre>\n";
  html += "<h2>Curves</h2>\n" + curves_of(runs / "walker", "Walker, stage 1") +
          curves_of(runs / "pretrained", "Walker before stage 2") +
          curves_of(runs / "simulator", "Simulated user") + curves_of(runs / "agent", "Stage 2");
  write_file_atomically(page, html);
}

}  // namespace kgwalk
