/* starter, a player in C: speaks UGI and plays any legal move, in every game.

     cc -O2 -o bot bot.c
     mossa match ugi:./bot random connect4
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LONGEST = 1 << 17, MOST = 10000 }; /* bytes of a line, moves of a position */

static char line[LONGEST], game[200] = "connect:6x7x4", moves[LONGEST];

/* Returns a move; the place for your ideas. `game` is its name, `moves` are all moves so far. */
static const char* choose(char** legal, int count) { return legal[rand() % count]; }

/* The text behind a word of the line; NULL if it is not there. */
static char* after(const char* word) {
  char* found = strstr(line, word);
  return found ? found + strlen(word) : NULL;
}

static void go(void) {
  char* legal[MOST];
  int count = 0;
  char* text = after(" searchmoves ");
  for (char* move = text ? strtok(text, " ") : NULL; move && count < MOST; move = strtok(NULL, " "))
    legal[count++] = move;
  printf("bestmove %s\n", count ? choose(legal, count) : "none");
}

int main(void) {
  srand((unsigned)time(NULL));
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\r\n")] = '\0';
    if (!strcmp(line, "ugi")) {
      puts("id name starter");
      puts("option name searchmoves type check default true");
      puts("ugiok");
    } else if (!strcmp(line, "isready")) {
      puts("readyok");
    } else if (!strncmp(line, "setoption name game value ", 26)) {
      snprintf(game, sizeof game, "%.199s", line + 26);
    } else if (!strncmp(line, "position ", 9)) {
      snprintf(moves, sizeof moves, "%s", after(" moves ") ? after(" moves ") : "");
    } else if (!strncmp(line, "go", 2)) {
      go();
    } else if (!strcmp(line, "quit")) {
      return 0;
    }
    fflush(stdout); /* a line in a buffer is never heard */
  }
  return 0;
}
