package io.cordwood.standalone.tail;

import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Prints whole lines. Thread-safe: another thread may end it. */
public final class LineOutput {
    /** A stalled reader would block the end forever. */
    private static final long TIMEOUT_MILLIS = 1000;

    private final PrintWriter out;
    private final ReentrantLock printing = new ReentrantLock();
    private boolean ended;

    public LineOutput(PrintWriter out) {
        this.out = out;
    }

    /** Prints lines, their ends included. Returns false if the output is closed. */
    public boolean print(CharSequence lines) {
        printing.lock();
        try {
            if (ended) {
                return false;
            }
            out.append(lines);
            // Flushes
            ended = out.checkError();
            return !ended;
        } finally {
            printing.unlock();
        }
    }

    /** Completes the current output and prints nothing more. */
    public void end() throws InterruptedException {
        if (printing.tryLock(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)) {
            try {
                ended = true;
            } finally {
                printing.unlock();
            }
        }
    }
}
