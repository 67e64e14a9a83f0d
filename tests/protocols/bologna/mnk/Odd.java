package odd;

import java.util.concurrent.Executors;
import mnkgame.MNKCell;
import mnkgame.MNKPlayer;

/** Plays the first free cell, or misbehaves as the variable MOSSA_ODD says. */
class Odd implements MNKPlayer {
    private static final String HOW = System.getenv().getOrDefault("MOSSA_ODD", "good");

    private int games;
    private String told;

    Odd() {
        if (HOW.equals("constructor")) throw new IllegalStateException("not today");
    }

    @Override
    public void initPlayer(int M, int N, int K, boolean first, int timeout_in_secs) {
        if (HOW.equals("init")) throw new IllegalStateException("no board for me");
        if (HOW.equals("slow init")) pause(1);
        games++;
        told = M + " " + N + " " + K + " " + first + " " + timeout_in_secs;
    }

    @Override
    public MNKCell selectCell(MNKCell[] FC, MNKCell[] MC) {
        switch (HOW) {
            case "print":
                System.out.println("bestmove z9");
                System.err.println("info string crash: nothing");
                return FC[0];
            case "read":
                return readsNothing() ? FC[0] : null;
            case "threads":
                Executors.newFixedThreadPool(3).submit(new Runnable() {
                    @Override
                    public void run() {
                        pause(1000);
                    }
                });
                return FC[0];
            case "interrupt":
                Thread.currentThread().interrupt();
                return FC[0];
            case "told":
                throw new IllegalStateException(told + " games " + games + " marked " + marked(MC));
            case "exit":
                System.exit(3);
                return null;
            case "hang":
                while (true) pause(1000);
            case "null":
                return null;
            case "occupied":
                return MC.length > 0 ? new MNKCell(MC[0].i, MC[0].j) : FC[0];
            case "off":
                return new MNKCell(-1, 99);
            case "throw":
                int[] none = {};
                return FC[none[0]];
            case "recurse":
                return selectCell(FC, MC);
            case "heap":
                return FC[new int[1 << 30].length - (1 << 30)];
            default:
                return FC[0];
        }
    }

    private static String marked(MNKCell[] cells) {
        StringBuilder text = new StringBuilder();
        for (MNKCell each : cells) text.append(each.i).append(',').append(each.j).append(each.state).append(';');
        return text.toString();
    }

    private static boolean readsNothing() {
        try {
            return System.in.read() == -1;
        } catch (java.io.IOException error) {
            return false;
        }
    }

    private static void pause(int seconds) {
        try {
            Thread.sleep(seconds * 1000L);
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String playerName() {
        return "Odd";
    }
}
