package io.cordwood.record.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.vector.BooleanVector;
import io.cordwood.logblock.vector.DoubleVector;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.MapVector;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.record.KafkaRecord;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.assemble.AssembledRows;
import io.cordwood.record.assemble.DayRows;
import io.cordwood.record.assemble.RowAssembler;
import io.cordwood.record.buffer.RowBuffer;
import io.cordwood.record.policy.DecodingPolicy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Decodes values as records of one partition and shows the rows that come out as maps. */
public final class Decoding {
    /** 2026-11-20T10:00:00Z. */
    public static final long APPENDED = 1_795_168_800_000_000L;

    public static final String TENANT = "acme";

    private final DecodingPolicy policy;
    private final RecordDecoder decoder;
    public final List<RowBuffer> buffers = new ArrayList<>(List.of(new RowBuffer()));
    public LogBlockSchema table = Tables.BASE;
    private long offset = 100;

    public Decoding() {
        this(DecodingPolicy.DEFAULT);
    }

    public Decoding(DecodingPolicy policy) {
        this.policy = policy;
        this.decoder = new RecordDecoder(policy);
    }

    /** A table that has these columns already. */
    public Decoding withColumn(String name, ColumnType type) {
        table = Tables.widened(table, List.of(Tables.column(name, type)));
        return this;
    }

    public Decoding add(String value) throws UndecodableRecordException {
        return add(value.getBytes(UTF_8), "");
    }

    public Decoding add(byte[] value, String contentType) throws UndecodableRecordException {
        decoder.decode(
                TENANT,
                new KafkaRecord(
                        offset++, APPENDED, TENANT.getBytes(UTF_8), value, new byte[0], contentType.getBytes(UTF_8)),
                buffers.getLast());
        return this;
    }

    /** What follows goes to a buffer of its own. */
    public Decoding nextBuffer() {
        buffers.add(new RowBuffer());
        return this;
    }

    public AssembledRows assembled() {
        RowAssembler assembler = new RowAssembler(policy, "logs");
        table = Tables.widened(table, assembler.missingColumns(table, buffers));
        return assembler.assemble(table, TENANT, "topic-id", 3, buffers);
    }

    /** All rows in order: values that are not null by column, {@code attributes} as a map. */
    public List<Map<String, Object>> rows() {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (DayRows day : assembled().days()) {
            rows.addAll(rows(day, table));
        }
        return rows;
    }

    /** The only row, without the columns that every row has. */
    public Map<String, Object> members() {
        List<Map<String, Object>> rows = rows();
        if (rows.size() != 1) {
            throw new AssertionError("expected one row, got " + rows);
        }
        return members(rows.getFirst());
    }

    /** All rows, without the columns that every row has. */
    public List<Map<String, Object>> allMembers() {
        return rows().stream().map(Decoding::members).toList();
    }

    private static Map<String, Object> members(Map<String, Object> row) {
        Map<String, Object> members = new TreeMap<>(row);
        for (Column column : Tables.BASE.columns()) {
            if (!column.name().equals(LogBlockSchema.ATTRIBUTES)) {
                members.remove(column.name());
            }
        }
        return members;
    }

    public static List<Map<String, Object>> rows(DayRows day, LogBlockSchema table) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (int i = 0; i < day.rows(); i++) {
            Map<String, Object> row = new LinkedHashMap<>();
            for (int c = 0; c < table.columns().size(); c++) {
                Vector vector = day.columns().get(c);
                if (!vector.isNull(i)) {
                    row.put(table.columns().get(c).name(), value(vector, i));
                }
            }
            rows.add(row);
        }
        return rows;
    }

    private static Object value(Vector vector, int i) {
        return switch (vector) {
            case LongVector longs -> longs.values()[i];
            case DoubleVector doubles -> doubles.values()[i];
            case BooleanVector booleans -> booleans.values()[i];
            case StringVector strings -> strings.string(i);
            case MapVector map -> {
                Map<String, String> entries = new TreeMap<>();
                for (int e = map.entryOffsets()[i]; e < map.entryOffsets()[i + 1]; e++) {
                    if (entries.put(map.keys().string(e), map.values().string(e)) != null) {
                        throw new AssertionError("key twice: " + map.keys().string(e));
                    }
                }
                yield entries;
            }
        };
    }
}
