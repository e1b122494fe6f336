package io.cordwood.standalone;

import java.io.PrintWriter;
import java.util.OptionalDouble;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A progress line on a terminal, drawn by its own thread. It draws nothing without a terminal. */
final class ProgressBar implements AutoCloseable {
    private static final int WIDTH = 30;
    private static final long PERIOD_MILLIS = 200;

    private final boolean terminal;
    private final PrintWriter out;
    private final CountDownLatch done = new CountDownLatch(1);
    private Thread painter;

    ProgressBar(boolean terminal, PrintWriter out) {
        this.terminal = terminal;
        this.out = out;
    }

    /** A bar on standard error. bin/cordwood passes in whether that is a terminal. */
    static ProgressBar on(PrintWriter err) {
        return new ProgressBar(Boolean.getBoolean("cordwood.terminal"), err);
    }

    /**
     * Starts to draw.
     *
     * @param fraction the share that is done, 0 to 1; empty if unknown
     * @param text the text after the bar
     */
    void watch(Supplier<OptionalDouble> fraction, Supplier<String> text) {
        if (terminal) {
            painter = Thread.ofPlatform().daemon().start(() -> paint(fraction, text));
        }
    }

    /** Removes the line; a second call does nothing. */
    @Override
    public void close() {
        done.countDown();
        if (painter != null) {
            try {
                painter.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            painter = null;
        }
    }

    static String line(OptionalDouble fraction, String text) {
        if (fraction.isEmpty()) {
            return text;
        }
        double within = Math.clamp(fraction.getAsDouble(), 0, 1);
        int full = (int) (within * WIDTH);
        return "[%s%s] %3d %%  %s".formatted("#".repeat(full), " ".repeat(WIDTH - full), (int) (within * 100), text);
    }

    private void paint(Supplier<OptionalDouble> fraction, Supplier<String> text) {
        try {
            do {
                // Returns to the first column and erases the rest of the previous line.
                out.print("\r" + line(fraction.get(), text.get()) + "\u001b[K");
                out.flush();
            } while (!done.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        out.print("\r\u001b[K");
        out.flush();
    }
}
