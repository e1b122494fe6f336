package io.cordwood.benchmarks.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.sketch.TokenFilter;
import io.cordwood.logblock.write.LogBlockSummary;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes rows from JSON into LogBlocks of their tenants, without Kafka and Flink. Not thread-safe. */
public final class TenantLogBlocks {
    public static final String STREAM = "request_log";
    public static final Pattern TENANT = Pattern.compile("\"tenant_id\":(\\d+)");

    private final Map<String, RowBuffer> buffers = new TreeMap<>();
    private final RecordDecoder decoder = new RecordDecoder(DecodingPolicy.DEFAULT);
    private final List<byte[]> lines = new ArrayList<>();
    private final List<String> tenants = new ArrayList<>();
    private long rawBytes;

    /** The LogBlocks by tenant, and the cost of writing them. */
    public record Written(Map<String, TenantTable> tables, long bytes, long indexBytes, long filterBytes) {
        public static final Written NOTHING = new Written(Map.of(), 0, 0, 0);

        /** The union of both; no tenant may be in both. */
        public Written plus(Written other) {
            Map<String, TenantTable> all = new TreeMap<>(tables);
            all.putAll(other.tables);
            return new Written(
                    all, bytes + other.bytes, indexBytes + other.indexBytes, filterBytes + other.filterBytes);
        }
    }

    /** Writes the lines of one tenant, which are in time order, into a directory. */
    public static TenantTable write(Path directory, String tenant, List<String> lines)
            throws IOException, UndecodableRecordException {
        TenantLogBlocks rows = new TenantLogBlocks();
        lines.forEach(line -> rows.add(tenant, line));
        rows.decode();
        return rows.write(directory).tables().get(tenant);
    }

    /** Loads the lines into memory, so that reading them is not measured. */
    public void load(Path ndjson) throws IOException {
        try (BufferedReader in = Files.newBufferedReader(ndjson)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                Matcher matcher = TENANT.matcher(line);
                if (matcher.find()) {
                    add(matcher.group(1), line);
                }
            }
        }
    }

    void add(String tenant, String line) {
        tenants.add(tenant);
        byte[] bytes = line.getBytes(UTF_8);
        lines.add(bytes);
        rawBytes += bytes.length + 1;
    }

    public long rawBytes() {
        return rawBytes;
    }

    public int decode() throws UndecodableRecordException {
        buffers.clear();
        int rows = 0;
        for (int i = 0; i < lines.size(); i++) {
            String tenant = tenants.get(i);
            RowBuffer buffer = buffers.computeIfAbsent(tenant, id -> new RowBuffer());
            rows += decoder.decode(
                    tenant, new KafkaRecord(i, 1_795_132_800_000_000L, tenant.getBytes(UTF_8), lines.get(i)), buffer);
        }
        return rows;
    }

    /** Writes LogBlocks as the ingest job does by default. */
    public Written write(Path directory) throws IOException {
        return write(directory, LogBlockOptions.DEFAULTS);
    }

    /** Writes a LogBlock for each tenant and day to {@code directory/tenant-day.parquet}. */
    public Written write(Path directory, LogBlockOptions options) throws IOException {
        Written sum = Written.NOTHING;
        for (Map.Entry<String, RowBuffer> entry : buffers.entrySet()) {
            sum = sum.plus(write(directory, entry.getKey(), List.of(entry.getValue()), options));
        }
        return sum;
    }

    /**
     * Writes a LogBlock for each day of a tenant's rows, which ascend by offset, to {@code
     * directory/tenant-day.parquet}.
     */
    public static Written write(Path directory, String tenant, List<RowBuffer> rows, LogBlockOptions options)
            throws IOException {
        Files.createDirectories(directory);
        RowAssembler assembler = new RowAssembler(DecodingPolicy.DEFAULT, STREAM);
        LogBlockSchema schema = schema(assembler, rows);
        List<TenantTable.Stored> blocks = new ArrayList<>();
        long bytes = 0;
        long indexBytes = 0;
        long filterBytes = 0;
        for (DayRows day : assembler
                .assemble(schema, tenant, "AAAAAAAAAAAAAAAAAAAAAA", 0, rows)
                .days()) {
            Path file = directory.resolve(tenant + "-" + day.epochDay() + ".parquet");
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20);
                    LogBlockWriter writer = new LogBlockWriter(out, schema, options)) {
                writer.append(day.columns(), day.rows());
                LogBlockSummary summary = writer.finish();
                blocks.add(new TenantTable.Stored(file, summary.time(), summary.tokenFilter()));
                bytes += summary.sizeInBytes();
                indexBytes += summary.indexBytes();
                filterBytes +=
                        summary.tokenFilter().map(TokenFilter::sizeInBytes).orElse(0);
            }
        }
        return new Written(Map.of(tenant, new TenantTable(schema, blocks)), bytes, indexBytes, filterBytes);
    }

    private static LogBlockSchema schema(RowAssembler assembler, List<RowBuffer> ofTenant) {
        List<Column> columns = new ArrayList<>(List.of(
                Column.keyword(LogBlockSchema.TENANT_ID, 1).asRequired(),
                Column.of(LogBlockSchema.TS, 2, ColumnType.TIMESTAMP).asRequired(),
                Column.map(LogBlockSchema.ATTRIBUTES, 3, 8, 9),
                Column.of(LogBlockSchema.KAFKA_TOPIC_ID, 4, ColumnType.VARCHAR).asRequired(),
                Column.of(LogBlockSchema.KAFKA_PARTITION, 5, ColumnType.BIGINT).asRequired(),
                Column.of(LogBlockSchema.KAFKA_OFFSET, 6, ColumnType.BIGINT).asRequired(),
                Column.of(LogBlockSchema.KAFKA_ORDINAL, 7, ColumnType.BIGINT).asRequired()));
        for (NewColumn added : assembler.missingColumns(new LogBlockSchema(columns), ofTenant)) {
            columns.add(new Column(added.name(), columns.size() + 3, added.type(), added.index(), false, 0, 0));
        }
        return new LogBlockSchema(columns);
    }
}
