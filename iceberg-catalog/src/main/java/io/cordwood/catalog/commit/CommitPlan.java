package io.cordwood.catalog.commit;

import io.cordwood.catalog.commit.CommitOutcome.Status;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The action of one commit attempt for each flush. Only offsets and the table's identity decide it. Immutable.
 *
 * <p>The decision compares the flush {@code [from, to)} with the table offset of the partition, raised to
 * archived-through. A flush that starts at the table offset is appended. One that starts below and ends above it is
 * rewritten. One that ends at or below it is already there. One that starts above it lacks an earlier flush. A flush
 * that was made for another table of that name cannot wait for a missing one: its files are unusable. If all its rows
 * lie below the table offset, its files are not needed, and only the table offset moves. Flushes of one partition are
 * taken in order, each against the table offset that the previous one would leave.
 *
 * @param steps one per flush, ordered by partition and {@code from}
 * @param changed offsets of the partitions that the commit moves
 */
record CommitPlan(List<Step> steps, TableOffsets changed) {
    static final Comparator<Flush> BY_FROM =
            Comparator.comparing(Flush::topicId).thenComparing(Flush::partition).thenComparing(Flush::from);

    /**
     * The action for one flush.
     *
     * @param status {@link Status#COMMITTED} if it must be committed
     * @param firstOffset rows below it must be dropped by a rewrite; {@code from} if there are none
     * @param tableOffset table offset after the commit
     */
    record Step(Flush flush, Status status, long firstOffset, long tableOffset) {
        boolean isCommit() {
            return status == Status.COMMITTED;
        }

        boolean isRewrite() {
            return isCommit() && firstOffset > flush.from();
        }
    }

    CommitPlan {
        steps = List.copyOf(steps);
    }

    /**
     * Plans an attempt.
     *
     * @param offsets table offsets of the metadata that the attempt commits against, raised to archived-through
     * @param tableUuid UUID of the table that the attempt commits to
     * @param offsetField field id of the rows' offsets
     * @param filesExist tests whether the files of a flush exist; called only if all else allows the commit
     */
    static CommitPlan of(
            List<Flush> flushes, TableOffsets offsets, String tableUuid, int offsetField, Predicate<Flush> filesExist) {
        Map<PartitionId, Long> reached = new HashMap<>();
        List<Step> steps = flushes.stream()
                .sorted(BY_FROM)
                .map(flush -> {
                    PartitionId partition = flush.partitionId();
                    long offset = reached.getOrDefault(partition, offsets.offset(partition));
                    Step step = step(flush, offset, tableUuid, offsetField, filesExist);
                    if (step.isCommit()) {
                        reached.put(partition, step.tableOffset());
                    }
                    return step;
                })
                .toList();
        return new CommitPlan(steps, TableOffsets.of(reached));
    }

    private static Step step(Flush flush, long offset, String tableUuid, int offsetField, Predicate<Flush> filesExist) {
        if (flush.to() <= offset) {
            return new Step(flush, Status.ALREADY_THERE, flush.to(), offset);
        }
        if (flush.from() <= offset && flush.endsBelow(offset, offsetField)) {
            return new Step(flush, Status.COMMITTED, offset, flush.to());
        }
        if (!flush.tableUuid().isEmpty() && !flush.tableUuid().equals(tableUuid)) {
            return new Step(flush, Status.FILES_UNUSABLE, flush.from(), offset);
        }
        if (flush.from() > offset) {
            return new Step(flush, Status.MISSING, flush.from(), offset);
        }
        if (!filesExist.test(flush)) {
            return new Step(flush, Status.FILES_UNUSABLE, flush.from(), offset);
        }
        return new Step(flush, Status.COMMITTED, offset, flush.to());
    }

    boolean commitsAll() {
        return steps.stream().allMatch(Step::isCommit);
    }

    boolean commitsNothing() {
        return changed.isEmpty();
    }
}
