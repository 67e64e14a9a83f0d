package mnkgame;

/** A cell in row i (0 is the top) and column j; cells are equal if they are the same place, whatever their state. */
public class MNKCell {
    public final int i;
    public final int j;
    public final MNKCellState state;

    public MNKCell(int i, int j) {
        this(i, j, MNKCellState.FREE);
    }

    public MNKCell(int i, int j, MNKCellState state) {
        this.i = i;
        this.j = j;
        this.state = state;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof MNKCell && ((MNKCell) o).i == i && ((MNKCell) o).j == j;
    }

    @Override
    public int hashCode() {
        return 1009 * i + j;
    }

    @Override
    public String toString() {
        return "(" + i + ", " + j + ") " + state;
    }
}
