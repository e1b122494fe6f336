package io.cordwood.ingest.builder;

import io.cordwood.catalog.commit.Flush;
import io.cordwood.catalog.protocol.LoadedTable;
import io.cordwood.catalog.protocol.TableReply;
import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.table.LogBlockNames;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.usage.AppendRun;
import io.cordwood.ingest.storage.TableStorage;
import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.logblock.write.LogBlockSummary;
import io.cordwood.logblock.write.LogBlockWriter;
import io.cordwood.record.assemble.AssembledRows;
import io.cordwood.record.assemble.DayRows;
import io.cordwood.record.assemble.RowAssembler;
import io.cordwood.record.buffer.RowBuffer;
import io.cordwood.record.policy.DecodingPolicy;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/**
 * Writes the LogBlocks of a flush: ensures that the table and its columns exist, skips rows that are already in the
 * table or whose day has expired, and writes one object for each day. Thread-safe.
 */
final class FlushBuilder {
    /** Maximum days, and so LogBlocks, of one flush. The next flush takes the remaining rows. */
    static final int MAX_DAYS = 366;

    /** Maximum flushes of one order, because a checkpoint may wait for it. Remaining rows are ordered again. */
    static final int MAX_FLUSHES = 4;

    private static final long DAY_MICROS = TimeUnit.DAYS.toMicros(1);

    private final TableStorage storage;
    private final TableRequests requests;
    private final DecodingPolicy policy;
    private final DeclaredColumns columns;
    private final LogBlockOptions options;
    private final LongAdder expiredRows = new LongAdder();

    FlushBuilder(TableStorage storage, BuildOptions options) {
        this.storage = storage;
        this.requests = new TableRequests(storage);
        this.policy = options.policy();
        this.columns = options.columns();
        this.options = options.logBlockOptions();
    }

    /**
     * A flush whose LogBlocks are to be written. Used by one thread at a time.
     *
     * @param buffers its rows, ascending
     * @param needs the table and columns that they need
     */
    record PreparedFlush(FlushOrder order, List<RowBuffer> buffers, TableNeeds needs) {}

    /** Unpacks the rows. */
    PreparedFlush prepare(FlushOrder order) {
        List<RowBuffer> buffers = new ArrayList<>();
        order.chunks().forEach(chunk -> buffers.add(RowBuffer.fromChunk(chunk)));
        if (!order.buffer().isEmpty()) {
            buffers.add(order.buffer());
        }
        String stream = order.partition().stream();
        RowAssembler assembler = new RowAssembler(policy, stream);
        TableNeeds needs = new TableNeeds(
                order.tenant().tenantId(),
                order.partition().id(),
                columns.definitions(stream, policy.textColumns(stream)),
                (table, fromOffset) -> assembler.missingColumns(table, buffers, fromOffset),
                Math.max(order.settled(), buffers.getFirst().firstOffset()),
                buffers.getLast().lastOffset() + 1);
        return new PreparedFlush(order, buffers, needs);
    }

    /**
     * Requests the tables of several flushes at once, which costs less than one by one. Flushes whose requests fail
     * make them again when they are written.
     */
    void requestTables(List<PreparedFlush> flushes) {
        flushes.stream()
                .filter(flush -> !flush.needs().areMet())
                .collect(Collectors.groupingBy(flush -> flush.order().partition().stream()))
                .forEach(this::requestTables);
    }

    private void requestTables(String stream, List<PreparedFlush> flushes) {
        List<TableReply> replies =
                requests.send(stream, flushes.stream().map(PreparedFlush::needs).toList());
        for (int i = 0; i < replies.size(); i++) {
            replies.get(i).ensured().ifPresent(flushes.get(i).needs()::answered);
        }
    }

    /**
     * Writes the flushes and returns them: consecutive ones, a single one unless the rows span too many days. The last
     * flush's range may end before the order's.
     */
    List<Flush> write(PreparedFlush prepared) throws IOException {
        FlushOrder order = prepared.order();
        PartitionId partition = order.partition().id();
        String stream = order.partition().stream();
        TableNeeds needs = prepared.needs();
        while (!needs.areMet()) {
            needs.answered(storage.ensureTable(stream, needs.next()));
        }
        if (needs.table().isEmpty()) {
            return List.of(withoutRows(partition, order));
        }
        LoadedTable table = needs.table().get();
        // Rows below the table offset are in the table. Excluding them from the range saves the committer from
        // rewriting the files without them.
        long from = Math.max(order.from(), settled(table, partition, order.settled()));
        RowAssembler assembler = new RowAssembler(policy, stream);
        List<Flush> flushes = new ArrayList<>();
        do {
            long to = Math.min(order.to(), RowAssembler.cut(prepared.buffers(), from, MAX_DAYS));
            AssembledRows rows = assembler.assemble(
                    table.schema(),
                    order.tenant().tenantId(),
                    partition.topicId(),
                    partition.partition(),
                    prepared.buffers(),
                    from,
                    to);
            List<AppendRun> appendRuns =
                    new AppendRunMeter(from, to, keptFromMicros(table)).measure(prepared.buffers());
            flushes.add(write(table, partition, from, to, rows, appendRuns));
            from = to;
        } while (from < order.to() && flushes.size() < MAX_FLUSHES);
        return flushes;
    }

    private static long settled(LoadedTable table, PartitionId partition, long settled) {
        return Math.max(table.offsets().offset(partition), settled);
    }

    private static Flush withoutRows(PartitionId partition, FlushOrder order) {
        return new Flush(
                partition.topicId(), partition.partition(), order.from(), order.to(), "", List.of(), List.of());
    }

    private Flush write(
            LoadedTable table,
            PartitionId partition,
            long from,
            long to,
            AssembledRows rows,
            List<AppendRun> appendRuns)
            throws IOException {
        List<LogBlockFile> files = new ArrayList<>();
        for (DayRows day : rows.days()) {
            if (day.epochDay() * DAY_MICROS < keptFromMicros(table)) {
                expiredRows.add(day.rows());
            } else {
                files.add(write(table, partition, from, to, day));
            }
        }
        return new Flush(partition.topicId(), partition.partition(), from, to, table.uuid(), files, appendRuns);
    }

    /**
     * The start of the first day that retention has not dropped. The table may learn of it after this call: then the
     * next maintenance drops the rows again.
     */
    private static long keptFromMicros(LoadedTable table) {
        return table.expiredBeforeMicros().isEmpty()
                ? Long.MIN_VALUE
                : Math.floorDiv(table.expiredBeforeMicros().getAsLong(), DAY_MICROS) * DAY_MICROS;
    }

    /** Number of rows that were not written because their days have expired. */
    long expiredRows() {
        return expiredRows.sum();
    }

    private LogBlockFile write(LoadedTable table, PartitionId partition, long from, long to, DayRows day)
            throws IOException {
        String location = LogBlockNames.newLocation(table.location(), day.epochDay(), partition, from, to);
        try (OutputStream out = storage.create(location);
                LogBlockWriter writer = new LogBlockWriter(out, table.schema(), options)) {
            writer.append(day.columns(), day.rows());
            LogBlockSummary summary = writer.finish();
            return new LogBlockFile(location, day.epochDay(), summary);
        }
    }
}
