package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Numbers of the rows that a process prints as JSON, read by a thread of its own until the process ends. Thread-safe.
 */
final class PrintedNumbers {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(120);
    private static final Pattern ROW = Pattern.compile("\\{.*\"n\":([0-9]+)[,}].*\"\\$kafka_partition\":([0-9]+),.*}");

    private final List<List<Integer>> numbers = new ArrayList<>();
    private final List<String> others = new ArrayList<>();
    private final Thread thread;
    private int count;

    PrintedNumbers(BufferedReader printed) {
        for (int partition = 0; partition < SteadyRows.PARTITIONS; partition++) {
            numbers.add(new ArrayList<>());
        }
        thread = Thread.ofPlatform().name("printed").start(() -> read(printed));
    }

    private void read(BufferedReader printed) {
        try {
            for (String line = printed.readLine(); line != null; line = printed.readLine()) {
                add(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized void add(String line) {
        Matcher row = ROW.matcher(line);
        if (row.matches()) {
            numbers.get(Integer.parseInt(row.group(2))).add(Integer.valueOf(row.group(1)));
            count++;
        } else {
            others.add(line);
        }
        notifyAll();
    }

    /** Returns when there are so many. */
    synchronized void await(int expected) throws InterruptedException {
        long begun = System.nanoTime();
        while (count < expected && others.isEmpty()) {
            long left = LIMIT_NANOS - (System.nanoTime() - begun);
            assertThat(left).as("time left at row %d", count).isPositive();
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    /** Returns when the process prints no more. */
    void awaitEnd() throws InterruptedException {
        thread.join(TimeUnit.NANOSECONDS.toMillis(LIMIT_NANOS));
        assertThat(thread.isAlive()).as("still printing").isFalse();
    }

    /** Of one partition, as they were printed. */
    synchronized List<Integer> numbers(int partition) {
        return List.copyOf(numbers.get(partition));
    }

    /** Lines that are no rows, or not whole ones. */
    synchronized List<String> others() {
        return List.copyOf(others);
    }
}
