#include "cli/program/manual.h"

#include <fmt/format.h>

#include <vector>

#include "runtime/files.h"

namespace kgwalk::cli {
namespace {

// Text as roff has it: no escapes and requests by accident, and hyphens that can be searched and copied.
std::string roff(std::string_view text) {
  std::string out;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '~') {
      out += "\\(ti";
    } else if (c == '^') {
      out += "\\(ha";
    } else if (c == '`') {
      out += "\\(ga";
    } else {
      out += c;
    }
    begins = c == '\n';
  }
  return out;
}

std::string bold(std::string_view text) { return fmt::format("\\fB{}\\fR", roff(text)); }
std::string italic(std::string_view text) { return fmt::format("\\fI{}\\fR", roff(text)); }

bool is_positional(const Json& option) { return !option.at("name").get<std::string>().starts_with('-'); }

// "--k INT", or "MODEL" of one that is a place.
std::string heading(const Json& option) {
  const std::string name = option.at("name"), type = option.at("type");
  if (is_positional(option)) return italic(name.substr(0, name.find(',')));
  std::string text = bold(name);
  if (!option.at("flag").get<bool>()) text += fmt::format(" {}", italic(type.substr(0, type.find(':'))));
  return text;
}

// "a,b" as "a, b".
std::string spaced(std::string_view list) {
  std::string out;
  for (const char c : list) out += c == ',' ? ", " : std::string(1, c);
  return out;
}

// What stands behind the help: the default, the choices or the range, whether it must be given.
std::string bounds(const Json& option) {
  std::vector<std::string> notes;
  if (option.at("required").get<bool>()) notes.emplace_back("required");
  if (const std::string given = option.at("default"); !given.empty()) notes.push_back("default " + given);
  for (const Json& check : option.at("checks")) {
    const std::string text = check.at("text");
    if (text.starts_with("{"))
      notes.push_back("one of " + spaced(text.substr(1, text.size() - 2)));
    else if (const std::size_t at = text.find("in ["); at != std::string::npos)
      notes.push_back(text.substr(at + 4, text.size() - at - 5));
  }
  if (const std::string name = option.at("environment"); !name.empty())
    notes.push_back("environment " + name);
  return notes.empty() ? "" : fmt::format(" ({})", fmt::join(notes, "; "));
}

std::string options_of(const Json& app, const char* request) {
  std::string out, group;
  for (const Json& option : app.at("options")) {
    if (const std::string of = option.at("group"); of != group) {
      group = of;
      if (group.empty()) continue;  // hidden
      out += fmt::format("{} {}\n", request, roff(group));
    }
    if (!group.empty())
      out += fmt::format(".TP\n{}\n{}\n", heading(option),
                         roff(option.at("help").get<std::string>() + bounds(option)));
  }
  return out;
}

std::string page_head(const std::string& title, const std::string& help, const std::string& version) {
  return fmt::format(
      ".TH {} 1 \"\" \"kgwalk {}\" \"Manual of kgwalk\"\n.SH NAME\n{} \\- {}\n",
      [&] {
        std::string upper;
        for (const char c : title) upper += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
        return roff(upper);
      }(),
      version, roff(title), roff(help));
}

constexpr std::string_view kExit =
    ".SH EXIT STATUS\n.TP\n0\nDone.\n.TP\n1\nFailed; one line on standard error says where and why.\n.TP\n2\n"
    "The words of the command line are wrong.\n.TP\n130\nStopped by a signal; a training says what resumes "
    "it.\n";

std::string example_of(const Json& app) {
  const std::string footer = app.at("footer"), begin = "Example:\n";
  if (!footer.starts_with(begin)) return "";
  return ".SH EXAMPLES\n.nf\n" + roff(footer.substr(begin.size())) + "\n.fi\n";
}

// Verbs of a verb, each with its own options and verbs.
std::string inner_verbs(const Json& app, const std::string& spoken) {
  std::string out;
  for (const Json& verb : app.at("verbs")) {
    const std::string name = spoken + " " + verb.at("name").get<std::string>();
    out += fmt::format(".SH {}\n{}.\n{}", roff(name), roff(verb.at("help").get<std::string>()),
                       options_of(verb, ".SS"));
    out += inner_verbs(verb, name);
  }
  return out;
}

std::string synopsis(const Json& verb, const std::string& spoken) {
  std::string out = fmt::format(".SH SYNOPSIS\n{} [{}]", bold(spoken), italic("OPTIONS"));
  for (const Json& option : verb.at("options")) {
    if (!is_positional(option)) continue;
    const std::string place =
        fmt::format("{}{}", heading(option), option.at("most").get<int>() > 1 ? " ..." : "");
    out += fmt::format(fmt::runtime(option.at("required").get<bool>() ? " {}" : " [{}]"), place);
  }
  if (!verb.at("verbs").empty()) out += fmt::format(" {}", italic("COMMAND"));
  return out + "\n";
}

}  // namespace

std::string program_page(const Json& program, const std::string& version) {
  std::string out = page_head("kgwalk", "reasoning over a knowledge graph in a dialogue", version);
  out += fmt::format(".SH SYNOPSIS\n{} {} [{}]\n", bold("kgwalk"), italic("COMMAND"), italic("OPTIONS"));
  out += ".SH DESCRIPTION\n" +
         roff(
             "Files of a graph become a database, a model that hears questions and plans paths is trained on "
             "it, "
             "and both are asked: on the terminal, over HTTP, or by programs. Each command has a page of its "
             "own: "
             "kgwalk-COMMAND(1).") +
         "\n";
  std::string group;
  for (const Json& verb : program.at("verbs")) {
    if (verb.at("group").get<std::string>() != group) {
      group = verb.at("group");
      out += fmt::format(".SH {}\n", roff(group));
    }
    out += fmt::format(".TP\n{}(1)\n{}\n", bold("kgwalk-" + verb.at("name").get<std::string>()),
                       roff(verb.at("help").get<std::string>()));
  }
  return out + std::string(kExit);
}

std::string verb_page(const Json& program, const Json& verb, const std::string& version) {
  const std::string name = verb.at("name"), spoken = program.at("name").get<std::string>() + " " + name;
  return page_head("kgwalk-" + name, verb.at("help"), version) + synopsis(verb, spoken) +
         options_of(verb, ".SH") + inner_verbs(verb, spoken) + example_of(verb) + std::string(kExit) +
         fmt::format(".SH SEE ALSO\n{}(1)\n", bold("kgwalk"));
}

void write_manual(const std::filesystem::path& folder, const Json& program, const std::string& version) {
  const std::filesystem::path pages = folder / "man1";
  std::filesystem::create_directories(pages);
  std::filesystem::create_directories(folder / "bash");
  std::filesystem::create_directories(folder / "zsh");
  write_file_atomically(pages / "kgwalk.1", program_page(program, version));
  for (const Json& verb : program.at("verbs"))
    write_file_atomically(pages / ("kgwalk-" + verb.at("name").get<std::string>() + ".1"),
                          verb_page(program, verb, version));
  write_file_atomically(folder / "bash/kgwalk", bash_completion(program));
  write_file_atomically(folder / "zsh/_kgwalk", zsh_completion(program));
}

}  // namespace kgwalk::cli
