package mnkgame;

/** What a cell holds: a stone of the first or the second player, or nothing. */
public enum MNKCellState {
    P1, P2, FREE
}
