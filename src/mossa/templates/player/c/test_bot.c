/* Tests of bot.c:

     cc -o test_bot test_bot.c && ./test_bot
*/
#define main bot_main /* the program's own; the one below is of the tests */
#include "bot.c"
#undef main

static int failures = 0;

static void check(int passed, const char* what) {
  if (passed) return;
  printf("FAILED %s\n", what);
  failures++;
}

int main(void) {
  char* legal[] = {"1", "4", "7"};
  for (int i = 0; i < 1000; i++) {
    const char* move = choose(legal, 3);
    check(move == legal[0] || move == legal[1] || move == legal[2], "choose() returns a legal move");
  }
  check(choose(legal, 1) == legal[0], "an only move is played");
  strcpy(line, "position startpos moves 4 4 5");
  check(after(" moves ") && !strcmp(after(" moves "), "4 4 5"), "the moves so far are found");
  check(after(" searchmoves ") == NULL, "a word that is missing is not found");
  puts(failures ? "tests failed" : "all tests passed");
  return failures != 0;
}
