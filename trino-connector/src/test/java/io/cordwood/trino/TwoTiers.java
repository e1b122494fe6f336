package io.cordwood.trino;

import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.table.PartitionId;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;

/** Rows of tenant {@code acme} in two partitions: cold ones in several LogBlocks, and hot ones. Stateless. */
final class TwoTiers {
    static final int BATCHES = 12;
    private static final int COLD_BATCHES = 9;
    private static final int PARTITIONS = 2;
    private static final int ROWS = 500;

    private TwoTiers() {}

    /** Makes rows. */
    @FunctionalInterface
    interface Rows {
        /**
         * The rows of one batch of one partition.
         *
         * @param first number of the first one
         * @param count number of rows
         */
        List<SampleRow> of(Random random, int first, int count, int batch);
    }

    /**
     * Sends all rows to the topic {@code logs}, and stores the cold ones.
     *
     * @param stored the rows as the ingest job stores them
     */
    static void fill(
            CordwoodQueryRunner runner,
            SampleTopic topic,
            List<ColumnDefinition> columns,
            Random random,
            Rows rows,
            UnaryOperator<List<SampleRow>> stored)
            throws Exception {
        SampleTables tables = new SampleTables(runner.catalog(), CordwoodQueryRunner.SMALL_BLOCKS, topic.id());
        for (int batch = 0; batch < BATCHES; batch++) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                List<SampleRow> some = rows.of(random, batch * 1000 + partition * ROWS, ROWS, batch);
                topic.send("acme", partition, some);
                if (batch < COLD_BATCHES) {
                    tables.write("acme", "logs", partition, columns, stored.apply(some));
                }
            }
        }
        long archived = (long) COLD_BATCHES * ROWS;
        runner.catalog()
                .advanceArchivedThrough(
                        "logs",
                        Map.of(new PartitionId(topic.id(), 0), archived, new PartitionId(topic.id(), 1), archived));
    }
}
