package mossa;

import java.util.List;
import mnkgame.MNKBoard;
import mnkgame.MNKCell;
import mnkgame.MNKPlayer;

/** Hosts a player of the m,n,k framework. Their rows count from the top, ours from the bottom. */
final class MnkHost extends Host {
    public static void main(String[] arguments) throws Exception {
        new MnkHost().run(arguments[0], arguments[1]);
    }

    @Override
    Class<?> playerType() {
        return MNKPlayer.class;
    }

    @Override
    Seat seat(Object made, final int rows, final int cols, final int k, boolean first, int seconds) {
        final MNKPlayer player = (MNKPlayer) made;
        player.initPlayer(rows, cols, k, first, seconds);
        return new Seat() {
            private final MNKBoard board = new MNKBoard(rows, cols, k);

            @Override
            public String choose(List<String> moves) throws Refusal {
                for (String move : moves.subList(board.getMarkedCells().length, moves.size())) {
                    mark(board, move, rows);
                }
                MNKCell cell = player.selectCell(board.getFreeCells(), board.getMarkedCells());
                if (cell == null) throw new Refusal("output", "selectCell returned null");
                if (cell.i < 0 || cell.i >= rows || cell.j < 0 || cell.j >= cols) {
                    throw new Refusal("illegal", "selectCell returned the cell " + cell.i + "," + cell.j
                            + ", which is off the board");
                }
                return column(cell.j) + (rows - cell.i);
            }
        };
    }

    /** Puts a stone where a move such as h8 says. */
    private static void mark(MNKBoard board, String move, int rows) {
        int at = 0;
        int col = 0;
        while (Character.isLetter(move.charAt(at))) col = col * 26 + move.charAt(at++) - 'a' + 1;
        board.markCell(rows - Integer.parseInt(move.substring(at)), col - 1);
    }

    /** Returns a, b, ... z, aa, ab and so on. */
    private static String column(int col) {
        String last = String.valueOf((char) ('a' + col % 26));
        return col < 26 ? last : column(col / 26 - 1) + last;
    }
}
