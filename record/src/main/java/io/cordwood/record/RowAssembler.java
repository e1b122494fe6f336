package io.cordwood.record;

import io.cordwood.logblock.LogBlockSchema;
import java.util.List;

/** Turns buffered rows into the typed, sorted columns of a table. Stateless and thread-safe. */
public final class RowAssembler {
    private final TextColumns textColumns;
    private final int maxFields;

    public RowAssembler(DecodingPolicy policy, String stream) {
        this.textColumns = policy.textColumns(stream);
        this.maxFields = policy.maxFields();
    }

    /**
     * The columns that a table would need for these rows, in order of first appearance.
     *
     * @param buffers rows of one tenant and one partition, ascending by offset
     */
    public List<NewColumn> missingColumns(LogBlockSchema table, List<RowBuffer> buffers) {
        ColumnPlan plan = new ColumnPlan(table, textColumns, maxFields);
        buffers.forEach(plan::add);
        return List.copyOf(plan.columns());
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
        return assemble(table, tenantId, topicId, partition, buffers, 0);
    }

    /** The same for the rows of records at {@code fromOffset} and after. */
    public AssembledRows assemble(
            LogBlockSchema table,
            String tenantId,
            String topicId,
            int partition,
            List<RowBuffer> buffers,
            long fromOffset) {
        return new Assembly(table, new RowOrder(buffers, fromOffset)).rows(tenantId, topicId, partition);
    }
}
