#include "cli/use/line_editor.h"

#include <histedit.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <clocale>
#include <cstdio>
#include <cwchar>

namespace kgwalk::cli {
namespace {

constexpr int kPollMs = 100;       // between two looks at the stop flag
constexpr int kKept = 1000;        // lines of history
constexpr std::size_t kWords = 8;  // that a name may have

bool begins_alike(std::string_view text, std::string_view start) {
  const auto small = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return text.size() >= start.size() && std::equal(start.begin(), start.end(), text.begin(),
                                                   [&](char a, char b) { return small(a) == small(b); });
}

}  // namespace

struct LineEditor::Impl {
  ::EditLine* line = nullptr;
  ::History* history = nullptr;
  std::string file, prompt;
  Complete complete;
  const StopFlag* stop = nullptr;
  int typed = 0;  // lines of this call in the history

  static const char* show_prompt(::EditLine* of) { return self(of)->prompt.c_str(); }
  static unsigned char at_tab(::EditLine* of, int) { return self(of)->complete_here(); }
  // One character; the end of input after a signal, which libedit's own reading sleeps through.
  static int read_character(::EditLine* of, wchar_t* to) {
    std::mbstate_t state{};
    for (;;) {
      ::pollfd input{STDIN_FILENO, POLLIN, 0};
      if (self(of)->stop->requested()) return 0;
      if (::poll(&input, 1, kPollMs) <= 0) continue;
      char byte = 0;
      if (::read(STDIN_FILENO, &byte, 1) <= 0) return 0;
      const std::size_t used = std::mbrtowc(to, &byte, 1, &state);
      if (used == static_cast<std::size_t>(-1)) return *to = L'\uFFFD', 1;
      if (used != static_cast<std::size_t>(-2)) return 1;
    }
  }
  static Impl* self(::EditLine* of) {
    void* found = nullptr;
    ::el_get(of, EL_CLIENTDATA, &found);
    return static_cast<Impl*>(found);
  }

  unsigned char complete_here() const {
    const ::LineInfo* info = ::el_line(line);
    const std::string_view before(info->buffer, static_cast<std::size_t>(info->cursor - info->buffer));
    const Completions found = complete(before);
    if (found.texts.empty()) return CC_ERROR;
    std::string text = common_start(found.texts);
    if (text.size() > found.length || found.texts.size() == 1) {
      ::el_deletestr(line, static_cast<int>(characters(before.substr(before.size() - found.length))));
      ::el_insertstr(line, text.c_str());
      return CC_REFRESH;
    }
    std::fputs("\n", stdout);
    for (const std::string& one : found.texts) std::printf("  %s\n", one.c_str());
    return CC_REDISPLAY;
  }

  // What libedit counts in.
  static std::size_t characters(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
  }
};

LineEditor::LineEditor(const std::filesystem::path& history, Complete complete, const StopFlag& stop)
    : impl_(std::make_unique<Impl>()) {
  impl_->stop = &stop;
  std::setlocale(LC_CTYPE, "");  // letters beyond ASCII are one character each
  impl_->file = history.string();
  impl_->complete = std::move(complete);
  impl_->history = ::history_init();
  ::HistEvent event;
  ::history(impl_->history, &event, H_SETSIZE, kKept);
  ::history(impl_->history, &event, H_SETUNIQUE, 1);
  if (!impl_->file.empty()) ::history(impl_->history, &event, H_LOAD, impl_->file.c_str());
  impl_->line = ::el_init("kgwalk", stdin, stdout, stderr);
  ::el_set(impl_->line, EL_CLIENTDATA, impl_.get());
  // The character that begins and ends what does not move the cursor: colors.
  ::el_set(impl_->line, EL_PROMPT_ESC, &Impl::show_prompt, '\1');
  ::el_set(impl_->line, EL_GETCFN, &Impl::read_character);
  ::el_set(impl_->line, EL_EDITOR, "emacs");
  ::el_set(impl_->line, EL_HIST, ::history, impl_->history);
  ::el_set(impl_->line, EL_ADDFN, "kgwalk-complete", "complete a name", &Impl::at_tab);
  ::el_set(impl_->line, EL_BIND, "^I", "kgwalk-complete", nullptr);
  ::el_set(impl_->line, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  ::el_source(impl_->line, nullptr);  // what the user set in ~/.editrc
}

LineEditor::LineEditor(LineEditor&&) noexcept = default;

LineEditor::~LineEditor() {
  if (!impl_) return;
  ::HistEvent event;
  if (!impl_->file.empty()) {
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(impl_->file).parent_path(), ignored);
    ::history(impl_->history, &event, H_SAVE, impl_->file.c_str());
    std::filesystem::permissions(
        impl_->file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write, ignored);
  }
  ::el_end(impl_->line);
  ::history_end(impl_->history);
}

std::optional<std::string> LineEditor::next(const std::string& prompt) {
  impl_->prompt = prompt;
  int count = 0;
  const char* typed = ::el_gets(impl_->line, &count);
  if (typed == nullptr || count <= 0) return std::nullopt;
  std::string line(typed, static_cast<std::size_t>(count));
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
  if (!line.empty()) {
    ::HistEvent event;
    ::history(impl_->history, &event, H_ENTER, line.c_str());
    ++impl_->typed;
  }
  return line;
}

void LineEditor::forget() {
  ::HistEvent event;
  for (; impl_->typed > 0 && ::history(impl_->history, &event, H_FIRST) == 0; --impl_->typed)
    ::history(impl_->history, &event, H_DEL, event.num);
  impl_->typed = 0;
}

std::string common_start(const std::vector<std::string>& texts) {
  std::string start = texts.empty() ? "" : texts.front();
  for (const std::string& text : texts) {
    const auto [at, other] = std::mismatch(start.begin(), start.end(), text.begin(), text.end());
    start.erase(at, start.end());
  }
  // No half of a character.
  while (!start.empty() && !texts.empty() && texts.front().size() > start.size() &&
         (static_cast<unsigned char>(texts.front()[start.size()]) & 0xC0) == 0x80)
    start.pop_back();
  return start;
}

Completions complete_names(std::string_view before, std::size_t count,
                           const std::function<std::string_view(std::size_t)>& name, std::size_t most) {
  std::vector<std::size_t> starts;  // of words, the first first
  for (std::size_t i = 0; i < before.size(); ++i)
    if (before[i] != ' ' && (i == 0 || before[i - 1] == ' ')) starts.push_back(i);
  if (starts.size() > kWords) starts.erase(starts.begin(), starts.end() - kWords);
  for (const std::size_t start : starts) {
    const std::string_view end = before.substr(start);
    if (end.size() < 2) break;
    Completions found{end.size(), {}};
    for (std::size_t i = 0; i < count && found.texts.size() < most; ++i)
      if (begins_alike(name(i), end)) found.texts.emplace_back(name(i));
    if (!found.texts.empty()) return found;
  }
  return {};
}

}  // namespace kgwalk::cli
