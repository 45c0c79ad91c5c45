// A conversation on the terminal: conversation DATABASE RUN
#include <iostream>
#include <string>

#include "kgwalk/conversation.h"
#include "kgwalk/error.h"

int main(int argc, char** argv) try {
  if (argc < 3) {
    std::cerr << "usage: conversation DATABASE RUN\n";
    return 2;
  }
  auto conversation = kgwalk::Conversation::open(argv[1], argv[2], {.paths = 3});
  std::cout << conversation.welcome();
  for (std::string line; std::cout << "> " << std::flush && std::getline(std::cin, line);) {
    const auto reply = conversation.answer(line);
    if (reply.over) break;
    std::cout << reply.text;
  }
} catch (const kgwalk::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
