#include "cli/about/options_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string_view>

#include "runtime/text.h"

namespace kgwalk::cli {
namespace {

using Options = std::span<const OptionDoc>;

constexpr double kMostWhole = 0x1p53;  // every whole number below is a double

constexpr const char* kUsersBegin =
    "# Options\n\n"
    "The options of everything that can be trained, as `kgwalk config --format markdown` prints them; the\n"
    "tests compare this page with the program. What only comparisons set stands apart, under\n"
    "[ablations](ablations.md). Values go into a file for `--config` (nested by the dots) or\n"
    "behind `--set NAME=VALUE`. The value shown is the one that holds when neither a preset nor a file "
    "gives\n"
    "another; `kgwalk config TASK --preset NAME` shows those of a preset, and all options of a task in one "
    "list.\n"
    "What several tasks have alike stands once, under [shared parts](#shared-parts); a task says where its\n"
    "values differ.\n";

constexpr const char* kComparisonsBegin =
    "# Ablations\n\n"
    "Options that only comparisons set: the ablations of papers, variants that presets stand for, what\n"
    "measurements tried. They are set as all [options](options.md) are. `kgwalk config TASK --ablations`\n"
    "lists those of a task, `kgwalk config --format markdown --ablations` prints this page.\n";

// With commas between thousands where it is whole.
std::string number(double value) {
  if (value != std::floor(value) || std::abs(value) > kMostWhole) return fmt::format("{:g}", value);
  std::string digits = fmt::format("{:.0f}", value);
  const std::size_t sign = value < 0 ? 1 : 0;
  for (std::size_t place = digits.size(); place > sign + 3;) digits.insert(place -= 3, 1, ',');
  return digits;
}

std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

// Options of one struct within a task: those below `path`.
struct OptionGroup {
  std::string path;
  Options options;
  [[nodiscard]] std::string_view within(const OptionDoc& option) const {
    return std::string_view(option.name).substr(path.empty() ? 0 : path.size() + 1);
  }
};

// Two groups that are alike differ in their values alone.
std::string likeness(const OptionGroup& group) {
  std::string out;
  for (const OptionDoc& option : group.options)
    out += fmt::format("{}\n{}\n{}\n", group.within(option), range_of(option), option.description);
  return out;
}

// Calls `leaf` with each option of the group itself and `below` with each group in it, in their order.
template <class Leaf, class Below>
void walk(const OptionGroup& group, const Leaf& leaf, const Below& below) {
  for (std::size_t i = 0; i < group.options.size();) {
    const std::string_view rest = group.within(group.options[i]);
    const std::size_t dot = rest.find('.');
    if (dot == std::string_view::npos) {
      leaf(group.options[i++]);
      continue;
    }
    const std::string path =
        group.options[i].name.substr(0, group.options[i].name.size() - rest.size() + dot);
    std::size_t end = i;
    while (end < group.options.size() && group.options[end].name.starts_with(path + '.')) ++end;
    below(OptionGroup{path, group.options.subspan(i, end - i)});
    i = end;
  }
}

struct Place {
  std::string task;
  OptionGroup group;
};

// A group that one or several places have.
struct Part {
  std::vector<Place> places;
  std::string name;
  [[nodiscard]] bool is_shared() const { return places.size() > 1; }
  [[nodiscard]] const Place& shown() const { return places[commonest]; }
  std::size_t commonest = 0;  // of the places, by their values
};

std::string values_of(const OptionGroup& group) {
  std::string out;
  for (const OptionDoc& option : group.options) out += option.value.dump() + '\n';
  return out;
}

std::size_t commonest_of(const std::vector<Place>& places) {
  std::map<std::string, int> times;
  for (const Place& place : places) ++times[values_of(place.group)];
  const auto times_of = [&](const Place& place) { return times.at(values_of(place.group)); };
  return static_cast<std::size_t>(
      std::max_element(places.begin(), places.end(),
                       [&](const Place& a, const Place& b) { return times_of(a) < times_of(b); }) -
      places.begin());
}

class Page {
 public:
  Page(const std::vector<Configurable>& tasks, Audience audience)
      : out_(audience == Audience::kUsers ? kUsersBegin : kComparisonsBegin) {
    for (const Configurable& task : tasks)
      options_.push_back(options_for(audience, task.command, task.options("")));
    for (std::size_t i = 0; i < tasks.size(); ++i) find_parts(tasks[i].command, {"", options_[i]});
    for (auto& [which, part] : parts_) part.commonest = commonest_of(part.places);
    name_parts();
    for (std::size_t i = 0; i < tasks.size(); ++i) add_task(tasks[i], {"", options_[i]});
    out_ += "\n## Shared parts\n";
    for (const std::string& which : order_)
      if (parts_.at(which).is_shared()) add_part(parts_.at(which));
  }
  [[nodiscard]] const std::string& text() const { return out_; }

 private:
  void find_parts(const std::string& task, const OptionGroup& in) {
    walk(
        in, [](const OptionDoc&) {},
        [&](const OptionGroup& group) {
          const auto [found, is_new] = parts_.try_emplace(likeness(group));
          if (is_new) order_.push_back(found->first);
          found->second.places.push_back({task, group});
          find_parts(task, group);
        });
  }

  // The last word of its path, with the task where that is not enough.
  void name_parts() {
    std::map<std::string, int> taken;
    const auto last = [](const Part& part) {
      const std::string& path = part.places.front().group.path;
      return path.substr(path.rfind('.') + 1);
    };
    for (const auto& [which, part] : parts_) taken[last(part)] += part.is_shared() ? 1 : 0;
    for (auto& [which, part] : parts_)
      part.name = taken[last(part)] > 1 ? last(part) + " of " + part.places.front().task : last(part);
  }

  void add_task(const Configurable& task, const OptionGroup& all) {
    if (all.options.empty()) return;
    out_ += fmt::format("\n## kgwalk {}\n\n", task.command);
    std::string what = task.what;
    what[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(what[0])));
    out_ += what + ".";
    if (!task.presets.empty()) out_ += fmt::format(" Presets: {}.", fmt::join(task.presets, ", "));
    out_ += "\n";
    add_options(all, 0);
  }

  void add_part(const Part& part) {
    const auto& [task, group] = part.shown();
    out_ +=
        fmt::format("\n### {}\n\nValues are those of `{}` in `kgwalk {}`.\n", part.name, group.path, task);
    add_options(group, group.path.size() + 1);
  }

  // A table of the group's own options, below it a list of the parts that it shares with others.
  void add_options(const OptionGroup& group, std::size_t base) {
    std::string rows, shared;
    collect(group, base, rows, shared);
    if (!rows.empty()) out_ += "\n| option | value | range | meaning |\n|---|---|---|---|\n" + rows;
    if (!shared.empty()) out_ += "\n" + shared;
  }

  void collect(const OptionGroup& group, std::size_t base, std::string& rows, std::string& shared) const {
    walk(
        group,
        [&](const OptionDoc& option) {
          rows +=
              fmt::format("| `{}` | `{}` | {} | {}{} |\n", option.name.substr(base),
                          cell(option.value.dump()), range_of(option), cell(option.description),
                          option.former.empty() ? "" : fmt::format(" Formerly `{}`.", option.former.front()));
        },
        [&](const OptionGroup& below) {
          const Part& part = parts_.at(likeness(below));
          if (!part.is_shared()) return collect(below, base, rows, shared);
          shared += fmt::format("- `{}.*`: [{}](#{}){}\n", below.path.substr(base), part.name,
                                anchor(part.name), differences(below, part.shown().group));
        });
  }

  // How GitHub and others link to a heading.
  static std::string anchor(std::string name) {
    std::replace(name.begin(), name.end(), ' ', '-');
    return name;
  }

  // Options of one likeness stand in one order.
  static std::string differences(const OptionGroup& group, const OptionGroup& shown) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < group.options.size(); ++i)
      if (group.options[i].value != shown.options[i].value)
        out.push_back(
            fmt::format("`{}` `{}`", group.within(group.options[i]), group.options[i].value.dump()));
    return out.empty() ? "" : fmt::format(", but {}", fmt::join(out, ", "));
  }

  std::vector<std::vector<OptionDoc>> options_;  // of each task; what follows points into them
  std::map<std::string, Part> parts_;            // by what makes them alike
  std::vector<std::string> order_;               // as they are found
  std::string out_;
};

}  // namespace

std::string range_of(const OptionDoc& option) {
  if (!option.choices.empty()) return fmt::format("{}", fmt::join(option.choices, ", "));
  if (option.low) return fmt::format("{} to {}", number(*option.low), number(*option.high));
  return option.type;
}

std::string options_page(const std::vector<Configurable>& tasks, Audience audience) {
  refuse_unknown_ablations(tasks);
  return Page(tasks, audience).text();
}

}  // namespace kgwalk::cli
