package io.cordwood.benchmarks.profile;

import io.cordwood.logblock.schema.ColumnWork;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;

/**
 * Attributes samples of CPU time to the columns of LogBlocks. A thread works on one column at a time, and
 * {@link ColumnWork} holds the interval. Not thread-safe.
 */
final class ColumnTimes {
    /** Work by thread and start. */
    private final Map<Long, TreeMap<Instant, Work>> works = new HashMap<>();

    private final List<Sample> samples = new ArrayList<>();

    private record Work(Instant end, String name) {}

    private record Sample(long thread, Instant time) {}

    /** Adds a {@link ColumnWork}. */
    void work(RecordedEvent event) {
        work(
                event.getThread().getId(),
                event.getStartTime(),
                event.getEndTime(),
                event.getString("column") + "/" + event.getString("part").toLowerCase(Locale.ROOT));
    }

    void work(long thread, Instant start, Instant end, String name) {
        works.computeIfAbsent(thread, id -> new TreeMap<>()).put(start, new Work(end, name));
    }

    /** Adds a sample, in any order. */
    void sample(RecordedEvent event) {
        if (event.getThread() != null) {
            sample(event.getThread().getId(), event.getStartTime());
        }
    }

    void sample(long thread, Instant time) {
        samples.add(new Sample(thread, time));
    }

    /** Number of samples of each work; samples without work are omitted. */
    Map<String, Integer> samples() {
        Map<String, Integer> counts = new TreeMap<>();
        for (Sample sample : samples) {
            Map.Entry<Instant, Work> work =
                    works.getOrDefault(sample.thread(), new TreeMap<>()).floorEntry(sample.time());
            if (work != null && !work.getValue().end().isBefore(sample.time())) {
                counts.merge(work.getValue().name(), 1, Integer::sum);
            }
        }
        return counts;
    }
}
