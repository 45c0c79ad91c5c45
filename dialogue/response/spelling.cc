#include "dialogue/response/spelling.h"

#include <algorithm>

#include "dialogue/linking/name_index.h"

namespace kgwalk::dialogue {
namespace {

constexpr std::size_t kShortName = 3;  // bytes

// A way to write a name.
struct NameForm {
  std::string text;
  const std::string* name = nullptr;
  bool exact = false;  // the case of letters counts
};

std::vector<NameForm> forms_of(const std::vector<std::string>& names) {
  std::vector<NameForm> forms;
  for (const std::string& name : names)
    for (const std::string& text : {name, plain_name(name)})
      if (!text.empty())
        forms.push_back({text, &name, text.size() <= kShortName && text.find(' ') == std::string::npos});
  std::stable_sort(forms.begin(), forms.end(),
                   [](const NameForm& a, const NameForm& b) { return a.text.size() > b.text.size(); });
  return forms;
}

char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool in_word(char c) {
  const char s = small(c);
  return (s >= 'a' && s <= 'z') || (s >= '0' && s <= '9') || static_cast<unsigned char>(s) >= 0x80;
}

bool written_at(std::string_view text, std::size_t at, const NameForm& form) {
  if (text.size() - at < form.text.size()) return false;
  const std::string_view here = text.substr(at, form.text.size());
  const bool same = form.exact ? here == form.text
                               : std::equal(here.begin(), here.end(), form.text.begin(),
                                            [](char a, char b) { return small(a) == small(b); });
  const std::size_t end = at + here.size();
  return same && !(in_word(here.back()) && end < text.size() && in_word(text[end]));
}

}  // namespace

std::string spelled(std::string_view text, const std::vector<std::string>& names) {
  const std::vector<NameForm> forms = forms_of(names);
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const bool begins = at == 0 || !in_word(text[at - 1]);
    const auto form = std::find_if(forms.begin(), forms.end(),
                                   [&](const NameForm& f) { return begins && written_at(text, at, f); });
    if (form == forms.end()) {
      result += text[at++];
    } else {
      result += *form->name;
      at += form->text.size();
    }
  }
  return result;
}

}  // namespace kgwalk::dialogue
