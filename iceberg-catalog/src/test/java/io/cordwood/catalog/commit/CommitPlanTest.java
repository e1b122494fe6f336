package io.cordwood.catalog.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.commit.CommitOutcome.Status;
import io.cordwood.catalog.commit.CommitPlan.Step;
import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.usage.AppendRun;
import io.cordwood.logblock.schema.ColumnMetrics;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.logblock.write.LogBlockSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommitPlanTest {
    private static final PartitionId PARTITION = new PartitionId("topic", 3);
    private static final String UUID = "uuid";
    private static final int OFFSET_FIELD = 6;

    @ParameterizedTest
    @CsvSource({
        "10, COMMITTED, 10, 20",
        "11, COMMITTED, 11, 20",
        "19, COMMITTED, 19, 20",
        "20, ALREADY_THERE, 20, 20",
        "35, ALREADY_THERE, 20, 35",
        "9, MISSING, 10, 9",
        "0, MISSING, 10, 0",
    })
    void offsetsAloneDecide(long tableOffset, Status status, long firstOffset, long after) {
        CommitPlan plan = CommitPlan.of(
                List.of(flush(10, 20)),
                TableOffsets.NONE.with(PARTITION, tableOffset),
                UUID,
                OFFSET_FIELD,
                flush -> true);
        assertThat(plan.steps()).containsExactly(new Step(flush(10, 20), status, firstOffset, after));
        assertThat(plan.commitsNothing()).isEqualTo(status != Status.COMMITTED);
    }

    @Test
    void takesFlushesOfAPartitionInOrder() {
        CommitPlan plan = CommitPlan.of(
                List.of(flush(20, 30), flush(0, 10), flush(10, 20)),
                TableOffsets.NONE,
                UUID,
                OFFSET_FIELD,
                flush -> true);
        assertThat(plan.steps()).extracting(Step::status).containsOnly(Status.COMMITTED);
        assertThat(plan.steps()).extracting(step -> step.flush().from()).containsExactly(0L, 10L, 20L);
        assertThat(plan.changed()).isEqualTo(TableOffsets.NONE.with(PARTITION, 30));
    }

    @Test
    void whatFollowsAFlushThatCannotBeCommittedIsMissingIt() {
        CommitPlan plan = CommitPlan.of(
                List.of(flush(0, 10), flush(10, 20)),
                TableOffsets.NONE,
                UUID,
                OFFSET_FIELD,
                flush -> flush.from() != 0);
        assertThat(plan.steps()).extracting(Step::status).containsExactly(Status.FILES_UNUSABLE, Status.MISSING);
        assertThat(plan.commitsNothing()).isTrue();
    }

    /** A table made anew starts at its floor, so what was made for its predecessor would wait for ever. */
    @ParameterizedTest
    @CsvSource({"0, FILES_UNUSABLE", "10, FILES_UNUSABLE", "15, FILES_UNUSABLE", "20, ALREADY_THERE"})
    void aFlushForAnotherTableIsNotMissingOne(long tableOffset, Status status) {
        CommitPlan plan = CommitPlan.of(
                List.of(flush(10, 20)),
                TableOffsets.NONE.with(PARTITION, tableOffset),
                "another",
                OFFSET_FIELD,
                flush -> true);
        assertThat(plan.steps()).extracting(Step::status).containsExactly(status);
        assertThat(plan.commitsNothing()).isTrue();
    }

    /** Neighbours move the end of a label on, past the last row. */
    @ParameterizedTest
    @CsvSource({"14, FILES_UNUSABLE", "15, COMMITTED", "19, COMMITTED", "20, ALREADY_THERE"})
    void aFlushForAnotherTableIsNotNeededIfItsRowsLieBelowTheOffset(long tableOffset, Status status) {
        CommitPlan plan = CommitPlan.of(
                List.of(flush(10, 20, 10, 14), flush(20, 30)),
                TableOffsets.NONE.with(PARTITION, tableOffset),
                "another",
                OFFSET_FIELD,
                flush -> false);
        assertThat(plan.steps()).extracting(Step::status).containsExactly(status, Status.FILES_UNUSABLE);
        assertThat(plan.changed().offset(PARTITION)).isEqualTo(status == Status.COMMITTED ? 20 : 0);
    }

    /**
     * Whatever flushes come, in whatever order and however often: each row once, and only up to where none is missing.
     */
    @Property(tries = 3000)
    void everyRowOnce(@ForAll("rounds") List<List<Flush>> rounds, @ForAll @IntRange(max = 20) int archivedThrough) {
        int[] timesCommitted = new int[64];
        TableOffsets offsets = TableOffsets.NONE;
        for (List<Flush> flushes : rounds) {
            long before = offsets.offset(PARTITION);
            CommitPlan plan = CommitPlan.of(
                    flushes,
                    offsets.max(TableOffsets.NONE.with(PARTITION, archivedThrough)),
                    UUID,
                    OFFSET_FIELD,
                    flush -> true);
            for (Step step : plan.steps()) {
                for (long row = step.firstOffset();
                        step.isCommit() && row < step.flush().to();
                        row++) {
                    timesCommitted[(int) row]++;
                }
            }
            offsets = offsets.max(plan.changed());
            assertThat(offsets.offset(PARTITION)).isGreaterThanOrEqualTo(before);
        }
        int end = (int) Math.max(archivedThrough, offsets.offset(PARTITION));
        for (int row = 0; row < timesCommitted.length; row++) {
            assertThat(timesCommitted[row]).as("row %d", row).isEqualTo(row >= archivedThrough && row < end ? 1 : 0);
        }
    }

    @Provide
    Arbitrary<List<List<Flush>>> rounds() {
        Arbitrary<Flush> flush = Combinators.combine(
                        Arbitraries.integers().between(0, 40),
                        Arbitraries.integers().between(1, 20))
                .as((from, length) -> flush(from, from + length));
        return flush.list().ofMaxSize(5).<List<Flush>>map(ArrayList::new).list().ofMaxSize(8);
    }

    /** A flush with a row at each offset. */
    private static Flush flush(long from, long to) {
        return flush(from, to, from, to - 1);
    }

    private static Flush flush(long from, long to, long firstRow, long lastRow) {
        Map<Integer, ColumnMetrics> columns =
                Map.of(OFFSET_FIELD, new ColumnMetrics(1, 1, 0, Optional.of(firstRow), Optional.of(lastRow)));
        LogBlockSummary summary =
                new LogBlockSummary(1, 1, 0, new TimeRange(0, 1), List.of(4L), columns, Map.of(), Optional.empty());
        List<LogBlockFile> files = List.of(new LogBlockFile("file:///x", 20_000, summary));
        List<AppendRun> appendRuns = List.of(new AppendRun(from, 480_000, 1, 10));
        return new Flush(PARTITION.topicId(), PARTITION.partition(), from, to, UUID, files, appendRuns);
    }
}
