package connectx;

/** A player of ConnectX, who is told the sizes once and then asked for a column each turn. */
public interface CXPlayer {
    void initPlayer(int M, int N, int X, boolean first, int timeout_in_secs);

    int selectColumn(CXBoard B);

    String playerName();
}
