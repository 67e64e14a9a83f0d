package mossa;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Plays with somebody's player over UGI: the arguments are the player's class and a log file.
 *
 * <p>One thread reads lines, so that "quit" is heard at any time; another one obeys them in order
 * and calls the player. Whatever the player prints goes into the log file, which is made when there
 * is something to write. Besides UGI, "setoption name seconds value N" tells the limit of time that
 * players are told, and "isready" is answered by "failed REASON" if the player could not be made.
 */
abstract class Host {
    /** One player in one game. */
    interface Seat {
        /**
         * Returns the text of a move; raises a Refusal if the player's answer is none.
         *
         * <p>The moves are all since the start, and begin with those of the last call.
         */
        String choose(List<String> moves) throws Throwable;
    }

    /** An answer that is no move: the kind of fault, and what it was. */
    static final class Refusal extends Exception {
        private static final long serialVersionUID = 1;

        Refusal(String kind, String reason) {
            super(kind + ": " + reason);
        }
    }

    private static final long STACK = 64L << 20; // bytes: players recurse deeply
    private static final int LONGEST_LOG = 4 << 20; // bytes: some players print without end
    private static final int LONGEST_REASON = 400;
    private static final int USUAL_SECONDS = 10; // what the courses give

    private final PrintStream out = System.out;
    private Constructor<?> constructor;
    private int rows;
    private int cols;
    private int k;
    private int seconds; // none told yet: 0
    private final Seat[] seats = new Seat[2]; // of first and second
    private final List<List<String>> seen = new ArrayList<>(Arrays.asList(null, null));
    private List<String> moves = Collections.emptyList();
    private String failure; // why there is no player for a side

    /** The interface that a player implements. */
    abstract Class<?> playerType();

    /** Seats a new player for one game, which may take its time and may fail. */
    abstract Seat seat(Object player, int rows, int cols, int k, boolean first, int seconds);

    // ------------------------------------------------------------ start

    void run(String className, String logFile) throws Exception {
        final PrintStream err = System.err;
        PrintStream log = new PrintStream(new Log(new File(logFile)), true);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.setOut(log);
        System.setErr(log);
        System.setIn(new ByteArrayInputStream(new byte[0]));
        try {
            constructor = find(className);
        } catch (Throwable error) {
            err.println(reason(error));
            Runtime.getRuntime().halt(1);
        }
        // Only the player ends the program in any other way than by halt().
        Runtime.getRuntime().addShutdownHook(new Thread() {
            @Override
            public void run() {
                err.println("the player called System.exit");
            }
        });
        final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
        Thread worker = new Thread(null, new Runnable() {
            @Override
            public void run() {
                obeyAll(lines);
            }
        }, "player", STACK);
        worker.start();
        for (String line; (line = in.readLine()) != null; ) {
            if (line.trim().equals("quit")) break;
            lines.add(line.trim());
        }
        Runtime.getRuntime().halt(0);
    }

    private Constructor<?> find(String className) throws Refusal {
        Class<?> found;
        try {
            found = Class.forName(className, false, Host.class.getClassLoader());
            if (!playerType().isAssignableFrom(found)) {
                throw new Refusal("class", className + " does not implement " + playerType().getName());
            }
            Constructor<?> made = found.getDeclaredConstructor();
            made.setAccessible(true);
            return made;
        } catch (ClassNotFoundException error) {
            throw new Refusal("class", "there is no class " + className);
        } catch (NoSuchMethodException error) {
            throw new Refusal("class", className + " has no constructor without arguments");
        }
    }

    // ------------------------------------------------------------ commands

    private void obeyAll(LinkedBlockingQueue<String> lines) {
        while (true) {
            try {
                obey(lines.take());
            } catch (InterruptedException error) {
                // A player may interrupt the thread that calls it; that is no reason to stop.
            } catch (Throwable error) { // a line that nobody understands, or no memory left
                error.printStackTrace();
            }
        }
    }

    private void obey(String line) {
        String[] words = line.split("\\s+");
        switch (words[0]) {
            case "ugi":
                say("id name " + constructor.getDeclaringClass().getName());
                say("ugiok");
                break;
            case "setoption":
                if (words.length > 4 && words[2].equals("game")) setGame(words[4]);
                if (words.length > 4 && words[2].equals("seconds")) seconds = Integer.parseInt(words[4]);
                break;
            case "uginewgame":
                newGame();
                break;
            case "side":
                if (words.length > 1) takeSeat(words[1].equals("first") ? 0 : 1);
                break;
            case "isready":
                say(failure == null ? "readyok" : "failed " + failure);
                break;
            case "position":
                int at = Arrays.asList(words).indexOf("moves");
                moves = at < 0 ? Collections.<String>emptyList()
                        : new ArrayList<>(Arrays.asList(words).subList(at + 1, words.length));
                break;
            case "go":
                go(words);
                break;
            default:
        }
    }

    private void setGame(String name) {
        String[] sizes = name.split(":")[1].split(",")[0].split("x");
        rows = Integer.parseInt(sizes[0]);
        cols = Integer.parseInt(sizes[1]);
        k = Integer.parseInt(sizes[2]);
    }

    private void newGame() {
        Arrays.fill(seats, null);
        Collections.fill(seen, null);
        moves = Collections.emptyList();
        failure = null;
    }

    /** Makes the player of a side if there is none; a failure is kept for "isready" and "go". */
    private void takeSeat(int side) {
        failure = null;
        if (seats[side] != null) return;
        seen.set(side, null);
        try {
            Object player = constructor.newInstance();
            int told = seconds > 0 ? seconds : USUAL_SECONDS;
            seats[side] = seat(player, rows, cols, k, side == 0, told);
        } catch (Throwable error) {
            failure = reason(error);
        }
    }

    private void go(String[] words) {
        int at = Arrays.asList(words).indexOf("movetime");
        if (seconds == 0 && at >= 0) seconds = Math.max(1, Integer.parseInt(words[at + 1]) / 1000);
        int side = moves.size() % 2;
        List<String> before = seen.get(side);
        if (before != null && !startsWith(moves, before)) seats[side] = null; // another game
        takeSeat(side);
        String best = "none";
        if (failure != null) {
            say("info string crash: " + failure);
        } else {
            try {
                best = seats[side].choose(moves);
                List<String> after = new ArrayList<>(moves);
                after.add(best);
                seen.set(side, after);
            } catch (Refusal refusal) {
                say("info string " + refusal.getMessage());
            } catch (Throwable error) {
                say("info string crash: " + reason(error));
            }
        }
        if (best.equals("none")) seats[side] = null; // whatever it remembers, the game is lost
        say("bestmove " + best);
    }

    private static boolean startsWith(List<String> list, List<String> head) {
        return list.size() >= head.size() && list.subList(0, head.size()).equals(head);
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }

    // ------------------------------------------------------------ what went wrong

    /** Tells an error in one line, with the place in the player's code; the log has all of it. */
    private static String reason(Throwable error) {
        if (error instanceof Refusal) {
            return error.getMessage().substring(error.getMessage().indexOf(' ') + 1);
        }
        Throwable cause = error;
        while ((cause instanceof InvocationTargetException || cause instanceof ExceptionInInitializerError)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        String text;
        try {
            cause.printStackTrace();
            text = String.valueOf(cause);
        } catch (Throwable another) { // an exception of the player's own may fail to tell what it is
            text = cause.getClass().getName();
        }
        text = text.replaceAll("\\s+", " ");
        if (text.length() > LONGEST_REASON) text = text.substring(0, LONGEST_REASON) + "...";
        for (StackTraceElement frame : cause.getStackTrace()) {
            String where = frame.getClassName();
            if (!where.matches("(java|javax|jdk|sun|mossa)\\..*")) {
                return text + " at " + where + "." + frame.getMethodName() + " ("
                        + frame.getFileName() + ":" + frame.getLineNumber() + ")";
            }
        }
        return text;
    }

    /** A file that is made by the first byte and does not grow for ever. */
    private static final class Log extends OutputStream {
        private final File file;
        private OutputStream stream;
        private int left = LONGEST_LOG;

        Log(File file) {
            this.file = file;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public synchronized void write(byte[] bytes, int from, int count) throws IOException {
            if (left <= 0) return;
            if (stream == null) stream = new FileOutputStream(file);
            stream.write(bytes, from, Math.min(count, left));
            left -= count;
            if (left <= 0) stream.write("\n(the rest is left out)\n".getBytes(StandardCharsets.UTF_8));
            stream.flush();
        }
    }
}
