package io.cordwood.balancer.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * The ingest job's report of a partition's traffic between two checkpoints. Immutable.
 *
 * @param worker subtask that serves the partition
 * @param fromMillis start of the report, milliseconds since the epoch
 * @param toMillis end of the report
 * @param countedMillis counted time in between; reports may be missing
 * @param records Kafka records
 * @param position offset below which all records were consumed; {@link #UNKNOWN} if the report lacks it
 * @param tenants traffic by tenant
 */
record PartitionReport(
        int partition,
        String worker,
        long fromMillis,
        long toMillis,
        long countedMillis,
        long records,
        long position,
        Map<String, Traffic> tenants) {
    static final long UNKNOWN = -1;
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Number of rows, and bytes of the records' values. */
    record Traffic(long rows, long bytes) {}

    PartitionReport {
        tenants = Map.copyOf(tenants);
    }

    /** Records that had arrived by the end of the report and were not consumed; 0 if unknown. */
    double waiting(Offsets now, double arriving) {
        double since = Math.max(0, now.atMillis() - toMillis) / 1e3;
        return position == UNKNOWN ? 0 : Math.max(0, now.ends().get(partition) - position - arriving * since);
    }

    double seconds() {
        return Math.max(1, countedMillis) / 1e3;
    }

    /** Parses the job's report. @throws IllegalArgumentException if the text is not a report */
    static PartitionReport parse(String text) {
        try {
            JsonNode json = JSON.readTree(text);
            Map<String, Traffic> tenants = new HashMap<>();
            json.required("tenants")
                    .properties()
                    .forEach(tenant -> tenants.put(
                            tenant.getKey(),
                            new Traffic(
                                    tenant.getValue().required(0).asLong(),
                                    tenant.getValue().required(1).asLong())));
            return new PartitionReport(
                    json.required("partition").asInt(),
                    json.required("worker").asText(),
                    json.required("from").asLong(),
                    json.required("to").asLong(),
                    json.required("to").asLong() - json.required("from").asLong(),
                    json.required("records").asLong(),
                    json.path("position").asLong(UNKNOWN),
                    tenants);
        } catch (IOException e) {
            throw new IllegalArgumentException("Not a report of traffic: " + text, e);
        }
    }
}
