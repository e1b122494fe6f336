package io.cordwood.systemtests.ledger;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The acknowledged rows and their places in Kafka. A row whose acknowledgement never came may be in the log once or not
 * at all. Thread-safe.
 */
public final class Ledger {
    /** The row was not sent, or in a transaction that was aborted. */
    public static final long UNSENT = -1;
    /** The row was sent, and it is unknown whether Kafka has it. */
    public static final long UNKNOWN = -2;

    private final NumberedRow.Maker rows;
    private final long[][] places;
    private final Map<Lane, Offsets> lanes = new HashMap<>();
    private final Map<Integer, Floor> floors = new HashMap<>();
    private final Set<Integer> deletedForGood = new HashSet<>();
    private final int[] sent;
    private final Set<RowDeletion> deletionsBegun = new LinkedHashSet<>();
    private final Set<RowDeletion> deletionsDone = new LinkedHashSet<>();
    private long acknowledged;
    private long unknown;
    private final Map<Integer, Long> unknownByTenant = new HashMap<>();
    private long aborted;

    /** Rows of one tenant in one partition of one topic. Their visible part must be a prefix. */
    public record Lane(int tenant, int generation, int partition) {}

    /**
     * The rows of a lane that a query has to return.
     *
     * @param certain number of acknowledged rows that no deletion covers
     * @param sum sum of their numbers
     * @param possible number of acknowledged rows that a deletion covers which was not complete when the query began
     */
    public record Expected(long certain, long sum, long possible) {
        public static final Expected NOTHING = new Expected(0, 0, 0);
    }

    /** Rows of a deleted tenant below these offsets, and all of earlier topics, are gone. */
    private record Floor(int generation, Map<Integer, Long> offsets) {
        boolean isBelow(Place place) {
            return place.generation() < generation
                    || (place.generation() == generation
                            && place.offset() < offsets.getOrDefault(place.partition(), 0L));
        }
    }

    /** @throws IllegalArgumentException if there are more producers than a byte can number */
    public Ledger(NumberedRow.Maker rows, int producers, int rowsPerProducer) {
        if (producers > Byte.MAX_VALUE) {
            throw new IllegalArgumentException("At most %d producers".formatted(Byte.MAX_VALUE));
        }
        this.rows = rows;
        places = new long[producers][rowsPerProducer];
        sent = new int[producers];
        for (long[] ofProducer : places) {
            Arrays.fill(ofProducer, UNSENT);
        }
    }

    /** Numbers are sent in order. */
    public synchronized void sent(int producer, int number) {
        places[producer][number] = UNKNOWN;
        sent[producer] = number + 1;
        unknown++;
        unknownByTenant.merge(rows.row(producer, number).tenant(), 1L, Long::sum);
    }

    /** The number of the next row of a producer. */
    public synchronized int next(int producer) {
        return sent[producer];
    }

    public synchronized void acknowledged(int producer, int number, Place place) {
        places[producer][number] = place.packed();
        unknown--;
        acknowledged++;
        int tenant = rows.row(producer, number).tenant();
        unknownByTenant.merge(tenant, -1L, Long::sum);
        lanes.computeIfAbsent(new Lane(tenant, place.generation(), place.partition()), lane -> new Offsets())
                .add(place.offset(), producer, number);
    }

    /** The row's transaction was aborted: the row must never be visible. */
    public synchronized void aborted(int producer, int number) {
        places[producer][number] = UNSENT;
        unknown--;
        unknownByTenant.merge(rows.row(producer, number).tenant(), -1L, Long::sum);
        aborted++;
    }

    /** Number of rows in aborted transactions. */
    public synchronized long aborted() {
        return aborted;
    }

    public synchronized boolean knows(int producer, int number) {
        return producer >= 0 && producer < places.length && number >= 0 && number < places[producer].length;
    }

    /** {@link Place#packed()} of the row, or {@link #UNSENT} or {@link #UNKNOWN}. */
    public synchronized long place(int producer, int number) {
        return places[producer][number];
    }

    /** The tenant was deleted: its rows below these offsets by partition are gone permanently. */
    public synchronized void deleted(int tenant, int generation, Map<Integer, Long> offsets) {
        floors.put(tenant, new Floor(generation, Map.copyOf(offsets)));
    }

    /** The tenant is deleted, or will be, and sends nothing after that: nothing of it may remain. */
    public synchronized void deletedForGood(int tenant) {
        deletedForGood.add(tenant);
    }

    /** Tenants that must leave nothing at the end. */
    public synchronized Set<Integer> deletedForGood() {
        return Set.copyOf(deletedForGood);
    }

    public synchronized boolean isDeleted(int tenant, Place place) {
        Floor floor = floors.get(tenant);
        return floor != null && floor.isBelow(place);
    }

    /** Whether a deletion of the tenant or of some of its rows was ever requested. */
    public synchronized boolean wasEverDeletedFrom(int tenant) {
        return floors.containsKey(tenant)
                || deletedForGood.contains(tenant)
                || deletionsBegun.stream().anyMatch(deletion -> deletion.tenant() == tenant);
    }

    /**
     * A row number below which the outcome of each row of a producer is known, or will never be.
     *
     * @param window number of rows sent within the time after which no acknowledgement arrives any more
     */
    public synchronized int settledBelow(int producer, int window) {
        int number = Math.max(0, sent[producer] - window);
        while (number < sent[producer] && places[producer][number] != UNKNOWN) {
            number++;
        }
        return number;
    }

    /** A row number below which all rows of a producer have been sent. */
    public synchronized int sentBelow(int producer) {
        return sent[producer];
    }

    /** The same of each producer. */
    public synchronized int[] sentBelow() {
        return sent.clone();
    }

    /** Records that these rows may be gone from now on. */
    public synchronized void begun(RowDeletion deletion) {
        deletionsBegun.add(deletion);
    }

    /** Records that the statement is sent again, so further rows may be gone from now on. */
    public synchronized void begunAgain(RowDeletion before, RowDeletion deletion) {
        deletionsBegun.remove(before);
        deletionsBegun.add(deletion);
    }

    /** Records that these rows must be gone from now on. */
    public synchronized void done(RowDeletion deletion) {
        deletionsDone.add(deletion);
    }

    /** Completed deletions: a query that begins now must not return their rows. */
    public synchronized Set<RowDeletion> deletionsDone() {
        return Set.copyOf(deletionsDone);
    }

    /** Deletions of a tenant's rows that have begun, complete or not. */
    public synchronized Set<RowDeletion> deletionsBegun(int tenant) {
        return deletionsBegun.stream()
                .filter(deletion -> deletion.tenant() == tenant)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Whether a complete deletion covers the row. */
    public synchronized boolean isDeleted(NumberedRow row) {
        return deletionsDone.stream().anyMatch(deletion -> deletion.isOf(row));
    }

    /** Whether a deletion covers the row, complete or not. */
    public synchronized boolean mayBeDeleted(NumberedRow row) {
        return deletionsBegun.stream().anyMatch(deletion -> deletion.mayBeOf(row));
    }

    public int producers() {
        return places.length;
    }

    public int rowsPerProducer() {
        return places[0].length;
    }

    public synchronized long acknowledged() {
        return acknowledged;
    }

    /** Number of rows that were sent and are not, or not yet, acknowledged. */
    public synchronized long unknown() {
        return unknown;
    }

    /** The same of one tenant. */
    public synchronized long unknown(int tenant) {
        return unknownByTenant.getOrDefault(tenant, 0L);
    }

    /** Number of acknowledged rows of the lane up to this offset, including deleted ones. */
    public synchronized long acknowledgedUpTo(Lane lane, long offset) {
        Offsets offsets = lanes.get(lane);
        return offsets == null ? 0 : offsets.countUpTo(offset);
    }

    /**
     * The rows of a lane that a query must return if it began when these deletions were complete.
     *
     * @param first number of its rows, in order of acknowledgement
     * @param offset the highest offset to include
     */
    public synchronized Expected expected(Lane lane, long first, long offset, Set<RowDeletion> gone) {
        Offsets offsets = lanes.get(lane);
        return offsets == null
                ? Expected.NOTHING
                : offsets.expected(lane.tenant(), first, offset, gone, deletionsBegun(lane.tenant()));
    }

    /** The numbers of rows that only this deletion covers, among the first acknowledged rows of a lane. */
    public synchronized int[] numbersOf(RowDeletion deletion, Lane lane, long first) {
        Set<RowDeletion> others = new HashSet<>(deletionsBegun(lane.tenant()));
        others.remove(deletion);
        Offsets offsets = lanes.get(lane);
        return IntStream.range(0, (int) Math.min(first, offsets.size))
                .filter(i -> deletion.isOf(lane.tenant(), offsets.producers[i], offsets.numbers[i])
                        && others.stream()
                                .noneMatch(other ->
                                        other.mayBeOf(lane.tenant(), offsets.producers[i], offsets.numbers[i])))
                .map(i -> offsets.numbers[i])
                .toArray();
    }

    /** A row and its place. */
    public record Acknowledged(NumberedRow row, Place place) {}

    /** The acknowledged rows of a tenant, including deleted ones. */
    public synchronized List<Acknowledged> acknowledgedOf(int tenant) {
        List<Acknowledged> acknowledged = new ArrayList<>();
        lanes.forEach((lane, offsets) -> {
            for (int i = 0; lane.tenant() == tenant && i < offsets.size; i++) {
                acknowledged.add(new Acknowledged(
                        rows.row(offsets.producers[i], offsets.numbers[i]),
                        new Place(lane.generation(), lane.partition(), offsets.values[i])));
            }
        });
        return acknowledged;
    }

    /** Number of acknowledged rows of each lane. */
    public synchronized Map<Lane, Long> acknowledgedByLane() {
        Map<Lane, Long> counts = new HashMap<>();
        lanes.forEach((lane, offsets) -> counts.put(lane, (long) offsets.size));
        return counts;
    }

    /** All lanes that have rows. */
    public synchronized Lane[] lanes() {
        return lanes.keySet().toArray(Lane[]::new);
    }

    /** Offsets, producers and numbers of rows, in order of acknowledgement. */
    private static final class Offsets {
        private long[] values = new long[8];
        private byte[] producers = new byte[8];
        private int[] numbers = new int[8];
        private int size;

        void add(long offset, int producer, int number) {
            if (size == values.length) {
                values = Arrays.copyOf(values, 2 * size);
                producers = Arrays.copyOf(producers, 2 * size);
                numbers = Arrays.copyOf(numbers, 2 * size);
            }
            values[size] = offset;
            producers[size] = (byte) producer;
            numbers[size++] = number;
        }

        Expected expected(int tenant, long first, long offset, Set<RowDeletion> gone, Set<RowDeletion> begun) {
            RowDeletion[] deletions = begun.toArray(RowDeletion[]::new);
            long certain = 0;
            long sum = 0;
            long possible = 0;
            for (int i = 0; i < Math.min(first, size); i++) {
                if (values[i] > offset) {
                    continue;
                }
                boolean isAfterIt = false;
                boolean isGone = false;
                for (RowDeletion deletion : deletions) {
                    if (deletion.mayBeOf(tenant, producers[i], numbers[i])) {
                        isAfterIt = true;
                        isGone |= deletion.isOf(tenant, producers[i], numbers[i]) && gone.contains(deletion);
                    }
                }
                if (!isAfterIt) {
                    certain++;
                    sum += numbers[i];
                } else if (!isGone) {
                    possible++;
                }
            }
            return new Expected(certain, sum, possible);
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
