package io.cordwood.ingest.builder;

import io.cordwood.catalog.commit.Flush;
import io.cordwood.ingest.commit.TableFlush;
import io.cordwood.ingest.report.TrafficReport;
import io.cordwood.ingest.report.TrafficReporter;
import io.cordwood.ingest.source.LogPartition;
import io.cordwood.ingest.source.PartitionEvent;
import io.cordwood.ingest.source.PartitionSpread;
import io.cordwood.ingest.source.RecordBatch;
import io.cordwood.ingest.testing.MemoryTableStorage;
import io.cordwood.ingest.testing.SkewedClock;
import io.cordwood.record.policy.DecodingPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;

/** The builder of a job that requires tokens, on its own. For one thread. */
final class TokenJob implements AutoCloseable {
    private static final Queue<TrafficReport> REPORTS = new ConcurrentLinkedQueue<>();

    private final MemoryTableStorage storage;
    private final String stream;
    private final long startMillis;
    private final KeyedOneInputStreamOperatorTestHarness<LogPartition, PartitionEvent, TableFlush> harness;

    TokenJob(MemoryTableStorage storage, String stream, long startMillis) throws Exception {
        this.storage = storage;
        this.stream = stream;
        this.startMillis = startMillis;
        REPORTS.clear();
        BuildOptions options = FlushOrders.options(DecodingPolicy.DEFAULT.withRequireToken(true), 1000);
        harness = new KeyedOneInputStreamOperatorTestHarness<>(
                new BuildOperatorFactory(options, storage.factory(), TokenJob::reporter, "", new SkewedClock()),
                PartitionEvent::partition,
                LogPartition.TYPE,
                PartitionSpread.MAX_PARALLELISM,
                1,
                0);
        harness.setStateBackend(new EmbeddedRocksDBStateBackend());
        harness.setProcessingTime(startMillis);
        harness.open();
    }

    private static TrafficReporter reporter() {
        return new TrafficReporter() {
            @Override
            public void report(TrafficReport report) {
                REPORTS.add(report);
            }

            @Override
            public void close() {}
        };
    }

    void send(RecordBatch batch) throws Exception {
        harness.processElement(new StreamRecord<>(batch));
    }

    /** Flushes all rows, takes a checkpoint, and commits. */
    void commit() throws Exception {
        harness.setProcessingTime(startMillis + Duration.ofHours(2).toMillis());
        harness.prepareSnapshotPreBarrier(1);
        harness.snapshot(1, 0);
        Map<String, List<Flush>> byTenant = new TreeMap<>();
        for (TableFlush flush : harness.extractOutputValues()) {
            byTenant.computeIfAbsent(flush.tenantId(), any -> new ArrayList<>()).add(flush.flush());
        }
        for (Map.Entry<String, List<Flush>> tenant : byTenant.entrySet()) {
            storage.commit(tenant.getKey(), stream, tenant.getValue());
        }
    }

    List<DeadLetter> deadLetters() {
        var output = harness.getSideOutput(BuildOperatorFactory.DEAD_LETTERS);
        return output == null
                ? List.of()
                : output.stream().map(StreamRecord::getValue).toList();
    }

    /** The tenants whose traffic was reported. */
    Set<String> reportedTenants() {
        Set<String> tenants = new TreeSet<>();
        REPORTS.forEach(report -> report.streams()
                .values()
                .forEach(partitions -> partitions
                        .values()
                        .forEach(partition -> tenants.addAll(partition.tenants().keySet()))));
        return tenants;
    }

    @Override
    public void close() {
        try {
            harness.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
