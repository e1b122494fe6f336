package io.cordwood.standalone.tail;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Lines that another thread writes, and waiting for them. Thread-safe. */
final class Lines extends Writer {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(120);

    private final StringBuilder unfinished = new StringBuilder();
    private final List<String> lines = new ArrayList<>();

    @Override
    public synchronized void write(char[] text, int from, int length) {
        for (int i = from; i < from + length; i++) {
            if (text[i] == '\n') {
                lines.add(unfinished.toString());
                unfinished.setLength(0);
            } else {
                unfinished.append(text[i]);
            }
        }
        notifyAll();
    }

    /** All lines so far, as soon as they are as wanted. */
    synchronized List<String> await(Predicate<List<String>> condition) throws InterruptedException {
        long begun = System.nanoTime();
        while (!condition.test(lines)) {
            long left = LIMIT_NANOS - (System.nanoTime() - begun);
            assertThat(left).as("time left; lines: %s", shown()).isPositive();
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return List.copyOf(lines);
    }

    List<String> await(int count) throws InterruptedException {
        return await(all -> all.size() >= count);
    }

    private List<String> shown() {
        return lines.size() < 20 ? lines : List.of(lines.size() + " lines", lines.getFirst(), lines.getLast());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
