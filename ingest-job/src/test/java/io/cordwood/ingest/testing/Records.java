package io.cordwood.ingest.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.ingest.source.LogPartition;
import io.cordwood.ingest.source.RecordBatch;
import io.cordwood.record.KafkaRecord;
import java.util.List;
import java.util.stream.Stream;

/** Records for tests, of stream {@code logs}. */
public final class Records {
    public static final String STREAM = "logs";
    public static final String TOPIC_ID = "AAAAAAAAAAAAAAAAAAAAAQ";
    public static final int LEADER_EPOCH = 2;

    private Records() {}

    /** A record with one row. */
    public static RecordBatch json(int partition, long offset, String tenantId, long appendMillis) {
        return value(
                partition,
                offset,
                tenantId,
                appendMillis,
                "{\"n\":%d,\"message\":\"row %d\"}".formatted(offset, offset));
    }

    public static RecordBatch value(int partition, long offset, String tenantId, long appendMillis, String value) {
        return new RecordBatch(
                new LogPartition(STREAM, TOPIC_ID, partition),
                LEADER_EPOCH,
                List.of(new KafkaRecord(offset, appendMillis * 1000, tenantId.getBytes(UTF_8), value.getBytes(UTF_8))));
    }

    /** A record with a row for each line. */
    public static RecordBatch lines(int partition, long offset, String tenantId, long appendMillis, String lines) {
        KafkaRecord record = value(partition, offset, tenantId, appendMillis, lines)
                .records()
                .getFirst();
        return new RecordBatch(
                new LogPartition(STREAM, TOPIC_ID, partition),
                LEADER_EPOCH,
                List.of(new KafkaRecord(
                        offset,
                        record.appendTimeMicros(),
                        record.key(),
                        record.value(),
                        record.tenantHeader(),
                        "application/x-ndjson".getBytes(UTF_8))));
    }

    /** What the source sends of records of one partition that it read together. */
    public static RecordBatch batch(RecordBatch... records) {
        return new RecordBatch(
                records[0].partition(),
                records[0].leaderEpoch(),
                Stream.of(records).flatMap(one -> one.records().stream()).toList());
    }
}
