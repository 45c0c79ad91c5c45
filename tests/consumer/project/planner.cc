// Links the whole walker from outside: opening a database that does not exist must be a clear error.
#include <kgwalk/conversation.h>
#include <kgwalk/error.h>
#include <kgwalk/plan_formats.h>
#include <kgwalk/planner.h>

#include <iostream>

int main() {
  try {
    const auto planner = kgwalk::Planner::open("no-such.db", "no-such-run");
  } catch (const kgwalk::Error& error) {
    std::cout << "as it should be: " << error.what() << '\n';
    return 0;
  }
  std::cerr << "opening a database that does not exist succeeded\n";
  return 1;
}
