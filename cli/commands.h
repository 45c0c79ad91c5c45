// Every verb of the program: a file each, cli/<verb>.cc with '-' as '_'. The table is in cli/main.cc.
#pragma once

#include "cli/command.h"

namespace kgwalk::cli {

Verb add_quickstart(CLI::App& app, Common& common);
Verb add_recipe(CLI::App& app, Common& common);
Verb add_init(CLI::App& app, Common& common);
Verb add_annotate(CLI::App& app, Common& common);
Verb add_pack(CLI::App& app, Common& common);
Verb add_ingest(CLI::App& app, Common& common);
Verb add_entities(CLI::App& app, Common& common);
Verb add_stats(CLI::App& app, Common& common);
Verb add_export(CLI::App& app, Common& common);
Verb add_distances(CLI::App& app, Common& common);
Verb add_distance(CLI::App& app, Common& common);
Verb add_embed(CLI::App& app, Common& common);
Verb add_link_prediction(CLI::App& app, Common& common);
Verb add_pretrain_text(CLI::App& app, Common& common);
Verb add_questions(CLI::App& app, Common& common);
Verb add_train(CLI::App& app, Common& common);
Verb add_rl(CLI::App& app, Common& common);
Verb add_eval(CLI::App& app, Common& common);
Verb add_plan(CLI::App& app, Common& common);
Verb add_chat(CLI::App& app, Common& common);
Verb add_connect(CLI::App& app, Common& common);
Verb add_complete(CLI::App& app, Common& common);
Verb add_retrieve(CLI::App& app, Common& common);
Verb add_selfplay(CLI::App& app, Common& common);
Verb add_serve(CLI::App& app, Common& common);
Verb add_mcp(CLI::App& app, Common& common);
Verb add_respond(CLI::App& app, Common& common);
Verb add_simulator(CLI::App& app, Common& common);
Verb add_listen(CLI::App& app, Common& common);
Verb add_task(CLI::App& app, Common& common);
Verb add_demo(CLI::App& app, Common& common);
Verb add_doctor(CLI::App& app, Common& common);
Verb add_config(CLI::App& app, Common& common);
Verb add_version(CLI::App& app, Common& common);

}  // namespace kgwalk::cli
