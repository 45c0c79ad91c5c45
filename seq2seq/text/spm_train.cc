#include "seq2seq/text/spm_train.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "kgwalk/error.h"
#include "runtime/files.h"

extern char** environ;  // NOLINT: POSIX

namespace kgwalk::seq2seq {
namespace {

constexpr const char* kProgram = "spm_train";
constexpr std::size_t kMaxLineBytes = 4000;  // spm_train leaves out lines of more than 4192 bytes

std::optional<std::filesystem::path> find_program() {
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? std::string_view{} : path;
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    const std::filesystem::path candidate = std::filesystem::path(rest.substr(0, colon)) / kProgram;
    if (::access(candidate.c_str(), X_OK) == 0) return std::filesystem::absolute(candidate);
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return std::nullopt;
}

// Newlines and zero bytes end lines in the trainer's input, long lines are cut at a space.
std::string input_text(std::span<const std::string> lines) {
  std::string text;
  for (const std::string& line : lines) {
    std::size_t in_line = 0;
    for (const char c : line) {
      const bool space = c == '\n' || c == '\r' || c == '\0' || c == '\t' || c == ' ';
      const bool cut = in_line > kMaxLineBytes && space;
      text += cut ? '\n' : space ? ' ' : c;
      in_line = cut ? 0 : in_line + 1;
    }
    text += '\n';
  }
  return text;
}

// File names without their folder: the model remembers its arguments.
std::vector<std::string> arguments(const VocabularyOptions& options) {
  std::string control;
  for (const std::string& piece : options.control) control += (control.empty() ? "" : ",") + piece;
  return {kProgram,
          "--input=vocabulary.txt",
          "--model_prefix=vocabulary",
          "--vocab_size=" + std::to_string(options.size),
          "--model_type=" + options.algorithm,
          std::string("--normalization_rule_name=") + (options.fold_case ? "nmt_nfkc_cf" : "nmt_nfkc"),
          "--character_coverage=" + std::to_string(options.coverage),
          std::string("--byte_fallback=") + (options.byte_fallback ? "true" : "false"),
          "--control_symbols=" + control,
          "--pad_id=0",
          "--pad_piece=<pad>",
          "--unk_id=1",
          "--unk_piece=<unk>",
          "--bos_id=-1",
          "--eos_id=-1",
          "--hard_vocab_limit=false",
          "--num_threads=1",
          "--shuffle_input_sentence=false",
          "--input_sentence_size=0",
          "--max_sentence_length=8192",
          "--minloglevel=0"};
}

// Exit status; the program runs in `folder`, its output goes to `log`.
int run(const std::filesystem::path& program, std::vector<std::string> args,
        const std::filesystem::path& folder, const std::filesystem::path& log) {
  std::vector<char*> argv;
  for (std::string& arg : args) argv.push_back(arg.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  pid_t child = 0;
  const int error = ::posix_spawn(&child, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw IoError("cannot start " + program.string() + ": " + std::strerror(error));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw IoError("cannot wait for " + program.string() + ": " + std::strerror(errno));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string last_lines(const std::string& text, int count) {
  std::size_t at = text.size();
  for (; count >= 0 && at > 0; --at) {
    if (text[at - 1] == '\n' && --count < 0) break;
  }
  return text.substr(at);
}

}  // namespace

bool spm_train_available() { return find_program().has_value(); }

SentencePiece train_sentencepiece(std::span<const std::string> lines, const VocabularyOptions& options,
                                  const std::filesystem::path& folder) {
  const auto blank = [](const std::string& line) {
    return line.find_first_not_of(" \t\r\v\f") == std::string::npos;
  };
  if (std::all_of(lines.begin(), lines.end(), blank))
    throw ConfigError("the training text is blank: there are no words to make a vocabulary of");
  const auto program = find_program();
  if (!program) {
    throw ConfigError(
        "the program spm_train, which trains the vocabulary, is not on PATH; install the package "
        "sentencepiece, or give a folder with a trained encoder");
  }
  write_file_atomically(folder / "vocabulary.txt", input_text(lines));
  const std::filesystem::path log = folder / "vocabulary.log";
  const int status = run(*program, arguments(options), folder, log);
  if (status != 0) {
    throw ConfigError("spm_train failed with status " + std::to_string(status) + " (log: " + log.string() +
                      "): " + last_lines(read_file(log), 3));
  }
  return SentencePiece::load(folder / "vocabulary.model");
}

}  // namespace kgwalk::seq2seq
