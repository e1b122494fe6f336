package io.cordwood.benchmarks.faults;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * What Kafka acknowledged, and where it put it. A row whose acknowledgement never came may be in the log once or not
 * at all. Thread-safe.
 */
final class Ledger {
    /** The row was not sent, or in a transaction that was aborted. */
    static final long UNSENT = -1;
    /** The row was sent, and nobody knows whether Kafka has it. */
    static final long UNKNOWN = -2;

    private final NumberedRow.Maker rows;
    private final long[][] places;
    private final Map<Lane, Offsets> lanes = new HashMap<>();
    private final Map<Integer, Floor> floors = new HashMap<>();
    private long acknowledged;
    private long unknown;
    private long aborted;

    /** Rows of one tenant in one partition of one topic: what is seen of them must be a prefix. */
    record Lane(int tenant, int generation, int partition) {}

    /** Rows of a deleted tenant below these offsets, and all of earlier topics, are gone. */
    private record Floor(int generation, Map<Integer, Long> offsets) {
        boolean isBelow(Place place) {
            return place.generation() < generation
                    || (place.generation() == generation
                            && place.offset() < offsets.getOrDefault(place.partition(), 0L));
        }
    }

    Ledger(NumberedRow.Maker rows, int producers, int rowsPerProducer) {
        this.rows = rows;
        places = new long[producers][rowsPerProducer];
        for (long[] ofProducer : places) {
            Arrays.fill(ofProducer, UNSENT);
        }
    }

    synchronized void sent(int producer, int number) {
        places[producer][number] = UNKNOWN;
        unknown++;
    }

    synchronized void acknowledged(int producer, int number, Place place) {
        places[producer][number] = place.packed();
        unknown--;
        acknowledged++;
        int tenant = rows.row(producer, number).tenant();
        lanes.computeIfAbsent(new Lane(tenant, place.generation(), place.partition()), lane -> new Offsets())
                .add(place.offset(), number);
    }

    /** The row's transaction was aborted: it must never be seen. */
    synchronized void aborted(int producer, int number) {
        places[producer][number] = UNSENT;
        unknown--;
        aborted++;
    }

    /** Rows whose transactions were aborted. */
    synchronized long aborted() {
        return aborted;
    }

    synchronized boolean knows(int producer, int number) {
        return producer >= 0 && producer < places.length && number >= 0 && number < places[producer].length;
    }

    /** {@link Place#packed()} of the row, or {@link #UNSENT} or {@link #UNKNOWN}. */
    synchronized long place(int producer, int number) {
        return places[producer][number];
    }

    /** The tenant was deleted: its rows below these offsets, by partition, are gone for good. */
    synchronized void deleted(int tenant, int generation, Map<Integer, Long> offsets) {
        floors.put(tenant, new Floor(generation, Map.copyOf(offsets)));
    }

    synchronized boolean isDeleted(int tenant, Place place) {
        Floor floor = floors.get(tenant);
        return floor != null && floor.isBelow(place);
    }

    synchronized boolean wasEverDeleted(int tenant) {
        return floors.containsKey(tenant);
    }

    int producers() {
        return places.length;
    }

    int rowsPerProducer() {
        return places[0].length;
    }

    synchronized long acknowledged() {
        return acknowledged;
    }

    /** Rows that were sent and not, or not yet, acknowledged. */
    synchronized long unknown() {
        return unknown;
    }

    /** Acknowledged rows of the lane with offsets of at most this. */
    synchronized long acknowledgedUpTo(Lane lane, long offset) {
        Offsets offsets = lanes.get(lane);
        return offsets == null ? 0 : offsets.countUpTo(offset);
    }

    /** Sum of the numbers of these rows. */
    synchronized long sumUpTo(Lane lane, long offset) {
        Offsets offsets = lanes.get(lane);
        return offsets == null ? 0 : offsets.sumUpTo(offset);
    }

    /** Acknowledged rows of each lane. */
    synchronized Map<Lane, Long> acknowledgedByLane() {
        Map<Lane, Long> counts = new HashMap<>();
        lanes.forEach((lane, offsets) -> counts.put(lane, (long) offsets.size));
        return counts;
    }

    /** All lanes that have rows. */
    synchronized Lane[] lanes() {
        return lanes.keySet().toArray(Lane[]::new);
    }

    /** Offsets of rows, and their numbers, in the order in which they were acknowledged. */
    private static final class Offsets {
        private long[] values = new long[8];
        private int[] numbers = new int[8];
        private int size;

        void add(long offset, int number) {
            if (size == values.length) {
                values = Arrays.copyOf(values, 2 * size);
                numbers = Arrays.copyOf(numbers, 2 * size);
            }
            values[size] = offset;
            numbers[size++] = number;
        }

        long sumUpTo(long offset) {
            long sum = 0;
            for (int i = 0; i < size; i++) {
                if (values[i] <= offset) {
                    sum += numbers[i];
                }
            }
            return sum;
        }

        long countUpTo(long offset) {
            long count = 0;
            for (int i = 0; i < size; i++) {
                if (values[i] <= offset) {
                    count++;
                }
            }
            return count;
        }
    }
}
