package mnkgame;

import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedList;

/** A board of M rows and N columns on which two players take turns to mark a cell until one has K in a row. */
public class MNKBoard {
    public final int M;
    public final int N;
    public final int K;

    protected final MNKCellState[][] B;
    protected final LinkedList<MNKCell> MC = new LinkedList<>();
    protected final HashSet<MNKCell> FC = new HashSet<>();
    protected int currentPlayer;
    protected MNKGameState gameState;

    public MNKBoard(int M, int N, int K) throws IllegalArgumentException {
        if (M < 1 || N < 1 || K < 1) {
            throw new IllegalArgumentException("M, N and K must be at least 1");
        }
        this.M = M;
        this.N = N;
        this.K = K;
        B = new MNKCellState[M][N];
        clear();
    }

    public void reset() {
        clear();
    }

    public MNKCellState cellState(int i, int j) throws IndexOutOfBoundsException {
        return B[i][j];
    }

    public MNKGameState gameState() {
        return gameState;
    }

    public int currentPlayer() {
        return currentPlayer;
    }

    public MNKGameState markCell(int i, int j) throws IndexOutOfBoundsException, IllegalStateException {
        if (B[i][j] != MNKCellState.FREE) {
            throw new IllegalStateException("the cell is taken");
        }
        if (gameState != MNKGameState.OPEN) {
            throw new IllegalStateException("the game is over");
        }
        MNKCell cell = new MNKCell(i, j, currentPlayer == 0 ? MNKCellState.P1 : MNKCellState.P2);
        B[i][j] = cell.state;
        FC.remove(cell);
        MC.addLast(cell);
        if (wins(i, j)) {
            gameState = currentPlayer == 0 ? MNKGameState.WINP1 : MNKGameState.WINP2;
        } else if (FC.isEmpty()) {
            gameState = MNKGameState.DRAW;
        }
        currentPlayer = 1 - currentPlayer;
        return gameState;
    }

    public void unmarkCell() throws IllegalStateException {
        if (MC.isEmpty()) {
            throw new IllegalStateException("no cell is marked");
        }
        MNKCell last = MC.removeLast();
        B[last.i][last.j] = MNKCellState.FREE;
        FC.add(new MNKCell(last.i, last.j));
        currentPlayer = 1 - currentPlayer;
        gameState = MNKGameState.OPEN;
    }

    public MNKCell[] getMarkedCells() {
        return MC.toArray(new MNKCell[0]);
    }

    public MNKCell[] getFreeCells() {
        return FC.toArray(new MNKCell[0]);
    }

    private void clear() {
        MC.clear();
        FC.clear();
        for (int i = 0; i < M; i++) {
            Arrays.fill(B[i], MNKCellState.FREE);
            for (int j = 0; j < N; j++) {
                FC.add(new MNKCell(i, j));
            }
        }
        currentPlayer = 0;
        gameState = MNKGameState.OPEN;
    }

    private boolean wins(int i, int j) {
        return line(i, j, 0, 1) || line(i, j, 1, 0) || line(i, j, 1, 1) || line(i, j, 1, -1);
    }

    private boolean line(int i, int j, int di, int dj) {
        return 1 + run(i, j, di, dj) + run(i, j, -di, -dj) >= K;
    }

    /** Counts the stones like the one at i, j that follow it without a gap in one direction. */
    private int run(int i, int j, int di, int dj) {
        MNKCellState own = B[i][j];
        int count = 0;
        for (int r = i + di, c = j + dj; r >= 0 && r < M && c >= 0 && c < N && B[r][c] == own; r += di, c += dj) {
            count++;
        }
        return count;
    }
}
