package io.cordwood.standalone;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** When one door of a stack gave what it was asked for, and how often it did not. Thread-safe. */
final class Answers {
    private final List<Long> good = new ArrayList<>();
    private long failures;
    private String lastFailure = "";

    synchronized void good() {
        good.add(System.nanoTime());
    }

    synchronized void failed(Exception failure) {
        failures++;
        lastFailure = failure.toString();
    }

    /** The number of good answers. */
    synchronized long count() {
        return good.size();
    }

    synchronized long failures() {
        return failures;
    }

    synchronized String lastFailure() {
        return lastFailure;
    }

    /** Whether there was a good answer after this tick of {@link System#nanoTime}. */
    synchronized boolean hasSince(long tick) {
        return !good.isEmpty() && good.getLast() > tick;
    }

    /** The longest time without a good answer that ended, or still goes on, after this tick. */
    synchronized Duration longestWait(long since) {
        long end = System.nanoTime();
        long longest = 0;
        // Backwards, and the last answer before this tick begins a wait, too
        for (int i = good.size() - 1; i >= 0 && end > since; i--) {
            longest = Math.max(longest, end - good.get(i));
            end = good.get(i);
        }
        return Duration.ofNanos(Math.max(longest, end - since));
    }
}
