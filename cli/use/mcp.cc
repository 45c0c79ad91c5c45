// kgwalk mcp: the Model Context Protocol over standard input and output, a message a line.
#include <unistd.h>

#include "cli/frame/command.h"
#include "cli/frame/print.h"
#include "cli/use/served_models.h"
#include "runtime/line_stream.h"
#include "server/doors/mcp.h"
#include "server/service/service.h"

namespace kgwalk::cli {
namespace {

void run_mcp(const ServedModels& models, const Common& common) {
  server::ModelShelf shelf(models.read(common), 2, server::opening({}));
  const server::Mcp mcp(shelf, KGWALK_VERSION);
  LineStream lines(STDIN_FILENO, *common.stop);
  while (const std::optional<std::string> line = lines.next()) {
    if (line->find_first_not_of(" \t\r") == std::string::npos) continue;
    if (const auto answered = mcp.answer_line(*line)) print("{}\n", *answered);
    flush_printed();
  }
}

Verb add_mcp(CLI::App& app, Common& common) {
  auto models = std::make_shared<ServedModels>();
  models->add_options(app);
  return [models, &common] { run_mcp(*models, common); };
}

const Registration kMcpCommand({.name = "mcp",
                                .help = "serve models to an assistant over standard input and output",
                                .example = "--db films.db --run runs/best",
                                .add = add_mcp,
                                .group = Group::kUse,
                                .place = 10,
                                .computes = Computes::kNetworks});

}  // namespace
}  // namespace kgwalk::cli
