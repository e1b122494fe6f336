package io.cordwood.ingest.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * The records that a subtask ingested between two checkpoints. Immutable.
 *
 * @param worker name of the subtask
 * @param fromMillis start of the period, milliseconds since the epoch
 * @param toMillis end of the period
 * @param streams traffic by stream and partition
 */
public record TrafficReport(
        String worker, long fromMillis, long toMillis, Map<String, Map<Integer, PartitionTraffic>> streams) {
    private static final JsonFactory JSON = new JsonFactory();

    /**
     * The traffic of a partition.
     *
     * @param records Kafka records, which may hold several rows each
     * @param position offset below which all records were ingested
     */
    public record PartitionTraffic(long records, long position, Map<String, Traffic> tenants) {}

    /** Rows, and bytes of the records' values. */
    public record Traffic(long rows, long bytes) {}

    /**
     * The report of a partition: {@code {"partition": 3, "worker": "1", "from": ms, "to": ms, "records": n,
     * "position": offset, "tenants": {"acme": [rows, bytes]}}}. The balancer reads it.
     */
    String toJson(int partition, PartitionTraffic traffic) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeNumberField("partition", partition);
            json.writeStringField("worker", worker);
            json.writeNumberField("from", fromMillis);
            json.writeNumberField("to", toMillis);
            json.writeNumberField("records", traffic.records());
            json.writeNumberField("position", traffic.position());
            json.writeObjectFieldStart("tenants");
            for (Map.Entry<String, Traffic> tenant : traffic.tenants().entrySet()) {
                json.writeArrayFieldStart(tenant.getKey());
                json.writeNumber(tenant.getValue().rows());
                json.writeNumber(tenant.getValue().bytes());
                json.writeEndArray();
            }
            json.writeEndObject();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }
}
