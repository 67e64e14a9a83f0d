package connectx;

/** How a game stands: still open, drawn, or won by one of the players. */
public enum CXGameState {
    OPEN, DRAW, WINP1, WINP2
}
