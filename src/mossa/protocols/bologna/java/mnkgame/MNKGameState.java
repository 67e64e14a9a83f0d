package mnkgame;

/** How a game stands: still open, drawn, or won by one of the players. */
public enum MNKGameState {
    OPEN, DRAW, WINP1, WINP2
}
