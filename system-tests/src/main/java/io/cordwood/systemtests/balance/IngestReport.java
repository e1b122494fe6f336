package io.cordwood.systemtests.balance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * The records that a worker ingested from a partition between two checkpoints, as the job reports them to Redis.
 * Immutable.
 *
 * @param fromMillis start of the interval
 * @param toMillis end of the interval
 * @param bytes bytes of values
 * @param rows rows by tenant
 * @param position offset below which all records were ingested at the end of the interval
 * @param lag records in the partition that were not ingested at the end of the interval
 * @param delayMillis approximate time from arrival to ingestion of the last record
 */
record IngestReport(
        int partition,
        String worker,
        long fromMillis,
        long toMillis,
        long records,
        long bytes,
        Map<String, Long> rows,
        long position,
        long lag,
        long delayMillis) {
    private static final ObjectMapper JSON = new ObjectMapper();

    IngestReport {
        rows = Map.copyOf(rows);
    }

    /** A report without the lag and the delay. */
    static IngestReport parse(String report) throws IOException {
        JsonNode json = JSON.readTree(report);
        Map<String, Long> rows = new HashMap<>();
        long bytes = 0;
        for (Map.Entry<String, JsonNode> tenant : json.required("tenants").properties()) {
            rows.put(tenant.getKey(), tenant.getValue().required(0).asLong());
            bytes += tenant.getValue().required(1).asLong();
        }
        return new IngestReport(
                json.required("partition").asInt(),
                json.required("worker").asText(),
                json.required("from").asLong(),
                json.required("to").asLong(),
                json.required("records").asLong(),
                bytes,
                rows,
                json.required("position").asLong(),
                0,
                0);
    }

    /** A copy with the lag and the delay. */
    IngestReport left(PartitionEnds ends) {
        long behind = Math.max(0, ends.endAt(toMillis) - position);
        return new IngestReport(
                partition,
                worker,
                fromMillis,
                toMillis,
                records,
                bytes,
                rows,
                position,
                behind,
                behind == 0 ? 0 : Math.max(0, toMillis - ends.millisOf(position)));
    }
}
