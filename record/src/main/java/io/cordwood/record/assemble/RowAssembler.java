package io.cordwood.record.assemble;

import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.record.buffer.RowBuffer;
import io.cordwood.record.buffer.SeenMembers;
import io.cordwood.record.buffer.SettledMembers;
import io.cordwood.record.policy.DecodingPolicy;
import io.cordwood.record.policy.TextColumns;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Converts buffered rows to the typed, sorted columns of a table. Stateless and thread-safe. */
public final class RowAssembler {
    private final TextColumns textColumns;
    private final int maxFields;

    public RowAssembler(DecodingPolicy policy, String stream) {
        this.textColumns = policy.textColumns(stream);
        this.maxFields = policy.maxFields();
    }

    /**
     * The columns that a table needs for these rows, in order of first appearance.
     *
     * @param buffers rows of one tenant and one partition, ascending by offset
     */
    public List<NewColumn> missingColumns(LogBlockSchema table, List<RowBuffer> buffers) {
        return missingColumns(table, buffers, 0);
    }

    /** The same for the rows of records from an offset on. */
    public List<NewColumn> missingColumns(LogBlockSchema table, List<RowBuffer> buffers, long fromOffset) {
        ColumnPlan plan = new ColumnPlan(table, textColumns, maxFields);
        buffers.forEach(buffer ->
                buffer.forEachMember(buffer.firstRowFrom(fromOffset), (name, kind, lastRow) -> plan.add(name, kind)));
        return List.copyOf(plan.columns());
    }

    /** The same for the seen members of records from an offset on. */
    public List<NewColumn> missingColumns(LogBlockSchema table, SeenMembers members, long fromOffset) {
        ColumnPlan plan = new ColumnPlan(table, textColumns, maxFields);
        members.forEachFrom(fromOffset, plan::add);
        return List.copyOf(plan.columns());
    }

    /** The settled members of a table that was just asked for the columns of these members. */
    public SettledMembers settled(LogBlockSchema table, SeenMembers members) {
        return SettledMembers.of(table, new ColumnPlan(table, textColumns, maxFields).isFull(), members);
    }

    /**
     * The rows as columns of a table, sorted by (ts, offset, ordinal), one entry for each UTC day. A value that its
     * column cannot take, or that has no column, goes to {@code attributes}.
     *
     * @param table schema of the table; has the columns named in {@link LogBlockSchema}
     * @param topicId Kafka's UUID of the topic, as text
     * @param buffers rows of one tenant and one partition, ascending by offset
     * @throws IllegalArgumentException if the buffers do not ascend
     */
    public AssembledRows assemble(
            LogBlockSchema table, String tenantId, String topicId, int partition, List<RowBuffer> buffers) {
        return assemble(table, tenantId, topicId, partition, buffers, 0, Long.MAX_VALUE);
    }

    /** The same for the rows of records in {@code [fromOffset, toOffset)}. */
    public AssembledRows assemble(
            LogBlockSchema table,
            String tenantId,
            String topicId,
            int partition,
            List<RowBuffer> buffers,
            long fromOffset,
            long toOffset) {
        return new Assembly(table, new RowOrder(buffers, fromOffset, toOffset)).rows(tenantId, topicId, partition);
    }

    /**
     * The number of records that can be assembled together without exceeding a number of days. At least one, because
     * the rows of one record stay together.
     *
     * @param buffers rows of one tenant and one partition, ascending by offset
     * @param fromOffset first offset
     * @param maxDays maximum number of UTC days of the rows
     * @return offset of the first record to leave out; {@code Long.MAX_VALUE} if there is none
     */
    public static long cut(List<RowBuffer> buffers, long fromOffset, int maxDays) {
        Set<Long> days = new HashSet<>();
        long first = -1;
        long lastDay = Long.MIN_VALUE;
        for (RowBuffer buffer : buffers) {
            for (int row = 0; row < buffer.rowCount(); row++) {
                long offset = buffer.offset(row);
                if (offset < fromOffset) {
                    continue;
                }
                first = first < 0 ? offset : first;
                long day = DaySplitter.day(buffer.time(row));
                if (day != lastDay) {
                    days.add(day);
                    lastDay = day;
                }
                if (days.size() > maxDays && offset > first) {
                    return offset;
                }
            }
        }
        return Long.MAX_VALUE;
    }
}
