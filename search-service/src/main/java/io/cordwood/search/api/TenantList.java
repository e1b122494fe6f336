package io.cordwood.search.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cordwood.catalog.access.Caller;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.query.snapshot.QueryCatalog;
import java.io.IOException;
import java.util.List;
import java.util.TreeSet;

/** {@code tenants}: the tenants and streams that the caller reads. Stateless. */
final class TenantList {
    private TenantList() {}

    static void write(QueryCatalog catalog, Caller caller, Output output) throws IOException {
        List<String> tenants = caller.isOperator()
                ? catalog.tenants().stream().map(Tenant::id).sorted().toList()
                : List.copyOf(new TreeSet<>(caller.tenants()));
        try (JsonGenerator json = output.json("application/json")) {
            json.writeStartObject();
            json.writeStringField("user", caller.user());
            json.writeArrayFieldStart("tenants");
            for (String tenant : tenants) {
                json.writeStartObject();
                json.writeStringField("tenant", tenant);
                json.writeArrayFieldStart("streams");
                for (String stream : catalog.streams()) {
                    if (caller.reads(tenant, stream)) {
                        json.writeString(stream);
                    }
                }
                json.writeEndArray();
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
    }
}
