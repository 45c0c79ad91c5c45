// kgwalk version: the program and the libraries it runs with. Alone on the command line it is answered by
// cli/front.
#include "cli/about/versions.h"
#include "cli/frame/command.h"
#include "cli/frame/print.h"

namespace kgwalk::cli {
namespace {

Verb add_version(CLI::App&, Common& common) {
  return [&common] {
    if (printed_to() != nullptr) print_versions();
    common.write_json(versions());
  };
}

const Registration kVersionCommand({.name = "version",
                                    .help = "versions of the program and its libraries",
                                    .example = "",
                                    .add = add_version,
                                    .group = Group::kOther,
                                    .place = 4});

}  // namespace
}  // namespace kgwalk::cli
