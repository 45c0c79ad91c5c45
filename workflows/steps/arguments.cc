#include "workflows/steps/arguments.h"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

namespace kgwalk {
namespace {

// Gathers arguments; what is as it is anyway is left out.
class Gathered {
 public:
  Gathered& text(const char* name, const std::string& value) {
    if (!value.empty()) all_.emplace_back(name, value);
    return *this;
  }
  Gathered& path(const char* name, const std::filesystem::path& value) { return text(name, value.string()); }
  template <class Number>
  Gathered& number(const char* name, const Number& value, const Number& usual) {
    if (value != usual) text(name, fmt::format("{}", value));
    return *this;
  }
  Gathered& flag(const char* name, bool value, bool usual = false) {
    if (value != usual) text(name, value ? "true" : "false");
    return *this;
  }
  Gathered& character(const char* name, char value, char usual) {
    if (value != usual) text(name, value == '\t' ? "tab" : std::string(1, value));
    return *this;
  }
  template <class List>
  Gathered& list(const char* name, const List& values) {
    for (const auto& value : values) text(name, std::filesystem::path(value).string());
    return *this;
  }
  // Lists with defaults, which are told whole.
  Gathered& list(const char* name, const std::vector<std::string>& values,
                 const std::vector<std::string>& usual) {
    return values == usual ? *this : list(name, values);
  }
  // One word, its parts behind commas; parts that are all empty are left out.
  template <class List>
  Gathered& joined(const char* name, const List& values) {
    std::string word;
    bool any = false;
    for (const std::string& value : values) {
      word += (&value == &*values.begin() ? "" : ",") + value;
      any = any || !value.empty();
    }
    return text(name, any ? word : "");
  }
  Gathered& settings(const Settings& settings) {
    text("preset", settings.preset).list("files", settings.files);
    if (!settings.values.empty()) text("values", settings.values.dump());
    return list("assignments", settings.assignments);
  }
  Gathered& seed(std::uint64_t seed) { return number("seed", seed, std::uint64_t{1}); }
  Gathered& measured(const MeasuredModel& of) {
    return path("model", of.packed)
        .path("database", of.database)
        .list("run", of.runs)
        .path("text", of.text)
        .flag("other_graph", of.other_graph);
  }
  [[nodiscard]] Arguments take() { return std::move(all_); }

 private:
  Arguments all_;
};

Gathered trained_on(const std::filesystem::path& database, const std::filesystem::path& run) {
  return Gathered().path("database", database).path("run", run);
}

void gather_input(Gathered& told, const graph::InputOptions& input) {
  const graph::InputOptions usual;
  if (input.format != usual.format) told.text("format", std::string(input.format.name()));
  told.joined("columns", input.columns)
      .character("separator", input.separator, usual.separator)
      .character("quote", input.quote, usual.quote)
      .character("list_separator", input.list_separator, usual.list_separator)
      .text("id", input.id_column)
      .text("name", input.name_column)
      .list("link", input.links)
      .joined("id_columns", input.id_columns)
      .text("weight", input.weight_column)
      .text("source", input.source_column)
      .path("entity_ids", input.entity_ids)
      .path("relation_ids", input.relation_ids);
  if (input.language != usual.language) told.text("language", input.language);
  if (input.literals != usual.literals) told.text("literals", std::string(input.literals.name()));
  told.list("label", input.labels)
      .list("alias", input.aliases, usual.aliases)
      .list("description", input.descriptions, usual.descriptions)
      .text("base", input.base)
      .path("context", input.context)
      .number("max_name_bytes", input.max_name_bytes, usual.max_name_bytes);
}

void gather_dialogues(Gathered& told, const graph::IngestOptions& options) {
  for (const graph::DialogueSource& source : options.dialogues)
    told.text("dialogues",
              source.split.empty() ? source.file.string() : source.split + "=" + source.file.string());
  std::string shares;
  for (const auto& [name, share] : options.division.shares)
    shares += fmt::format("{}{}={}", shares.empty() ? "" : ",", name, share);
  told.text("split", shares);
  // Without shares nothing is drawn.
  if (!shares.empty()) told.number("split_seed", options.division.seed, std::uint64_t{1});
}

}  // namespace

Arguments arguments_of(const graph::IngestOptions& options) {
  const graph::IngestOptions usual;
  Gathered told;
  told.list("triples", options.triples)
      .path("database", options.database)
      .flag("replace", options.replace)
      .path("entities", options.entities)
      .path("relations", options.relations)
      .path("annotation_only", options.annotation_only)
      .path("mapping", options.mapping);
  gather_input(told, options.input);
  gather_dialogues(told, options);
  told.text("from_sparql", options.sparql.url)
      .path("query", options.sparql.query)
      .number("page_rows", options.sparql.page_rows, usual.sparql.page_rows)
      .number("page_seconds", options.sparql.page_seconds, usual.sparql.page_seconds)
      .number("max_page_bytes", options.sparql.max_page_bytes, usual.sparql.max_page_bytes)
      .flag("strict", options.strict)
      .number("max_line_bytes", options.max_line_bytes, usual.max_line_bytes);
  return told.take();
}

Arguments arguments_of(const ComputeDistancesOptions& options) {
  Gathered told;
  told.path("database", options.database)
      .number("rank", options.rank, 0)
      .flag("index", options.index)
      .flag("histogram", options.histogram, true)
      .number("sample", options.sample.value_or(-1), -1)
      .seed(options.seed.value_or(1))
      .settings(options.settings);
  return told.take();
}

Arguments arguments_of(const EmbedOptions& options) {
  return trained_on(options.database, options.run)
      .seed(options.seed.value_or(1))
      .settings(options.settings)
      .take();
}

Arguments arguments_of(const PretrainTextOptions& options) {
  return trained_on(options.database, options.run).seed(options.seed).settings(options.settings).take();
}

Arguments arguments_of(const MakeQuestionsOptions& options) {
  Gathered told;
  told.path("database", options.database)
      .path("simplequestions", options.simplequestions)
      .path("metaqa", options.metaqa)
      .path("out", options.out)
      .path("bank", options.bank)
      .number("count", options.count, 0)
      .text("split", options.split)
      .number("hops", options.hops, 1)
      .flag("path_labels", options.path_labels)
      .flag("without_held", options.without_held)
      .seed(options.seed)
      .settings(options.settings)
      .text("shown", std::to_string(options.shown));
  return told.take();
}

Arguments arguments_of(const TrainWalkerOptions& options) {
  Gathered told = trained_on(options.database, options.run);
  told.settings({.preset = options.settings.preset}).text("model", options.model).path("text", options.text);
  for (const QuestionSource& source : options.questions) {
    std::string word = source.name + "=" + source.file.string();
    if (source.weight != 1) word += fmt::format(":{}", source.weight);
    told.text("questions", word);
  }
  Settings rest = options.settings;
  rest.preset.clear();
  return told.seed(options.seed).settings(rest).take();
}

Arguments arguments_of(const TrainListenerOptions& options) {
  return trained_on(options.database, options.run)
      .text("made", std::to_string(options.made))
      .text("shown", std::to_string(options.shown))
      .path("text", options.text)
      .path("questions", options.questions)
      .flag("without_named", options.without_named)
      .path("from", options.from)
      .path("weights", options.weights)
      .seed(options.seed)
      .settings(options.settings)
      .take();
}

Arguments arguments_of(const TrainSimulatorOptions& options) {
  return trained_on(options.database, options.run).seed(options.seed).settings(options.settings).take();
}

Arguments arguments_of(const TrainStage2Options& options) {
  return trained_on(options.database, options.run)
      .path("from", options.from)
      .path("simulator", options.simulator)
      .path("text", options.text)
      .seed(options.seed)
      .settings(options.settings)
      .take();
}

Arguments arguments_of(const EvaluatePathsOptions& options) {
  Gathered told;
  told.measured(options.of)
      .text("split", options.split)
      .path("dialogs", options.dialogs)
      .text("start", options.candidate_starts ? "candidates" : "")
      .number("beam", options.beam, 0);
  if (options.length_weight) told.text("length_weight", fmt::format("{}", *options.length_weight));
  return told.number("resamples", options.resamples, 1000)
      .flag("readings", options.readings)
      .path("ranks", options.ranks)
      .seed(options.seed)
      .take();
}

Arguments arguments_of(const EvaluateQuestionsOptions& options) {
  Gathered told;
  told.measured(options.of)
      .path("questions", options.questions)
      .text("start", options.candidate_starts ? "candidates" : "")
      .number("beam", options.beam, 0)
      .path("output", options.output)
      .path("ranks", options.ranks);
  return told.take();
}

Arguments arguments_of(const EvaluateSuccessOptions& options) {
  const EvaluateSuccessOptions usual;
  Gathered told;
  told.measured(options.of);
  if (options.distances != usual.distances)
    told.text("distances", fmt::format("{}", fmt::join(options.distances, ",")));
  return told.number("episodes", options.episodes, usual.episodes)
      .number("extra", options.extra, usual.extra)
      .path("stage1", options.stage1)
      .path("simulator", options.simulator)
      .text("goals", options.goals == usual.goals ? "" : options.goals)
      .number("ask", options.ask, usual.ask)
      .path("walks", options.walks)
      .path("plot", options.plot)
      .seed(options.seed)
      .settings(options.settings)
      .take();
}

Arguments arguments_of(const AskListenerOptions& options) {
  return trained_on(options.database, options.run)
      .path("text", options.text)
      .number("forms", options.forms, 3)
      .list("say", options.say)
      .take();
}

Arguments arguments_of(const PlanPageOptions& options) {
  return trained_on(options.database, options.run)
      .text("start", options.start)
      .text("goal", options.goal)
      .number("turns", options.turns, 0)
      .path("simulator", options.simulator)
      .text("say", options.say)
      .text("format", options.format)
      .text("speak", options.speak && options.turns > 0 ? "templates" : "")
      .path("out", options.out)
      .seed(options.seed)
      .take();
}

Arguments arguments_of(const DialoguesPageOptions& options) {
  return trained_on(options.database, options.run)
      .path("listener", options.listener)
      .path("simulator", options.simulator)
      .number("dialogues", options.dialogues, 100)
      .text("distances", fmt::format("{}", fmt::join(options.distances, ",")))
      .path("out", options.out)
      .path("html", options.html)
      .seed(options.seed)
      .take();
}

Arguments arguments_of(const PackOptions& options) {
  Gathered told = trained_on(options.database, options.run);
  told.path("text", options.text)
      .path("listener", options.listener)
      .path("simulator", options.simulator)
      .path("responder", options.responder)
      .path("out", options.out)
      .text("name", options.name)
      .flag("replace", options.replace);
  for (const ModelSourceNote& source : options.sources)
    told.text("source", source.name + "=" + source.license);
  return told.list("table", options.tables)
      .text("about", options.about)
      .text("license", options.license)
      .take();
}

}  // namespace kgwalk
