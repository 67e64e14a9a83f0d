// Tests of bot.cpp:
//
//   c++ -std=c++17 -o test_bot test_bot.cpp && ./test_bot

#define main bot_main // the program's own; the one below is of the tests
#include "bot.cpp"
#undef main

int failures = 0;

void check(bool passed, const std::string& what) {
  if (passed) return;
  std::cout << "FAILED " << what << '\n';
  ++failures;
}

int main() {
  const Words legal{"1", "4", "7"};
  for (int i = 0; i < 1000; ++i) {
    const std::string move = choose("connect:6x7x4", {"4"}, legal);
    check(std::count(legal.begin(), legal.end(), move) == 1, "choose() returns a legal move");
  }
  check(choose("connect:6x7x4", {}, {"4"}) == "4", "an only move is played");
  check(after("moves", {"position", "startpos", "moves", "4", "5"}) == Words{"4", "5"}, "after()");
  check(after("moves", {"position", "startpos"}).empty(), "a word that is missing is not found");
  std::cout << (failures ? "tests failed" : "all tests passed") << '\n';
  return failures != 0;
}
