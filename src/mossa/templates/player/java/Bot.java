// starter, a player in Java: speaks UGI and plays any legal move, in every game.
//
//   javac -d build Bot.java
//   mossa match "ugi:java -cp build Bot" random connect4

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

public class Bot {
  private static final Random RANDOM = new Random();

  /** Returns a move; the place for your ideas. The game's name is such as connect:6x7x4. */
  static String choose(String game, List<String> moves, List<String> legal) {
    return legal.get(RANDOM.nextInt(legal.size()));
  }

  /** The words after a given one; none if it is not there. */
  static List<String> after(String word, List<String> words) {
    int at = words.indexOf(word);
    return at < 0 ? List.of() : words.subList(at + 1, words.size());
  }

  public static void main(String[] arguments) throws IOException {
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
    String game = "connect:6x7x4";
    List<String> moves = List.of();
    for (String line; (line = input.readLine()) != null; ) {
      List<String> words = Arrays.asList(line.trim().split("\\s+"));
      switch (words.get(0)) {
        case "ugi":
          System.out.println("id name starter");
          System.out.println("option name searchmoves type check default true");
          System.out.println("ugiok");
          break;
        case "isready":
          System.out.println("readyok");
          break;
        case "setoption":
          if (words.contains("game")) game = words.get(words.size() - 1);
          break;
        case "position":
          moves = after("moves", words);
          break;
        case "go":
          List<String> legal = after("searchmoves", words);
          String move = legal.isEmpty() ? "none" : choose(game, moves, legal);
          System.out.println("bestmove " + move);
          break;
        case "quit":
          return;
      }
      System.out.flush();
    }
  }
}
