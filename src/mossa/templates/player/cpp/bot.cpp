// starter, a player in C++: speaks UGI and plays any legal move, in every game.
//
//   c++ -std=c++17 -O2 -o bot bot.cpp
//   mossa match ugi:./bot random connect4

#include <algorithm>
#include <iostream>
#include <iterator>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using Words = std::vector<std::string>;

// Returns a move; the place for your ideas. The game's name is such as connect:6x7x4.
std::string choose(const std::string& /*game*/, const Words& /*moves*/, const Words& legal) {
  static std::mt19937 random{std::random_device{}()};
  return legal[std::uniform_int_distribution<std::size_t>(0, legal.size() - 1)(random)];
}

// The words after a given one; none if it is not there.
Words after(const std::string& word, const Words& words) {
  const auto found = std::find(words.begin(), words.end(), word);
  return found == words.end() ? Words{} : Words(found + 1, words.end());
}

// A line is flushed at once (std::endl): one in a buffer is never heard.
void say(const std::string& line) { std::cout << line << std::endl; }

int main() {
  std::string game = "connect:6x7x4";
  Words moves;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream stream(line);
    const Words words{std::istream_iterator<std::string>(stream), {}};
    if (words.empty()) continue;
    const std::string& command = words[0];
    if (command == "ugi") {
      say("id name starter\noption name searchmoves type check default true\nugiok");
    } else if (command == "isready") {
      say("readyok");
    } else if (command == "setoption" && words.size() > 4 && words[2] == "game") {
      game = words[4];
    } else if (command == "position") {
      moves = after("moves", words);
    } else if (command == "go") {
      const Words legal = after("searchmoves", words);
      say("bestmove " + (legal.empty() ? "none" : choose(game, moves, legal)));
    } else if (command == "quit") {
      break;
    }
  }
  return 0;
}
