package io.cordwood.compaction.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Finds the merges of a day that pay. Stateless, thread-safe.
 *
 * <p>Adjacent LogBlocks in time order are merged, so that the outputs hardly overlap and a query of a time range still
 * opens few. A merge pays if the queries of the whole day save more by opening fewer LogBlocks than one pass over the
 * bytes costs. Many small LogBlocks pay at once; a small one beside a large one does not pay until there are more. So
 * each byte is rewritten a few times, as in a log-structured merge tree. Once a day is over, a last merge needs less
 * gain to pay.
 *
 * <p>LogBlocks with deleted rows are rewritten at any cost. In a day that is due for the dense layout, those that no
 * merge takes are rewritten in it, one by one, or several small ones together.
 */
public final class MergePlanner {
    private static final int FEWEST_SAVED = 15;
    /** The dense layout saves one of so many bytes. */
    private static final int DENSE_SAVES = 10;
    /** The requests to the store for a merge cost as much as a tenth of these bytes for some years. */
    private static final long LEAST_FOR_LAYOUT = 128 << 10;

    private final MergeSettings settings;

    /** How much gain a merge must bring. */
    public enum Effort {
        /** The day still gets rows: only merges that pay now. */
        OPEN_DAY,
        /** The day is over. */
        CLOSED_DAY,
        /** Every merge that reduces the number of LogBlocks, on an operator's request. */
        FULL
    }

    public MergePlanner(MergeSettings settings) {
        this.settings = settings;
    }

    /**
     * Plans the merges of a day.
     *
     * @param day all its LogBlocks; none comes from another writer
     * @param isDense whether the outputs get the dense layout, and all other LogBlocks are to get it, too
     */
    public List<Merge> plan(List<LogBlockEntry> day, Effort effort, boolean isDense) {
        List<Merge> merges = new ArrayList<>();
        for (List<LogBlockEntry> group : groups(
                day,
                entry -> entry.hasDeletes() || !settings.isLarge(entry.sizeInBytes(), entry.isDense()),
                () -> new Group(2, settings.mostBytes()))) {
            merge(group, effort, merges);
        }
        if (isDense) {
            Set<LogBlockEntry> merged =
                    merges.stream().flatMap(merge -> merge.inputs().stream()).collect(Collectors.toSet());
            for (List<LogBlockEntry> group : groups(
                    day,
                    entry -> !entry.isDense() && !merged.contains(entry),
                    () -> new Group(1, settings.targetBytes()))) {
                mergeForLayout(group, merges);
            }
        }
        return merges;
    }

    /** Those of the LogBlocks that are admitted, in groups that one merge can have. */
    private List<List<LogBlockEntry>> groups(
            List<LogBlockEntry> day, Predicate<LogBlockEntry> admitted, Supplier<Group> newGroup) {
        List<LogBlockEntry> candidates = day.stream()
                .filter(admitted)
                .sorted(Comparator.comparingLong(LogBlockEntry::firstTime)
                        .thenComparing(LogBlockEntry::lastTime)
                        .thenComparing(LogBlockEntry::location))
                .toList();
        List<List<LogBlockEntry>> groups = new ArrayList<>();
        Group group = newGroup.get();
        for (LogBlockEntry entry : candidates) {
            if (!group.admits(entry)) {
                groups.add(group.entries);
                group = newGroup.get();
            }
            group.add(entry);
        }
        groups.add(group.entries);
        return groups;
    }

    private static void mergeForLayout(List<LogBlockEntry> entries, List<Merge> merges) {
        long bytes = bytes(entries);
        if (bytes >= LEAST_FOR_LAYOUT) {
            long gain = (bytes - LEAST_FOR_LAYOUT) / DENSE_SAVES;
            merges.add(new Merge(entries, 1, gain, false, true));
        }
    }

    private static long bytes(List<LogBlockEntry> entries) {
        return entries.stream().mapToLong(LogBlockEntry::sizeInBytes).sum();
    }

    /** Adjacent LogBlocks. */
    private final class Group {
        private final int free;
        private final long mostBytes;
        private final List<LogBlockEntry> entries = new ArrayList<>();
        /** Last times of the LogBlocks that a merge would have open at the newest one's first row. */
        private final PriorityQueue<Long> open = new PriorityQueue<>();

        private long bytes;

        /**
         * @param free number of LogBlocks that it admits whatever their bytes
         * @param mostBytes most bytes of more than these
         */
        Group(int free, long mostBytes) {
            this.free = free;
            this.mostBytes = mostBytes;
        }

        boolean admits(LogBlockEntry entry) {
            while (!open.isEmpty() && open.peek() < entry.firstTime()) {
                open.remove();
            }
            return open.size() < settings.mostOpen()
                    && (entries.size() < free || bytes + entry.sizeInBytes() <= mostBytes);
        }

        void add(LogBlockEntry entry) {
            entries.add(entry);
            open.add(entry.lastTime());
            bytes += entry.sizeInBytes();
        }
    }

    /** Adds a merge of these LogBlocks; if it does not pay, tries those before and those after the largest of them. */
    private void merge(List<LogBlockEntry> entries, Effort effort, List<Merge> merges) {
        if (entries.isEmpty()) {
            return;
        }
        boolean removesDeletes = entries.stream().anyMatch(LogBlockEntry::hasDeletes);
        long bytes = bytes(entries);
        int outputs = settings.outputs(bytes);
        long saved = Math.max(0, (long) entries.size() - outputs);
        int weight = effort == Effort.OPEN_DAY ? settings.openDayWeight() : settings.closedDayWeight();
        long gain = saved * settings.openBytes() * weight;
        boolean pays = switch (effort) {
            case FULL -> saved > 0;
            case CLOSED_DAY -> saved > 0 && gain >= bytes;
            // So few would be rewritten again soon
            case OPEN_DAY -> saved >= FEWEST_SAVED && gain >= bytes;
        };
        if (removesDeletes || pays) {
            merges.add(new Merge(entries, outputs, gain, removesDeletes, false));
        } else if (saved > 0) {
            int largest = largest(entries);
            merge(entries.subList(0, largest), effort, merges);
            merge(entries.subList(largest + 1, entries.size()), effort, merges);
        }
    }

    private static int largest(List<LogBlockEntry> entries) {
        int largest = 0;
        for (int i = 1; i < entries.size(); i++) {
            if (entries.get(i).sizeInBytes() > entries.get(largest).sizeInBytes()) {
                largest = i;
            }
        }
        return largest;
    }
}
