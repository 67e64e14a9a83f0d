package mnkgame;

/** A player of the m,n,k-game, who is told the sizes once and then asked for a cell each turn. */
public interface MNKPlayer {
    void initPlayer(int M, int N, int K, boolean first, int timeout_in_secs);

    MNKCell selectCell(MNKCell[] FC, MNKCell[] MC);

    String playerName();
}
