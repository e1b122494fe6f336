package io.cordwood.systemtests.balance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * What a worker took in from a partition between two checkpoints, as the job reports it to Redis. Immutable.
 *
 * @param fromMillis since when it counted
 * @param toMillis until when
 * @param bytes bytes of values
 * @param rows rows by tenant
 * @param position offset below which all records were taken in at the end of that time
 * @param lag records that were in the partition at the end of that time and not taken in
 * @param delayMillis how long the record that came last had waited to be taken in, about
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

    /** What a report says, not yet with what was left. */
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

    /** The same with what was left. */
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
