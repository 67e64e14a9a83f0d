package odd;

import connectx.CXBoard;
import connectx.CXCell;
import connectx.CXPlayer;

/** Plays any open column, or misbehaves as the variable MOSSA_ODD says. */
public class OddColumn implements CXPlayer {
    private static final String HOW = System.getenv().getOrDefault("MOSSA_ODD", "good");

    @Override
    public void initPlayer(int M, int N, int X, boolean first, int timeout_in_secs) {}

    @Override
    public int selectColumn(CXBoard B) {
        switch (HOW) {
            case "full":
                return 0;
            case "off":
                return B.N;
            case "told":
                StringBuilder text = new StringBuilder();
                for (CXCell each : B.getMarkedCells()) text.append(each.i).append(',').append(each.j).append(each.state);
                throw new IllegalStateException(text.toString());
            default:
                int col = B.getAvailableColumns()[0];
                B.markColumn(col); // the board is the player's to spoil
                return col;
        }
    }

    @Override
    public String playerName() {
        return "OddColumn";
    }
}
