package io.cordwood.record.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.alibaba.fastjson2.JSONFactory;
import com.alibaba.fastjson2.JSONReader;
import com.dslplatform.json.DslJson;
import com.dslplatform.json.JsonReader;
import com.dslplatform.json.NumberConverter;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.record.KafkaRecord;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.assemble.AssembledRows;
import io.cordwood.record.assemble.DayRows;
import io.cordwood.record.assemble.RowAssembler;
import io.cordwood.record.buffer.RowBuffer;
import io.cordwood.record.buffer.SeenMembers;
import io.cordwood.record.buffer.SettledMembers;
import io.cordwood.record.json.JsonScanner;
import io.cordwood.record.policy.DecodingPolicy;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Rows per CPU second of decoding, of chunks and of assembly, on an ndjson file with a {@code tenant_id} in each line;
 * beside it the streaming parsers of Jackson, fastjson2 and DSL-JSON on the same records.
 *
 * <p>Run: {@code java -cp ... io.cordwood.record.decode.DecodingBenchmark FILE.ndjson [ROUNDS]}
 */
final class DecodingBenchmark {
    private static final int INSPECT_ROWS = 20_000;

    private final List<KafkaRecord> records = new ArrayList<>();
    private long bytes;

    private DecodingBenchmark(Path file) throws IOException {
        byte[] tenant = new byte[0];
        for (String line : Files.readAllLines(file)) {
            int colon = line.indexOf(':');
            tenant = line.substring(colon + 1, line.indexOf(',')).getBytes(UTF_8);
            byte[] value = line.getBytes(UTF_8);
            bytes += value.length;
            records.add(new KafkaRecord(records.size(), 1_800_000_000_000_000L, tenant, value));
        }
    }

    private static double cpuSeconds() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e9;
    }

    /** The same of work whose result nobody needs: that it is looked at keeps the work from being left out. */
    private void report(String what, double start, long result) {
        report(what, start);
        if (result == 42) {
            throw new AssertionError("unlikely");
        }
    }

    private void report(String what, double since) {
        double seconds = cpuSeconds() - since;
        System.out.printf(
                "%-24s %,12.0f rows/CPU s  %6.2f us/row%n",
                what, records.size() / seconds, seconds / records.size() * 1e6);
    }

    private void jackson() throws IOException {
        JsonFactory factory = new JsonFactory();
        double start = cpuSeconds();
        long sum = 0;
        for (KafkaRecord record : records) {
            try (JsonParser parser = factory.createParser(record.value())) {
                for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                    if (token == JsonToken.VALUE_STRING) {
                        sum += parser.getTextLength();
                    } else if (token == JsonToken.VALUE_NUMBER_INT) {
                        sum += parser.getLongValue();
                    }
                }
            }
        }
        report("Jackson, tokens only", start, sum);
    }

    private void fastjson() {
        JSONReader.Context context = JSONFactory.createReadContext();
        double start = cpuSeconds();
        long sum = 0;
        for (KafkaRecord record : records) {
            try (JSONReader reader = JSONReader.of(record.value(), context)) {
                reader.nextIfObjectStart();
                while (!reader.nextIfObjectEnd()) {
                    sum += reader.readFieldName().length();
                    if (reader.isString()) {
                        sum += reader.readString().length();
                    } else if (reader.isNumber()) {
                        sum += reader.readInt64Value();
                    } else {
                        reader.skipValue();
                    }
                }
            }
        }
        report("fastjson2, tokens only", start, sum);
    }

    private void dslJson() throws IOException {
        JsonReader<Object> reader = new DslJson<>().newReader();
        double start = cpuSeconds();
        long sum = 0;
        for (KafkaRecord record : records) {
            reader.process(record.value(), record.value().length);
            reader.getNextToken();
            byte token = reader.getNextToken();
            while (token != '}') {
                sum += reader.readKey().length();
                switch (reader.last()) {
                    case '"' -> {
                        sum += reader.readString().length();
                        token = reader.getNextToken();
                    }
                    case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> {
                        sum += NumberConverter.deserializeLong(reader);
                        token = reader.getNextToken();
                    }
                    default -> token = reader.skip();
                }
                if (token == ',') {
                    token = reader.getNextToken();
                }
            }
        }
        report("DSL-JSON, tokens only", start, sum);
    }

    private void scan() throws UndecodableRecordException {
        JsonScanner scanner = new JsonScanner();
        double start = cpuSeconds();
        long sum = 0;
        for (KafkaRecord record : records) {
            scanner.reset(record.value(), 0, record.value().length);
            scanner.expect('{');
            do {
                scanner.expect('"');
                scanner.string();
                scanner.expect(':');
                scanner.value();
                sum += scanner.stop() - scanner.start();
                if (scanner.peek() == '}') {
                    break;
                }
                scanner.expect(',');
            } while (true);
        }
        report("own scanner, tokens only", start, sum);
    }

    private void decode() throws UndecodableRecordException {
        RecordDecoder decoder = new RecordDecoder(DecodingPolicy.DEFAULT);
        Map<String, RowBuffer> buffers = new HashMap<>();
        Map<String, List<RowBuffer>> all = new HashMap<>();
        double start = cpuSeconds();
        for (KafkaRecord record : records) {
            String tenant = decoder.namedTenant(record);
            decoder.decode(tenant, record, buffers.computeIfAbsent(tenant, id -> new RowBuffer()));
        }
        report("decode, new buffers", start);
        RowBuffer one = new RowBuffer();
        start = cpuSeconds();
        for (KafkaRecord record : records) {
            decoder.decode("1", record, one);
        }
        report("decode, one tenant", start);
        buffers.values().forEach(RowBuffer::clear);
        start = cpuSeconds();
        for (KafkaRecord record : records) {
            String tenant = decoder.namedTenant(record);
            decoder.decode(tenant, record, buffers.get(tenant));
        }
        report("decode, used buffers", start);
        inspect(decoder, buffers);
        long held = 0;
        for (RowBuffer buffer : buffers.values()) {
            held += buffer.sizeInBytes();
        }
        System.out.printf("%-24s %12.3f bytes per raw byte%n", "buffers", (double) held / bytes);
        start = cpuSeconds();
        Map<String, byte[]> chunks = new HashMap<>();
        buffers.forEach((tenant, buffer) -> chunks.put(tenant, buffer.toChunk()));
        report("toChunk", start);
        long packed = 0;
        for (byte[] chunk : chunks.values()) {
            packed += chunk.length;
        }
        System.out.printf("%-24s %12.3f bytes per raw byte%n", "chunks", (double) packed / bytes);
        start = cpuSeconds();
        chunks.forEach((tenant, chunk) -> all.put(tenant, List.of(RowBuffer.fromChunk(chunk))));
        report("fromChunk", start);
        RowAssembler assembler = new RowAssembler(DecodingPolicy.DEFAULT, "logs");
        start = cpuSeconds();
        long rows = 0;
        for (Map.Entry<String, List<RowBuffer>> entry : all.entrySet()) {
            LogBlockSchema table = Tables.with(assembler.missingColumns(Tables.BASE, entry.getValue()));
            AssembledRows assembled = assembler.assemble(table, entry.getKey(), "topic", 0, entry.getValue());
            for (DayRows day : assembled.days()) {
                rows += day.rows();
            }
        }
        report("assemble", start);
        if (rows != records.size()) {
            throw new AssertionError(rows);
        }
    }

    /** Decodes into used buffers, as before, and searches for new members as often as a job does at full speed. */
    private void inspect(RecordDecoder decoder, Map<String, RowBuffer> buffers) throws UndecodableRecordException {
        RowAssembler assembler = new RowAssembler(DecodingPolicy.DEFAULT, "logs");
        Map<String, SettledMembers> settled = new HashMap<>();
        buffers.forEach((tenant, buffer) -> {
            SeenMembers seen = new SeenMembers(SettledMembers.NONE);
            seen.add(buffer, 0);
            LogBlockSchema table = Tables.with(assembler.missingColumns(Tables.BASE, seen, 0));
            settled.put(tenant, assembler.settled(table, seen));
            buffer.clear();
        });
        Map<String, Integer> inspected = new HashMap<>();
        double start = cpuSeconds();
        double inspecting = 0;
        int decoded = 0;
        for (KafkaRecord record : records) {
            String tenant = decoder.namedTenant(record);
            decoder.decode(tenant, record, buffers.get(tenant));
            if (++decoded % INSPECT_ROWS == 0) {
                double startOfInspection = cpuSeconds();
                buffers.forEach((tenantId, buffer) -> {
                    int from = inspected.getOrDefault(tenantId, 0);
                    if (buffer.unsettledFrom(from, settled.get(tenantId)).isPresent()) {
                        throw new AssertionError("nothing new came");
                    }
                    inspected.put(tenantId, buffer.rowCount());
                });
                inspecting += cpuSeconds() - startOfInspection;
            }
        }
        report("decode and inspect", start);
        System.out.printf("%-24s %12.4f us/row%n", "inspect", inspecting / decoded * 1e6);
    }

    public static void main(String[] args) throws Exception {
        DecodingBenchmark benchmark = new DecodingBenchmark(Path.of(args[0]));
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
        for (int round = 0; round < rounds; round++) {
            System.out.println("round " + (round + 1));
            benchmark.jackson();
            benchmark.fastjson();
            benchmark.dslJson();
            benchmark.scan();
            benchmark.decode();
        }
    }
}
