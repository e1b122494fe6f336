package io.cordwood.benchmarks.compaction;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.benchmarks.table.TenantLogBlocks;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.commit.CommitOutcome;
import io.cordwood.catalog.commit.Flush;
import io.cordwood.catalog.io.LocalFileIO;
import io.cordwood.catalog.protocol.LoadedTable;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.table.LogBlockNames;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.usage.AppendRun;
import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.logblock.write.LogBlockWriter;
import io.cordwood.record.KafkaRecord;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.assemble.DayRows;
import io.cordwood.record.assemble.NewColumn;
import io.cordwood.record.assemble.RowAssembler;
import io.cordwood.record.buffer.RowBuffer;
import io.cordwood.record.decode.RecordDecoder;
import io.cordwood.record.policy.DecodingPolicy;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;

/**
 * Writes the rows of a file into tables of a catalog as the ingest job does: in consecutive flushes, each with a
 * LogBlock for every tenant and day, committed with continuous offsets. Keeps the rows of one flush in memory at a
 * time. Not thread-safe.
 */
final class FlushedTables {
    private static final PartitionId PARTITION = new PartitionId("AAAAAAAAAAAAAAAAAAAAAA", 0);

    private final CatalogClient client;
    private final Chunks chunks;
    /** When the brokers received the rows, microseconds since the epoch: the earliest clock decides what expires. */
    private final long appendMicros = TimeUnit.SECONDS.toMicros(Instant.now().getEpochSecond());

    private final RecordDecoder decoder = new RecordDecoder(DecodingPolicy.DEFAULT);
    private final RowAssembler assembler = new RowAssembler(DecodingPolicy.DEFAULT, TenantLogBlocks.STREAM);
    private final Map<String, LoadedTable> tables = new HashMap<>();
    private final Map<String, List<Flush>> flushes = new TreeMap<>();
    private final Map<String, RowBuffer> buffers = new TreeMap<>();
    private long offset;
    private long rawBytes;

    /** Receives each tenant's rows of each flush. */
    interface Chunks {
        void add(String tenant, byte[] chunk);
    }

    /** The contents of the tables. */
    record Loaded(long rows, long rawBytes) {}

    FlushedTables(CatalogClient client, Chunks chunks) {
        this.client = client;
        this.chunks = chunks;
    }

    /** Writes all lines of the file in about this number of flushes of even size, and commits them. */
    Loaded load(Path ndjson, int count) throws IOException, UndecodableRecordException, InterruptedException {
        return load(ndjson, count, UnaryOperator.identity());
    }

    /** Does the same as {@link #load(Path, int)} after a transformation of each line. */
    Loaded load(Path ndjson, int count, UnaryOperator<String> change)
            throws IOException, UndecodableRecordException, InterruptedException {
        long flushBytes = Math.ceilDiv(Files.size(ndjson), count);
        long nextFlush = flushBytes;
        long read = 0;
        try (BufferedReader in = Files.newBufferedReader(ndjson)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String changed = change.apply(line);
                Matcher matcher = TenantLogBlocks.TENANT.matcher(changed);
                if (matcher.find()) {
                    add(matcher.group(1), changed.getBytes(UTF_8));
                }
                read += line.length() + 1;
                if (read >= nextFlush) {
                    flush();
                    nextFlush += flushBytes;
                }
            }
        }
        flush();
        commit();
        return new Loaded(offset, rawBytes);
    }

    private void add(String tenant, byte[] line) throws UndecodableRecordException {
        RowBuffer buffer = buffers.computeIfAbsent(tenant, id -> new RowBuffer());
        decoder.decode(tenant, new KafkaRecord(offset, appendMicros, tenant.getBytes(UTF_8), line), buffer);
        offset++;
        rawBytes += line.length + 1;
    }

    private void flush() throws IOException {
        for (Map.Entry<String, RowBuffer> entry : buffers.entrySet()) {
            flush(entry.getKey(), entry.getValue());
        }
        buffers.clear();
    }

    private void flush(String tenant, RowBuffer rows) throws IOException {
        LoadedTable table = table(tenant, rows);
        List<Flush> earlier = flushes.computeIfAbsent(tenant, id -> new ArrayList<>());
        long from = earlier.isEmpty() ? 0 : earlier.getLast().to();
        List<LogBlockFile> files = new ArrayList<>();
        for (DayRows day : assembler
                .assemble(table.schema(), tenant, PARTITION.topicId(), PARTITION.partition(), List.of(rows))
                .days()) {
            files.add(write(table, from, day));
        }
        earlier.add(new Flush(
                PARTITION.topicId(),
                PARTITION.partition(),
                from,
                offset,
                table.uuid(),
                files,
                AppendRun.unmeasured(from, TimeUnit.MICROSECONDS.toHours(appendMicros), files)));
        chunks.add(tenant, rows.toChunk());
    }

    private LoadedTable table(String tenant, RowBuffer rows) {
        LoadedTable table = tables.get(tenant);
        if (table == null) {
            table = client.ensureTable(tenant, TenantLogBlocks.STREAM, List.of());
        }
        List<NewColumn> missing = assembler.missingColumns(table.schema(), List.of(rows));
        if (!missing.isEmpty()) {
            table = client.ensureTable(
                    tenant,
                    TenantLogBlocks.STREAM,
                    missing.stream()
                            .map(column -> new ColumnDefinition(column.name(), column.type(), column.index()))
                            .toList());
        }
        tables.put(tenant, table);
        return table;
    }

    private LogBlockFile write(LoadedTable table, long from, DayRows day) throws IOException {
        String location = LogBlockNames.newLocation(table.location(), day.epochDay(), PARTITION, from, offset);
        Path file = LocalFileIO.path(location);
        Files.createDirectories(file.getParent());
        // Without fsync, unlike the warehouse's own files, because the disk is not measured.
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file));
                LogBlockWriter writer = new LogBlockWriter(out, table.schema(), LogBlockOptions.DEFAULTS)) {
            writer.append(day.columns(), day.rows());
            return new LogBlockFile(location, day.epochDay(), writer.finish());
        }
    }

    private void commit() throws IOException, InterruptedException {
        for (Map.Entry<String, List<Flush>> entry : flushes.entrySet()) {
            List<CommitOutcome> outcomes = client.committer((tenant, stream, flush, first) -> {
                        throw new IOException("rows of %s are in its table twice".formatted(tenant));
                    })
                    .commit(entry.getKey(), TenantLogBlocks.STREAM, entry.getValue());
            for (CommitOutcome outcome : outcomes) {
                if (outcome.status() != CommitOutcome.Status.COMMITTED) {
                    throw new IOException(
                            "A flush of tenant %s was not committed: %s".formatted(entry.getKey(), outcome));
                }
            }
        }
        flushes.clear();
    }
}
