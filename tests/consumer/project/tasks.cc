// Links the sequence tasks from outside: opening a model that does not exist must be a clear error of each.
#include <kgwalk/error.h>
#include <kgwalk/language_model.h>
#include <kgwalk/recognizer.h>
#include <kgwalk/summarizer.h>
#include <kgwalk/translator.h>
#include <kgwalk/understander.h>

#include <iostream>

namespace {

template <class Task>
bool refuses(const char* name) {
  try {
    const auto task = Task::open("no-such-run");
  } catch (const kgwalk::Error& error) {
    std::cout << "as it should be: " << error.what() << '\n';
    return true;
  }
  std::cerr << "a " << name << " that does not exist was opened\n";
  return false;
}

}  // namespace

int main() {
  bool all = refuses<kgwalk::Translator>("translator");
  all &= refuses<kgwalk::LanguageModel>("language model");
  all &= refuses<kgwalk::Summarizer>("summarizer");
  all &= refuses<kgwalk::Recognizer>("recognizer");
  all &= refuses<kgwalk::Understander>("understander");
  return all ? 0 : 1;
}
