package io.cordwood.standalone.catalog;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.catalog.tenant.TenantNames;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * A tenant's entry in the registry. It keeps members that this program does not know. Immutable.
 *
 * @param json the entry as the registry stores it
 */
public record TenantEntry(ObjectNode json) {
    private static final String RETENTION = "retention-days";
    private static final String STREAM_RETENTION = "stream-retention-days";
    private static final String QUOTA = "quota-bytes-per-second";

    public TenantEntry {
        json = json.deepCopy();
    }

    /** A tenant that is not registered yet, with the defaults. @throws IllegalArgumentException if the id is invalid */
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

    /** Retention in days; empty for unlimited. */
    public OptionalLong retentionDays() {
        return number(RETENTION);
    }

    /** Retention in days by stream, which overrides the tenant's; 0 for unlimited. */
    public Map<String, Long> streamRetentionDays() {
        Map<String, Long> days = new TreeMap<>();
        json.path(STREAM_RETENTION)
                .properties()
                .forEach(stream -> days.put(stream.getKey(), stream.getValue().asLong()));
        return days;
    }

    /** A copy with another retention of one stream; 0 for unlimited, empty for the tenant's. */
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

    /** Quota in bytes per second; empty for unlimited. */
    public OptionalLong quotaBytesPerSecond() {
        return number(QUOTA);
    }

    /** A copy with another retention; 0 for unlimited. */
    public TenantEntry withRetentionDays(long days) {
        return with(RETENTION, days);
    }

    /** A copy with another quota; 0 for unlimited. */
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
