package io.cordwood.ingest.builder;

import io.cordwood.ingest.runtime.JobClock;
import io.cordwood.record.KafkaRecord;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.buffer.RowBuffer;
import io.cordwood.record.decode.RecordDecoder;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Decodes records into the buffers of their tenants; a record that cannot be decoded, or a line of a batch, becomes a
 * dead letter. Used by the task thread only.
 */
final class RecordAppender {
    private final RecordDecoder decoder;
    private final JobClock clock;
    private final MemoryBudget budget;
    private final TenantFlusher flusher;
    private final ColumnDeclarations declarations;
    private final TrafficMeter traffic;
    private final BuildMetrics metrics;
    private final Consumer<DeadLetter> deadLetters;
    private final BadLineLetters badLines;

    RecordAppender(
            RecordDecoder decoder,
            JobClock clock,
            MemoryBudget budget,
            TenantFlusher flusher,
            ColumnDeclarations declarations,
            TrafficMeter traffic,
            BuildMetrics metrics,
            Consumer<DeadLetter> deadLetters) {
        this.decoder = decoder;
        this.clock = clock;
        this.budget = budget;
        this.flusher = flusher;
        this.declarations = declarations;
        this.traffic = traffic;
        this.metrics = metrics;
        this.deadLetters = deadLetters;
        this.badLines = new BadLineLetters(metrics, deadLetters);
    }

    /**
     * Appends the rows of a record, unless it was ingested before; flushes the tenant if its rows are large enough. A
     * record that may not name its tenant leaves no trace with this tenant.
     */
    void append(PartitionBuffers partition, KafkaRecord kafka) throws Exception {
        if (kafka.offset() < partition.position()) {
            metrics.skipped();
            return;
        }
        int bytes = kafka.value().length;
        long bytesBefore = partition.bytesRead();
        partition.advance(kafka.offset(), bytes);
        try {
            TenantBuffer tenant = partition.tenant(decoder.tenant(partition.partition().stream(), kafka));
            RowBuffer buffer = tenant.buffer();
            int rowsBefore = buffer.rowCount();
            badLines.begin(partition.partition(), kafka);
            int rows =
                    decoder.decode(tenant.tenantId(), kafka, buffer, partition.observer(tenant.tenantId()), badLines);
            badLines.end();
            metrics.decoded(rows, bytes);
            metrics.replacedTimes(decoder.unparsedTimes(), decoder.restamped());
            traffic.add(partition.partition(), tenant.tenantId(), rows, bytes);
            if (rows > 0) {
                partition.rows(tenant.tenantId(), rows, buffer.times(rowsBefore));
                partition.keep(tenant);
                declarations.rowsAdded(tenant);
                // Caps the append time at now, because the broker's clock may be ahead.
                long appendMicros = Math.min(kafka.appendTimeMicros(), clock.wallMillis() * 1000);
                budget.buffered(tenant.appended(kafka.offset(), appendMicros, clock.ticks(), bytesBefore));
                flusher.flushIfLarge(tenant);
            }
        } catch (UndecodableRecordException e) {
            metrics.deadLetter(e.reason());
            deadLetters.accept(new DeadLetter(
                    partition.partition(),
                    kafka.withoutToken(),
                    OptionalInt.empty(),
                    e.reason().name(),
                    String.valueOf(e.getMessage())));
        }
    }
}
