import connectx.CXBoard;
import connectx.CXGameState;
import java.util.Arrays;
import java.util.Scanner;

/** Plays games from lines of columns, and back and forth again; prints how each ended. */
public class ReplayColumns {
    public static void main(String[] sizes) {
        Scanner in = new Scanner(System.in);
        CXBoard board = new CXBoard(Integer.parseInt(sizes[0]), Integer.parseInt(sizes[1]), Integer.parseInt(sizes[2]));
        while (in.hasNextLine()) {
            String[] moves = in.nextLine().split(" ");
            board.reset();
            for (String move : moves) {
                int col = Integer.parseInt(move.split(",")[1]);
                for (int times = 0; times < 2; times++) {
                    check(board.gameState() == CXGameState.OPEN && !board.fullColumn(col));
                    board.markColumn(col);
                    check(board.getLastMove().j == col);
                    if (times == 0) board.unmarkColumn();
                }
                check(board.numOfFreeCells() + board.numOfMarkedCells() == board.M * board.N);
                check(Arrays.deepEquals(board.copy().getBoard(), board.getBoard()));
                check(board.fullColumn(col) != Arrays.asList(board.getAvailableColumns()).contains(col));
            }
            System.out.println(board.gameState());
        }
    }

    private static void check(boolean fact) {
        if (!fact) throw new AssertionError();
    }
}
