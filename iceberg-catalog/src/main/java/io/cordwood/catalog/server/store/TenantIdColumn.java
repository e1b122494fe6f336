package io.cordwood.catalog.server.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * Encoding of tenant ids in the database: control characters as in JSON strings, because PostgreSQL does not accept
 * U+0000 and any key of a Kafka record can be a tenant id. Stateless.
 */
final class TenantIdColumn {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private TenantIdColumn() {}

    static String write(String tenantId) {
        try {
            String quoted = MAPPER.writeValueAsString(tenantId);
            return quoted.substring(1, quoted.length() - 1);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Cannot encode the tenant id", e);
        }
    }

    static String read(String column) {
        try {
            return MAPPER.readValue('"' + column + '"', String.class);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("The database holds a malformed tenant id: " + column, e);
        }
    }
}
