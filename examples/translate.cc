// Translates standard input line by line: translate RUN [BEAM]
#include <cstdlib>
#include <iostream>
#include <string>

#include "kgwalk/error.h"
#include "kgwalk/translator.h"

int main(int argc, char** argv) try {
  if (argc < 2) {
    std::cerr << "usage: translate RUN [BEAM] < lines\n";
    return 2;
  }
  const auto translator =
      kgwalk::Translator::open(argv[1], {.beam = argc > 2 ? std::atoi(argv[2]) : 0, .int8 = true});
  for (std::string line; std::getline(std::cin, line);)
    std::cout << translator.translate({line}).front().text() << '\n';
} catch (const kgwalk::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
