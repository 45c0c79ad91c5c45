// kgwalk recipe: everything from the official files of a data set to evaluated walkers and a packed model.
#include "cli/frame/command.h"
#include "cli/frame/print.h"
#include "cli/workflows/step_lines.h"
#include "kgwalk/workflows.h"

namespace kgwalk::cli {
namespace {

struct RecipeVerb {
  OpenDialKgOptions make;
  std::string out = OpenDialKgOptions().folder.string();
};

void run_recipe(const RecipeVerb& verb, const Common& common) {
  OpenDialKgOptions options = verb.make;
  options.folder = verb.out;
  options.seed = common.seed;
  const OpenDialKgResult made = opendialkg(options, step_printer(), *common.reporter, *common.stop);
  print("\nsummary: {}\nmodel:   {}\n", made.page.string(), made.model.string());
  common.write_json(
      {{"summary", made.page.string()}, {"model", made.model.string()}, {"seconds", made.seconds}});
}

Verb add_recipe(CLI::App& app, Common& common) {
  auto options = std::make_shared<RecipeVerb>();
  app.require_subcommand(1);
  CLI::App* opendialkg = app.add_subcommand(
      "opendialkg", "database, text encoder, walkers of both stages, simulator, evaluations, model, summary");
  opendialkg->add_option("--data", options->make.data, "folder of the official files")
      ->required()
      ->check(CLI::ExistingDirectory);
  opendialkg
      ->add_option("--out", options->out,
                   "folder for everything that is made, a workspace; a second call "
                   "goes on where the first was stopped")
      ->capture_default_str();
  opendialkg->add_option("--text", options->make.text, "text encoder, in place of one from the dialogues");
  opendialkg->add_flag("--quick", options->make.quick,
                       "trainings of a minute, to see that every step works; its figures say nothing");
  opendialkg->fallthrough();
  return [options, &common] { run_recipe(*options, common); };
}

const Registration kRecipeCommand(
    {.name = "recipe",
     .help = "everything from the official files of a data set to evaluated walkers and a packed model",
     .example = "opendialkg --data data/opendialkg --out opendialkg",
     .add = add_recipe,
     .group = Group::kBegin,
     .place = 2,
     .computes = Computes::kNetworks});

}  // namespace
}  // namespace kgwalk::cli
