package connectx;

import java.util.Arrays;
import java.util.LinkedList;
import java.util.TreeSet;

/** A board of M rows and N columns into which two players take turns to drop a stone until one has X in a row. */
public class CXBoard {
    public final int M;
    public final int N;
    public final int X;

    protected CXCellState[][] B;
    protected LinkedList<CXCell> MC = new LinkedList<>();
    /** The row where the next stone of each column lands, -1 if the column is full. */
    protected int[] RP;
    /** The columns that are not full. */
    protected TreeSet<Integer> AC = new TreeSet<>();
    protected int currentPlayer;
    protected CXGameState gameState;

    public CXBoard(int M, int N, int X) throws IllegalArgumentException {
        if (M < 1 || N < 1 || X < 1) {
            throw new IllegalArgumentException("M, N and X must be at least 1");
        }
        this.M = M;
        this.N = N;
        this.X = X;
        B = new CXCellState[M][N];
        RP = new int[N];
        clear();
    }

    public void reset() {
        clear();
    }

    public CXCellState cellState(int i, int j) throws IndexOutOfBoundsException {
        return B[i][j];
    }

    public boolean fullColumn(int j) {
        return RP[j] < 0;
    }

    public CXCell getLastMove() {
        return MC.peekLast();
    }

    public CXGameState gameState() {
        return gameState;
    }

    public int currentPlayer() {
        return currentPlayer;
    }

    public int numOfFreeCells() {
        return M * N - MC.size();
    }

    public int numOfMarkedCells() {
        return MC.size();
    }

    public CXGameState markColumn(int j) throws IndexOutOfBoundsException, IllegalStateException {
        int i = RP[j];
        if (i < 0) {
            throw new IllegalStateException("the column is full");
        }
        if (gameState != CXGameState.OPEN) {
            throw new IllegalStateException("the game is over");
        }
        CXCell cell = new CXCell(i, j, currentPlayer == 0 ? CXCellState.P1 : CXCellState.P2);
        B[i][j] = cell.state;
        MC.addLast(cell);
        RP[j] = i - 1;
        if (i == 0) {
            AC.remove(j);
        }
        if (wins(i, j)) {
            gameState = currentPlayer == 0 ? CXGameState.WINP1 : CXGameState.WINP2;
        } else if (AC.isEmpty()) {
            gameState = CXGameState.DRAW;
        }
        currentPlayer = 1 - currentPlayer;
        return gameState;
    }

    public void unmarkColumn() throws IllegalStateException {
        if (MC.isEmpty()) {
            throw new IllegalStateException("no column is marked");
        }
        CXCell last = MC.removeLast();
        B[last.i][last.j] = CXCellState.FREE;
        RP[last.j] = last.i;
        if (last.i == 0) {
            AC.add(last.j);
        }
        currentPlayer = 1 - currentPlayer;
        gameState = CXGameState.OPEN;
    }

    public CXCell[] getMarkedCells() {
        return MC.toArray(new CXCell[0]);
    }

    public Integer[] getAvailableColumns() {
        return AC.toArray(new Integer[0]);
    }

    public CXCellState[][] getBoard() {
        CXCellState[][] board = new CXCellState[M][];
        for (int i = 0; i < M; i++) {
            board[i] = B[i].clone();
        }
        return board;
    }

    public CXBoard copy() {
        CXBoard board = new CXBoard(M, N, X);
        board.B = getBoard();
        board.MC = new LinkedList<>(MC);
        board.RP = RP.clone();
        board.AC = new TreeSet<>(AC);
        board.currentPlayer = currentPlayer;
        board.gameState = gameState;
        return board;
    }

    private void clear() {
        for (CXCellState[] row : B) {
            Arrays.fill(row, CXCellState.FREE);
        }
        MC.clear();
        Arrays.fill(RP, M - 1);
        for (int j = 0; j < N; j++) {
            AC.add(j);
        }
        currentPlayer = 0;
        gameState = CXGameState.OPEN;
    }

    private boolean wins(int i, int j) {
        return line(i, j, 0, 1) || line(i, j, 1, 0) || line(i, j, 1, 1) || line(i, j, 1, -1);
    }

    private boolean line(int i, int j, int di, int dj) {
        return 1 + run(i, j, di, dj) + run(i, j, -di, -dj) >= X;
    }

    /** Counts the stones like the one at i, j that follow it without a gap in one direction. */
    private int run(int i, int j, int di, int dj) {
        CXCellState own = B[i][j];
        int count = 0;
        for (int r = i + di, c = j + dj; r >= 0 && r < M && c >= 0 && c < N && B[r][c] == own; r += di, c += dj) {
            count++;
        }
        return count;
    }
}
