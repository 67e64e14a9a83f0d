package mossa;

import connectx.CXBoard;
import connectx.CXPlayer;
import java.util.List;

/** Hosts a player of the ConnectX framework. Their columns count from 0, ours from 1. */
final class ConnectHost extends Host {
    public static void main(String[] arguments) throws Exception {
        new ConnectHost().run(arguments[0], arguments[1]);
    }

    @Override
    Class<?> playerType() {
        return CXPlayer.class;
    }

    @Override
    Seat seat(Object made, final int rows, final int cols, final int k, boolean first, int seconds) {
        final CXPlayer player = (CXPlayer) made;
        player.initPlayer(rows, cols, k, first, seconds);
        return new Seat() {
            @Override
            public String choose(List<String> moves) throws Refusal {
                // A board of its own for every move: players change the one they are handed.
                CXBoard board = new CXBoard(rows, cols, k);
                for (String move : moves) board.markColumn(Integer.parseInt(move) - 1);
                int col = player.selectColumn(board);
                if (col < 0 || col >= cols) {
                    throw new Refusal("illegal", "selectColumn returned " + col
                            + ", and the columns are 0 to " + (cols - 1));
                }
                return String.valueOf(col + 1);
            }
        };
    }
}
