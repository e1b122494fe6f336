package io.cordwood.hot.statistics;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.record.KafkaRecord;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.buffer.RowBuffer;
import io.cordwood.record.decode.BadLines;
import io.cordwood.record.decode.RecordDecoder;
import io.cordwood.record.policy.DecodingPolicy;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * CPU time of a row for being decoded and for the statistics of its columns, on an ndjson file with a {@code tenant_id}
 * first in each line, whose tenants are spread over partitions; and how large the statistics are.
 *
 * <p>Run: {@code java -cp ... io.cordwood.hot.statistics.RecordingBenchmark FILE.ndjson PARTITIONS [ROUNDS]}
 */
final class RecordingBenchmark {
    private static final int TAKEN_EACH = 25_000;

    private final List<KafkaRecord> records = new ArrayList<>();
    private final Set<String> tenants = new HashSet<>();
    private final int partitions;
    private long bytes;
    private double observedRatio;
    private double publishedOfRaw;

    private RecordingBenchmark(Path file, int partitions) throws IOException {
        this.partitions = partitions;
        long[] offsets = new long[partitions];
        for (String line : Files.readAllLines(file)) {
            byte[] tenant =
                    line.substring(line.indexOf(':') + 1, line.indexOf(',')).getBytes(UTF_8);
            String tenantId = new String(tenant, UTF_8);
            tenants.add(tenantId);
            byte[] value = line.getBytes(UTF_8);
            bytes += value.length;
            records.add(new KafkaRecord(offsets[partition(tenantId)]++, 1_800_000_000_000_000L, tenant, value));
        }
    }

    private int partition(String tenantId) {
        return Math.floorMod(tenantId.hashCode(), partitions);
    }

    /** Nanoseconds of CPU a row. */
    private double run(boolean withColumns) throws UndecodableRecordException {
        RecordDecoder decoder = new RecordDecoder(DecodingPolicy.DEFAULT);
        Map<String, RowBuffer> buffers = new HashMap<>();
        List<ChunkRecorder> recorders = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            recorders.add(new ChunkRecorder(partition, 0));
        }
        long observed = 0;
        long publishedBytes = 0;
        long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        int done = 0;
        for (KafkaRecord record : records) {
            String tenantId = decoder.namedTenant(record);
            RowBuffer buffer = buffers.computeIfAbsent(tenantId, id -> new RowBuffer());
            ChunkRecorder recorder = recorders.get(partition(tenantId));
            var observer =
                    withColumns ? recorder.observer(tenantId, record.offset()) : Optional.<ColumnsRecorder>empty();
            observed += observer.isPresent() ? 1 : 0;
            decoder.decode(tenantId, record, buffer, observer, BadLines.IGNORED);
            recorder.rows(tenantId, record.offset(), 1, 0, 0);
            if (++done % TAKEN_EACH == 0 && withColumns) {
                for (ChunkRecorder each : recorders) {
                    for (TenantColumns columns : each.takeColumns(tenants)) {
                        publishedBytes += TenantColumnsFormat.encode(columns).length;
                    }
                }
            }
        }
        long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
        if (withColumns) {
            observedRatio = (double) observed / records.size();
            publishedOfRaw = (double) publishedBytes / bytes;
        }
        return (double) nanos / records.size();
    }

    public static void main(String[] args) throws Exception {
        RecordingBenchmark benchmark = new RecordingBenchmark(Path.of(args[0]), Integer.parseInt(args[1]));
        int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 10;
        double without = Double.MAX_VALUE;
        double with = Double.MAX_VALUE;
        for (int round = 0; round < rounds; round++) {
            without = Math.min(without, benchmark.run(false));
            with = Math.min(with, benchmark.run(true));
        }
        System.out.printf(
                "least of %d rounds: %.0f ns a row without, %.0f with; %.2f of the rows observed; published %.4f of raw%n",
                rounds, without, with, benchmark.observedRatio, benchmark.publishedOfRaw);
    }
}
