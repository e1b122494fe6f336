package io.cordwood.standalone.tail;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Prints rows in whole lines. Thread-safe: another thread may end it. */
public final class TailOutput {
    private static final int BATCH_CHARACTERS = 32 << 10;
    /** A stalled reader would block the end forever. */
    private static final long TIMEOUT_MILLIS = 1000;

    private final PrintWriter out;
    private final RowFormat format;
    private final ReentrantLock printing = new ReentrantLock();
    private boolean ended;

    public TailOutput(PrintWriter out, RowFormat format) {
        this.out = out;
        this.format = format;
    }

    /** Prints rows. Returns false if the output is closed. */
    boolean print(List<TailRow> rows) {
        StringBuilder lines = new StringBuilder();
        for (TailRow row : rows) {
            format.append(row, lines);
            if (lines.length() >= BATCH_CHARACTERS) {
                if (!write(lines)) {
                    return false;
                }
                lines.setLength(0);
            }
        }
        return write(lines);
    }

    private boolean write(CharSequence lines) {
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
