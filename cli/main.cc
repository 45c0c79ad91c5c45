// The program: finds the verb, parses, runs it, and turns errors into one line and an exit status.
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>

#include "cli/comforts.h"
#include "cli/commands.h"
#include "cli/device_choice.h"
#include "cli/remedy.h"
#include "cli/workspace.h"
#include "kgwalk/error.h"
#include "runtime/files.h"
#include "runtime/memory.h"
#include "runtime/shell.h"
#include "runtime/tensor/torch_threads.h"
#include "runtime/tensorboard.h"

namespace kgwalk::cli {
namespace {

constexpr int kFailed = 1;
constexpr int kUsage = 2;
constexpr int kInterrupted = 130;

constexpr const char *kBegin = "To begin with", *kGraph = "The graph", *kTrain = "Training and measuring",
                     *kUse = "Using a model", *kOther = "Other tasks, and the program itself";

// Name, what it does, an example of its arguments, what adds it, where it is listed.
const Command kCommands[] = {
    {"quickstart", "from the files of a graph to a model that answers questions", "films.ttl --out films",
     add_quickstart, kBegin},
    {"recipe", "everything from the official files of a data set to evaluated walkers and a packed model",
     "opendialkg --data data/opendialkg --out opendialkg", add_recipe, kBegin},
    {"demo", "the whole main job on the embedded sample", "", add_demo, kBegin},
    {"init", "a workspace, in which --db and --run need not be given", "films", add_init, kBegin},
    {"ingest", "read triples, names and dialogues into a database", "films.ttl.gz --db films.db", add_ingest,
     kGraph},
    {"stats", "counts and degrees of the graph and its dialogues", "--db films.db", add_stats, kGraph},
    {"entities", "what is known of an entity, which one a text means, and entities that are one",
     "--db films.db \"Iron Man\"", add_entities, kGraph},
    {"export", "the graph and its embeddings as files for other programs",
     "--db films.db --graph films.nt --embeddings vectors", add_export, kGraph},
    {"distances", "exact distances of all pairs, their index and their factors",
     "--db films.db --index --rank 256", add_distances, kGraph},
    {"distance", "the distance of two entities and a shortest path",
     "--db films.db --from \"Iron Man\" --to \"Jon Favreau\"", add_distance, kGraph},
    {"embed", "train TransE on the graph and store the tables", "--db films.db --set dim=384", add_embed,
     kGraph},
    {"link-prediction", "train and evaluate TransE on a benchmark's files",
     "--train train.txt --valid valid.txt --test test.txt", add_link_prediction, kGraph},
    {"pretrain-text", "pre-train a small text encoder on the dialogues", "--db films.db --run runs/text",
     add_pretrain_text, kTrain},
    {"questions", "make questions to learn listening from, and to measure it",
     "--db films.db --split train --count 20000 --out train.txt", add_questions, kTrain},
    {"annotate", "find entities and paths in dialogues that have text alone",
     "--db films.db talks.jsonl --out annotated.jsonl", add_annotate, kTrain},
    {"train", "train the walker (stage 1)", "--db films.db --run runs/best --preset best --text runs/text",
     add_train, kTrain},
    {"listen", "train what hears questions as forms over the graph, ask it, measure it",
     "train --db films.db --text runs/minilm --run runs/listener", add_listen, kTrain},
    {"rl", "train the walker to reach goals (stage 2)",
     "--db films.db --from runs/stage2 --simulator runs/user --run runs/guide", add_rl, kTrain},
    {"respond", "train a model that says paths and answers, measure it, hear it",
     "train --db films.db --run runs/respond", add_respond, kTrain},
    {"simulator", "train the user simulator of stage 2 and hear it", "train --db films.db --run runs/user",
     add_simulator, kTrain},
    {"eval", "evaluate a trained walker", "--run runs/best --split test", add_eval, kTrain},
    {"pack", "a trained model with all that it needs, as one folder or file",
     "--db films.db --run runs/best --out films.tar.zst", add_pack, kUse},
    {"plan", "plan paths from an entity, or a trajectory to a goal",
     "films.tar.zst --from \"Iron Man\" --say \"Do you like Iron Man?\"", add_plan, kUse},
    {"chat", "a conversation with the planner", "films.tar.zst", add_chat, kUse},
    {"selfplay", "dialogues between the simulated user and the assistant, with a report",
     "films.tar.zst --dialogues 100 --html dialogues.html", add_selfplay, kUse},
    {"connect", "the most telling paths between entities",
     "--db films.db --run runs/best \"Iron Man\" \"Sherlock Holmes\"", add_connect, kUse},
    {"complete", "the likeliest facts with one part missing",
     "--db films.db --head \"Iron Man\" --relation has_genre", add_complete, kUse},
    {"retrieve", "facts that bear on a question, for a language model's prompt",
     "--db films.db --run runs/best \"Who directed Iron Man?\"", add_retrieve, kUse},
    {"serve", "serve models over HTTP: a page, OpenAI's API, MCP", "films.tar.zst", add_serve, kUse},
    {"mcp", "serve models to an assistant over standard input and output", "--db films.db --run runs/best",
     add_mcp, kUse},
    {"task", "sequence tasks: train, evaluate and run them", "mt train --help", add_task, kOther},
    {"config", "every option of a training, with value, range and meaning", "train --preset best", add_config,
     kOther},
    {"doctor", "check this machine, a database and the data sets", "--db films.db", add_doctor, kOther},
    {"version", "versions of the program and its libraries", "", add_version, kOther},
};

// What trains through the one training loop: its metrics can go to TensorBoard too.
constexpr const char* kTrainings[] = {"pretrain-text", "train",     "listen", "rl",
                                      "respond",       "simulator", "task"};

void add_tensorboard(CLI::App& app, Common& common) {
  for (const char* name : kTrainings)
    if (app.get_name() == name)
      app.add_flag("--tensorboard", common.tensorboard,
                   "write the metrics of a training as TensorBoard's event files too, into RUN/tensorboard")
          ->group("Options of every command");
}

// The training loop writes event files where there is a folder for them.
void make_tensorboard_folder(const CLI::App& app) {
  for (const CLI::App* at = &app; at != nullptr;) {
    if (const CLI::Option* run = at->get_option_no_throw("--run"); run != nullptr && run->count() > 0) {
      std::filesystem::create_directories(std::filesystem::path(run->as<std::string>()) / kTensorboardFolder);
      return;
    }
    const std::vector<CLI::App*> parsed = at->get_subcommands();
    at = parsed.empty() ? nullptr : parsed.front();
  }
  throw CLI::ValidationError("--tensorboard", "is for trainings, which have a --run");
}

void add_common_options(CLI::App& app, Common& common) {
  const char* group = "Options of every command";
  app.add_option("--config", common.config_files,
                 "configuration file (json with comments); repeatable, later wins")
      ->group(group);
  // One value an option, so that positionals of a verb are not swallowed.
  app.get_option("--config")->allow_extra_args(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--set", common.assignments, "one configuration value, e.g. --set adam.lr=0.001; repeatable")
      ->group(group)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--seed", common.seed, "seed of every random choice")->group(group)->capture_default_str();
  app.add_option("--threads", common.threads, "threads; 0 = all processors")
      ->group(group)
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--device", common.device, "what networks compute on: cpu, cuda or cuda:N")
      ->group(group)
      ->capture_default_str();
  app.add_option("--json", common.json_out, "write the result as json to this file")->group(group);
  app.add_option("--workspace", common.workspace,
                 "folder of 'kgwalk init', which says where database and runs lie (this folder unless given)")
      ->group(group);
  app.add_flag("--quiet", common.quiet, "print results and warnings only")->group(group);
  app.add_flag("--no-progress", common.no_progress, "no progress lines")->group(group);
}

int fail(std::string message) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  std::fprintf(stderr, "kgwalk: %s\n", message.c_str());
  return kFailed;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

int run(const Verb& verb, Common& common) {
  const SignalGuard signals;
  const std::unique_ptr<Reporter> reporter =
      make_console_reporter({.quiet = common.quiet, .progress = !common.no_progress});
  common.reporter = reporter.get();
  common.stop = &signals.stop();
  try {
    keep_freed_memory();
    set_torch_threads(common.threads);
    seed_torch(common.seed);
    verb();
    // What was printed may still be in the buffer; an earlier flush that failed is remembered by ferror.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw IoError("standard output: could not be written, the result is incomplete; is the disk full?");
    return 0;
  } catch (const Interrupted& stopped) {
    std::fprintf(stderr, "kgwalk: %s\nresume with: %s\n", stopped.what(), shell_command(common.argv).c_str());
    return kInterrupted;
  } catch (const Stopped& stopped) {
    fail(told_with_remedies(stopped));
    return kInterrupted;
  } catch (const CLI::Error& error) {  // what only a verb can check
    fail(error.what());
    return kUsage;
  } catch (const Error& error) {
    return fail(told_with_remedies(error));
  } catch (const std::bad_alloc&) {
    return fail("out of memory; use fewer threads, a smaller batch or a smaller model");
  } catch (const std::exception& error) {
    // Libraries below put stack traces behind the first line.
    return fail("internal error: " + first_line(error.what()));
  }
}

int main_of(int argc, char** argv) {
  CLI::App app{"kgwalk: reasoning over a knowledge graph in a dialogue", "kgwalk"};
  app.require_subcommand(1);
  app.set_version_flag("--version", "kgwalk " KGWALK_VERSION);
  app.failure_message([&](const CLI::App*, const CLI::Error& error) {
    return "kgwalk: " + std::string(error.what()) + suggestion(app, argc, argv) + "; see --help\n";
  });
  Common common;
  common.argv.assign(argv, argv + argc);
  std::vector<std::pair<CLI::App*, Verb>> verbs;
  for (const Command& command : kCommands) {
    CLI::App* sub = app.add_subcommand(command.name, command.help);
    sub->group(command.group);
    Verb verb = command.add(*sub, common);
    add_common_options(*sub, common);
    add_tensorboard(*sub, common);
    sub->fallthrough();  // of a verb's own verbs to these options
    sub->footer("Example:\n  kgwalk " + std::string(command.name) + " " + command.example);
    verbs.emplace_back(sub, std::move(verb));
  }
  read_environment(app);
  try {
    std::vector<std::string> words = with_workspace(app, argc, argv);
    std::reverse(words.begin(), words.end());  // as CLI11 takes a vector
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUsage;
  } catch (const Error& error) {  // a workspace that is none
    fail(error.what());
    return kUsage;
  }
  for (auto& [sub, verb] : verbs) {
    if (!sub->parsed()) continue;
    common.seed_given = sub->count("--seed") > 0;
    return run(
        [&verb = verb, sub = sub, &common] {
          choose_device(sub->get_name(), common);
          if (common.tensorboard) make_tensorboard_folder(*sub);
          verb();
        },
        common);
  }
  return kUsage;
}

}  // namespace

void Common::write_json(const Json& result) const {
  if (json_out.empty()) return;
  write_file_atomically(json_out, result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace kgwalk::cli

int main(int argc, char** argv) { return kgwalk::cli::main_of(argc, argv); }
