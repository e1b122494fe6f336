package io.cordwood.standalone.catalog;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.catalog.tenant.TenantNames;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * What the registry holds of a tenant; members that this program does not know are kept as they are. Immutable.
 *
 * @param json the registry's own form
 */
public record TenantEntry(ObjectNode json) {
    private static final String RETENTION = "retention-days";
    private static final String STREAM_RETENTION = "stream-retention-days";
    private static final String QUOTA = "quota-bytes-per-second";

    public TenantEntry {
        json = json.deepCopy();
    }

    /**
     * A tenant that is not registered yet, with the defaults. @throws IllegalArgumentException if it cannot be an id
     */
    public static TenantEntry of(String id) {
        return new TenantEntry(
                JsonNodeFactory.instance.objectNode().put("id", id).put("schema", TenantNames.schemaName(id)));
    }

    public String id() {
        return json.path("id").asText();
    }

    /** Its schema in SQL and its namespace in the catalog. */
    public String schema() {
        return json.path("schema").asText();
    }

    /** How many days rows are kept; empty for ever. */
    public OptionalLong retentionDays() {
        return number(RETENTION);
    }

    /** How many days rows of single streams are kept, in place of the tenant's, by stream; 0 for ever. */
    public Map<String, Long> streamRetentionDays() {
        Map<String, Long> days = new TreeMap<>();
        json.path(STREAM_RETENTION)
                .properties()
                .forEach(stream -> days.put(stream.getKey(), stream.getValue().asLong()));
        return days;
    }

    /** The same with another retention of one stream; 0 for ever, empty for the tenant's. */
    public TenantEntry withRetentionDays(String stream, OptionalLong days) {
        ObjectNode changed = json.deepCopy();
        ObjectNode streams = changed.withObjectProperty(STREAM_RETENTION);
        if (days.isPresent()) {
            streams.put(stream, days.getAsLong());
        } else {
            streams.remove(stream);
        }
        return new TenantEntry(changed);
    }

    /** How much it may ship, bytes per second; empty for any amount. */
    public OptionalLong quotaBytesPerSecond() {
        return number(QUOTA);
    }

    /** The same with another retention; 0 for ever. */
    public TenantEntry withRetentionDays(long days) {
        return with(RETENTION, days);
    }

    /** The same with another quota; 0 for any amount. */
    public TenantEntry withQuotaBytesPerSecond(long quota) {
        return with(QUOTA, quota);
    }

    private OptionalLong number(String member) {
        return json.path(member).isNumber() ? OptionalLong.of(json.path(member).asLong()) : OptionalLong.empty();
    }

    private TenantEntry with(String member, long value) {
        ObjectNode changed = json.deepCopy();
        if (value == 0) {
            changed.remove(member);
        } else {
            changed.put(member, value);
        }
        return new TenantEntry(changed);
    }
}
