// How a command line is read: the same in the program and in its front, which refuses wrong use before the
// program is loaded.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace kgwalk::cli {

inline constexpr int kFailed = 1;
inline constexpr int kUsage = 2;

// The program without its verbs.
void begin(CLI::App& app);

// Reads the words behind the program's name, with what environment and workspace add to them. A status where
// there is nothing to run: help or a version was asked for and is printed, or the words are wrong and one
// line says why. `told`: what a form of earlier versions has become, to be shown; empty otherwise.
[[nodiscard]] std::optional<int> parse(CLI::App& app, int argc, const char* const* argv, std::string& told);

// One line on standard error.
void complain(std::string message);

}  // namespace kgwalk::cli
