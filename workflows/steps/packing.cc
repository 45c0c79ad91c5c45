#include "workflows/steps/packing.h"

#include <fmt/format.h>

#include <cstdint>

#include "kgwalk/conversation.h"
#include "kgwalk/error.h"
#include "kgwalk/workflows.h"
#include "planner/conversation/introduction.h"
#include "runtime/text.h"

namespace kgwalk {
namespace {

std::string megabytes(std::uint64_t bytes) {
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

std::string count_in(const Json& graph, const char* what) {
  return with_commas(graph.at(what).get<std::int64_t>());
}

std::string names_of(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string manifest_text(const Json& manifest) {
  const Json& graph = manifest.at("graph");
  std::string text =
      fmt::format("graph        {} entities, {} relations, {} edges\n", count_in(graph, "entities"),
                  count_in(graph, "relations"), count_in(graph, "edges"));
  std::vector<std::string> parts;
  for (const auto& [name, path] : manifest.at("parts").items()) parts.push_back(name);
  text += "parts        " + names_of(parts) + "\n";
  for (const Json& source : manifest.at("data")) {
    const std::string license = source.at("license"), terms = source.at("terms");
    text += fmt::format("made from    {}: {}{}{}\n", source.at("name").get<std::string>(),
                        license.empty() ? "license not known" : license, terms.empty() ? "" : ", ", terms);
  }
  return text + fmt::format("license      {}\n             {}\n", manifest.at("license").get<std::string>(),
                            manifest.at("passing_on").get<std::string>());
}

Packed pack(const PackOptions& given, Reporter& reporter, const StopFlag& stop) {
  if (given.out.empty()) throw ConfigError("a packed model needs a place");
  PackOptions options = given;
  if (options.version.empty()) options.version = KGWALK_VERSION;
  if (options.introduction.is_null()) {
    reporter.info("trying questions");
    options.introduction = introduction_of(Conversation::open(
        options.database, options.run,
        {.simulator = options.simulator, .text = options.text, .listener = options.listener}));
  }
  Packed packed;
  packed.report = pack_model(options, reporter, stop);
  const PackReport& report = packed.report;
  packed.text = manifest_text(report.manifest);
  if (!report.left_out.empty())
    packed.text += "left out     " + names_of(report.left_out) + " (not needed by the walker)\n";
  packed.text +=
      fmt::format("packed       {}, {}{}\n", report.out.string(), megabytes(report.bytes),
                  report.bytes == report.unpacked ? "" : ", unpacked " + megabytes(report.unpacked));
  packed.json = {{"out", report.out.string()},
                 {"bytes", report.bytes},
                 {"unpacked", report.unpacked},
                 {"left_out", report.left_out},
                 {"manifest", report.manifest}};
  return packed;
}

}  // namespace kgwalk
