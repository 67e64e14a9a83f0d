import java.util.Scanner;
import mnkgame.MNKBoard;
import mnkgame.MNKGameState;

/** Plays games from lines of cells, and back and forth again; prints how each ended. */
public class Replay {
    public static void main(String[] sizes) {
        Scanner in = new Scanner(System.in);
        MNKBoard board = new MNKBoard(Integer.parseInt(sizes[0]), Integer.parseInt(sizes[1]), Integer.parseInt(sizes[2]));
        while (in.hasNextLine()) {
            String[] moves = in.nextLine().split(" ");
            board.reset();
            for (String move : moves) {
                String[] cell = move.split(",");
                for (int times = 0; times < 2; times++) {
                    check(board.gameState() == MNKGameState.OPEN);
                    board.markCell(Integer.parseInt(cell[0]), Integer.parseInt(cell[1]));
                    if (times == 0) board.unmarkCell();
                }
                check(board.getFreeCells().length + board.getMarkedCells().length == board.M * board.N);
                check(board.currentPlayer() == board.getMarkedCells().length % 2);
            }
            System.out.println(board.gameState());
        }
    }

    private static void check(boolean fact) {
        if (!fact) throw new AssertionError();
    }
}
