// Tests of Bot.java:
//
//   javac -d build Bot.java BotTest.java && java -cp build BotTest

import java.util.List;

public class BotTest {
  private static int failures = 0;

  static void check(boolean passed, String what) {
    if (passed) return;
    System.out.println("FAILED " + what);
    failures++;
  }

  public static void main(String[] arguments) {
    List<String> legal = List.of("1", "4", "7");
    for (int i = 0; i < 1000; i++) {
      String move = Bot.choose("connect:6x7x4", List.of("4"), legal);
      check(legal.contains(move), "choose() returns a legal move");
    }
    check(Bot.choose("connect:6x7x4", List.of(), List.of("4")).equals("4"), "an only move");
    List<String> words = List.of("position", "startpos", "moves", "4", "5");
    check(Bot.after("moves", words).equals(List.of("4", "5")), "the moves so far are found");
    check(Bot.after("searchmoves", words).isEmpty(), "a word that is missing is not found");
    System.out.println(failures > 0 ? "tests failed" : "all tests passed");
    System.exit(failures > 0 ? 1 : 0);
  }
}
