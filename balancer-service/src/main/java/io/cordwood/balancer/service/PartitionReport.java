package io.cordwood.balancer.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * What the ingest job says it took in from a partition between two of its checkpoints. Immutable.
 *
 * @param worker the subtask that serves the partition
 * @param fromMillis since when it counted, milliseconds of the epoch
 * @param toMillis until when
 * @param countedMillis how long it counted in between; reports may be missing
 * @param records Kafka records
 * @param position offset below which all records were taken in; {@link #UNKNOWN} if that was not said
 * @param tenants by tenant
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

    /** Rows, and bytes of the records' values. */
    record Traffic(long rows, long bytes) {}

    PartitionReport {
        tenants = Map.copyOf(tenants);
    }

    /** Records that had come by then and were not taken in; 0 if unknown. */
    double waiting(Offsets now, double arriving) {
        double since = Math.max(0, now.atMillis() - toMillis) / 1e3;
        return position == UNKNOWN ? 0 : Math.max(0, now.ends().get(partition) - position - arriving * since);
    }

    double seconds() {
        return Math.max(1, countedMillis) / 1e3;
    }

    /** Reads what the job wrote. @throws IllegalArgumentException if it is something else */
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
