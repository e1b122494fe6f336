package io.cordwood.compaction.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.compaction.plan.MergePlanner.Effort;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MergePlannerTest {
    private static final long MB = 1 << 20;
    private static final long HOUR = 3_600_000_000L;
    private static final MergePlanner PLANNER = new MergePlanner(MergeSettings.DEFAULTS);

    @Test
    void manySmallOnesPayAtOnce() {
        List<Merge> merges = PLANNER.plan(hourly(24, MB), Effort.OPEN_DAY, false);
        assertThat(merges).singleElement().satisfies(merge -> {
            assertThat(merge.inputs()).hasSize(24);
            assertThat(merge.outputs()).isEqualTo(1);
        });
    }

    @Test
    void aSmallOneBesideALargeOneWaits() {
        List<LogBlockEntry> day = List.of(entry(0, HOUR, 90 * MB, false), entry(HOUR, 2 * HOUR, MB, false));
        assertThat(PLANNER.plan(day, Effort.OPEN_DAY, false)).isEmpty();
        assertThat(PLANNER.plan(day, Effort.CLOSED_DAY, false)).isEmpty();
        assertThat(PLANNER.plan(day, Effort.FULL, false))
                .singleElement()
                .satisfies(merge -> assertThat(merge.outputs()).isEqualTo(1));
    }

    @Test
    void aDayThatIsOverIsFinished() {
        List<LogBlockEntry> day = hourly(10, 26 * MB);
        assertThat(PLANNER.plan(day, Effort.OPEN_DAY, false)).isEmpty();
        assertThat(PLANNER.plan(day, Effort.CLOSED_DAY, false))
                .singleElement()
                .satisfies(merge -> assertThat(merge.outputs()).isEqualTo(2));
    }

    @Test
    void largeOnesAreLeftAlone() {
        assertThat(PLANNER.plan(hourly(24, 128 * MB), Effort.FULL, false)).isEmpty();
        assertThat(PLANNER.plan(hourly(1, MB), Effort.FULL, false)).isEmpty();
    }

    @Test
    void deletedRowsGoWhateverItCosts() {
        List<LogBlockEntry> day = List.of(entry(0, HOUR, 128 * MB, true));
        assertThat(PLANNER.plan(day, Effort.OPEN_DAY, false)).singleElement().satisfies(merge -> {
            assertThat(merge.removesDeletes()).isTrue();
            assertThat(merge.outputs()).isEqualTo(1);
        });
    }

    /** Tenants that are flushed hourly, minutely and by size, from partitions that lie over each other. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void repeatedMergingEndsNearTheIdeal(int seed) {
        Random random = new Random(seed);
        MergeSettings settings = MergeSettings.DEFAULTS;
        MergePlanner planner = new MergePlanner(settings);
        List<LogBlockEntry> day = new ArrayList<>();
        int partitions = 1 + random.nextInt(16);
        int flushes = 1 + random.nextInt(400);
        long size = 1 + (long) (Math.pow(random.nextDouble(), 3) * 20 * MB);
        for (int flush = 0; flush < flushes; flush++) {
            for (int partition = 0; partition < partitions; partition++) {
                long first = flush * 24L * HOUR / flushes;
                day.add(entry(first, first + 24L * HOUR / flushes - 1, 1 + size / 2 + random.nextLong(size), false));
            }
        }
        long bytes = bytes(day);
        int rounds = 0;
        for (List<Merge> merges = planner.plan(day, Effort.FULL, false);
                !merges.isEmpty();
                merges = planner.plan(day, Effort.FULL, false)) {
            assertThat(++rounds).as("rounds until nothing is left to do").isLessThan(5);
            for (Merge merge : merges) {
                assertThat(mostOpen(merge.inputs())).isLessThanOrEqualTo(settings.mostOpen());
                day = apply(merge, day);
            }
        }
        assertThat(bytes(day)).isEqualTo(bytes);
        int ideal = settings.ideal(bytes);
        assertThat(day.size()).isLessThanOrEqualTo((int) Math.ceil(1.1 * ideal));
    }

    @Test
    void aMergeOpensNoMoreThanItMay() {
        int mostOpen = MergeSettings.DEFAULTS.mostOpen();
        List<LogBlockEntry> day = new ArrayList<>();
        for (int i = 0; i < 3 * mostOpen; i++) {
            day.add(entry(i, HOUR, 1, false));
        }
        List<Merge> merges = PLANNER.plan(day, Effort.FULL, false);
        assertThat(merges)
                .hasSize(3)
                .allSatisfy(merge -> assertThat(mostOpen(merge.inputs())).isEqualTo(mostOpen));
    }

    /** A day of one flush a minute, merged as it goes: no byte is rewritten more than a few times. */
    @Test
    void bytesAreRewrittenAFewTimes() {
        List<LogBlockEntry> day = new ArrayList<>();
        long flushed = 0;
        long rewritten = 0;
        for (int minute = 0; minute < 24 * 60; minute++) {
            day.add(entry((long) minute * HOUR / 60, (minute + 1L) * HOUR / 60 - 1, MB, false));
            flushed += MB;
            for (Merge merge : PLANNER.plan(day, Effort.OPEN_DAY, false)) {
                rewritten += merge.bytes();
                day = apply(merge, day);
            }
            assertThat(day.size()).as("LogBlocks at minute " + minute).isLessThan(100);
        }
        for (Merge merge : PLANNER.plan(day, Effort.CLOSED_DAY, false)) {
            rewritten += merge.bytes();
            day = apply(merge, day);
        }
        assertThat((double) rewritten / flushed).isLessThan(4.5);
        assertThat(day.size()).isLessThanOrEqualTo(20);
    }

    @Test
    void aDueDayBecomesDenseOnce() {
        List<LogBlockEntry> day = hourly(4, 128 * MB);
        assertThat(PLANNER.plan(day, Effort.CLOSED_DAY, false)).isEmpty();
        List<Merge> merges = PLANNER.plan(day, Effort.CLOSED_DAY, true);
        assertThat(merges).hasSize(4).allSatisfy(merge -> {
            assertThat(merge.inputs()).as("each alone").hasSize(1);
            assertThat(merge.outputs()).isEqualTo(1);
            assertThat(merge.isForLayout()).isTrue();
            assertThat(merge.removesDeletes()).isFalse();
        });
        assertThat(merges).flatExtracting(Merge::inputs).containsExactlyInAnyOrderElementsOf(day);
        assertThat(PLANNER.plan(dense(day), Effort.CLOSED_DAY, true)).isEmpty();
    }

    @Test
    void smallOnesBecomeDenseTogether() {
        List<LogBlockEntry> day = hourly(10, 40 * MB);
        MergePlanner planner = new MergePlanner(new MergeSettings(128 * MB, 1, 1, 1, 64, 2048 * MB));
        assertThat(planner.plan(day, Effort.CLOSED_DAY, true))
                .extracting(merge -> merge.inputs().size())
                .as("up to the target size")
                .containsExactly(3, 3, 3, 1);
    }

    @Test
    void whatIsMergedAnywayIsNotRewrittenBesides() {
        List<LogBlockEntry> day = new ArrayList<>(hourly(24, MB));
        day.add(entry(0, 24 * HOUR, 128 * MB, false));
        day.add(entry(0, 24 * HOUR, 128 * MB, true));
        List<Merge> merges = PLANNER.plan(day, Effort.CLOSED_DAY, true);
        assertThat(merges).flatExtracting(Merge::inputs).doesNotHaveDuplicates().hasSize(26);
        assertThat(merges).extracting(Merge::isForLayout).containsExactly(false, true);
    }

    @Test
    void veryFewBytesAreNotRewrittenForTheLayout() {
        long least = 128 << 10;
        assertThat(PLANNER.plan(hourly(1, least - 1), Effort.FULL, true)).isEmpty();
        assertThat(PLANNER.plan(hourly(1, least), Effort.FULL, true)).hasSize(1);
    }

    /** They are a tenth smaller than before. */
    @Test
    void denseOnesAreNotMergedBecauseTheyAreSmaller() {
        List<LogBlockEntry> day = hourly(2, 88 * MB);
        assertThat(PLANNER.plan(day, Effort.FULL, false)).hasSize(1);
        assertThat(PLANNER.plan(dense(day), Effort.FULL, true)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void everythingBecomesDenseAndThenRests(int seed) {
        Random random = new Random(seed);
        List<LogBlockEntry> day = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            long first = random.nextLong(24 * HOUR);
            day.add(entry(first, first + random.nextLong(HOUR), 1 + random.nextLong(150 * MB), false));
        }
        int rounds = 0;
        for (List<Merge> merges = PLANNER.plan(day, Effort.CLOSED_DAY, true);
                !merges.isEmpty();
                merges = PLANNER.plan(day, Effort.CLOSED_DAY, true)) {
            assertThat(++rounds).isLessThan(5);
            for (Merge merge : merges) {
                List<LogBlockEntry> before = day;
                day = apply(merge, day).stream()
                        .map(entry -> before.contains(entry) ? entry : dense(entry))
                        .toList();
            }
        }
        assertThat(day).allMatch(LogBlockEntry::isDense);
    }

    private static List<LogBlockEntry> dense(List<LogBlockEntry> day) {
        return day.stream().map(MergePlannerTest::dense).toList();
    }

    private static LogBlockEntry dense(LogBlockEntry entry) {
        return new LogBlockEntry(
                entry.location(),
                entry.sizeInBytes(),
                entry.rows(),
                entry.firstTime(),
                entry.lastTime(),
                entry.hasDeletes(),
                true);
    }

    private static List<LogBlockEntry> apply(Merge merge, List<LogBlockEntry> day) {
        Set<LogBlockEntry> gone = new HashSet<>(merge.inputs());
        List<LogBlockEntry> left = new ArrayList<>(
                day.stream().filter(entry -> !gone.contains(entry)).toList());
        assertThat(left).hasSize(day.size() - gone.size());
        long first = merge.inputs().getFirst().firstTime();
        long last =
                merge.inputs().stream().mapToLong(LogBlockEntry::lastTime).max().orElseThrow();
        long given = 0;
        for (int i = 0; i < merge.outputs(); i++) {
            long until = merge.bytes() * (i + 1) / merge.outputs();
            left.add(entry(
                    first + (last - first) * i / merge.outputs(),
                    first + (last - first) * (i + 1) / merge.outputs(),
                    until - given,
                    false));
            given = until;
        }
        return left;
    }

    private static int mostOpen(List<LogBlockEntry> entries) {
        int most = 0;
        for (int i = 0; i < entries.size(); i++) {
            long time = entries.get(i).firstTime();
            int open = 0;
            for (LogBlockEntry other : entries.subList(0, i + 1)) {
                open += other.firstTime() <= time && other.lastTime() >= time ? 1 : 0;
            }
            most = Math.max(most, open);
        }
        return most;
    }

    private static List<LogBlockEntry> hourly(int count, long size) {
        List<LogBlockEntry> day = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            day.add(entry(i * HOUR, (i + 1L) * HOUR - 1, size, false));
        }
        day.sort(Comparator.comparingLong(LogBlockEntry::firstTime).reversed());
        return day;
    }

    private static int names;

    private static LogBlockEntry entry(long first, long last, long size, boolean hasDeletes) {
        return new LogBlockEntry("file:///" + names++, size, size / 80, first, last, hasDeletes, false);
    }

    private static long bytes(List<LogBlockEntry> day) {
        return day.stream().mapToLong(LogBlockEntry::sizeInBytes).sum();
    }
}
