package io.cordwood.gateway.door;

import static java.util.Objects.requireNonNull;

import io.cordwood.gateway.pipeline.PipelineCounts;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.cordwood.gateway.send.InFlight;
import io.cordwood.http.RequestMetrics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What comes through the doors, in the text format of Prometheus. Thread-safe. */
public final class GatewayMetrics {
    /** Series per tenant are bounded; those of later tenants go together. */
    private static final int MAX_TENANTS = 1000;

    private static final String OTHER_TENANTS = "~other";

    private final RequestMetrics requests = new RequestMetrics("cordwood_gateway", "door");
    private final Map<String, LongAdder> rows = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> bytes = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> tenantRows = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> tenantBytes = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> rejected = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> refused = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> dropped = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> unparsed = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> redacted = new ConcurrentHashMap<>();
    private final InFlight inFlight;

    public GatewayMetrics(InFlight inFlight) {
        this.inFlight = requireNonNull(inFlight, "inFlight is null");
    }

    /** Records an answered request, with the HTTP status that says how. */
    public void answered(String door, int status, long nanos) {
        requests.answered(door, status, nanos);
    }

    /** Begins the series of a door at 0: a counter that begins with what it counts has no rate then. */
    public void announce(String door) {
        for (Map<String, LongAdder> series : List.of(rows, bytes, rejected)) {
            series.computeIfAbsent(label("door", door), any -> new LongAdder());
        }
        for (Reason reason : Reason.values()) {
            refused.computeIfAbsent(refusal(door, reason), any -> new LongAdder());
        }
    }

    private static String refusal(String door, Reason reason) {
        return label("door", door) + "," + label("reason", reason.name().toLowerCase(Locale.ROOT));
    }

    /** Records rows that Kafka has acknowledged, and the bytes of the request that brought them, unpacked. */
    void acknowledged(String door, String tenant, long addedRows, long addedBytes) {
        add(rows, label("door", door), addedRows);
        add(bytes, label("door", door), addedBytes);
        String name = tenantLabel(tenant);
        add(tenantRows, name, addedRows);
        add(tenantBytes, name, addedBytes);
    }

    private String tenantLabel(String tenant) {
        String name = label("tenant", tenant);
        return tenantRows.containsKey(name) || tenantRows.size() < MAX_TENANTS ? name : label("tenant", OTHER_TENANTS);
    }

    /** Records what the tenant's pipeline did to rows that Kafka has acknowledged. */
    void piped(String tenant, PipelineCounts counts) {
        String name = tenantLabel(tenant);
        add(dropped, name, counts.dropped());
        add(unparsed, name, counts.unparsed());
        counts.redacted().forEach((kind, values) -> add(redacted, name + "," + label("kind", kind), values));
    }

    /** Records rows that were not taken although others of their request were. */
    void rejected(String door, long count) {
        add(rejected, label("door", door), count);
    }

    /** Records a request that was not taken. */
    public void refused(String door, Reason reason) {
        add(refused, refusal(door, reason), 1);
    }

    private static String label(String name, String value) {
        return "%s=\"%s\""
                .formatted(
                        name, value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"));
    }

    private static void add(Map<String, LongAdder> series, String labels, long count) {
        if (count > 0) {
            series.computeIfAbsent(labels, any -> new LongAdder()).add(count);
        }
    }

    /** All series. */
    public String toPrometheus() {
        StringBuilder text = new StringBuilder(requests.toPrometheus());
        append(text, "rows_total", "Rows that Kafka has acknowledged, by door", rows);
        append(text, "bytes_total", "Unpacked bytes of the requests that brought these rows, by door", bytes);
        append(text, "tenant_rows_total", "Rows that Kafka has acknowledged, by tenant", tenantRows);
        append(text, "tenant_bytes_total", "Unpacked bytes of these rows' requests, by tenant", tenantBytes);
        append(text, "rejected_rows_total", "Rows not taken from requests that were, by door", rejected);
        append(text, "refused_requests_total", "Requests not taken, by door and reason", refused);
        append(text, "pipeline_dropped_rows_total", "Rows left out by the pipeline of their tenant", dropped);
        append(text, "pipeline_unparsed_total", "Parse steps that left a row as it was, by tenant", unparsed);
        append(text, "pipeline_redacted_values_total", "Sensitive values taken out, by tenant and kind", redacted);
        return text.append("""
            # HELP cordwood_gateway_in_flight_bytes Memory of requests that are not answered
            # TYPE cordwood_gateway_in_flight_bytes gauge
            cordwood_gateway_in_flight_bytes %d
            """.formatted(inFlight.bytes())).toString();
    }

    private static void append(StringBuilder text, String name, String help, Map<String, LongAdder> series) {
        text.append("# HELP cordwood_gateway_%1$s %2$s\n# TYPE cordwood_gateway_%1$s counter\n".formatted(name, help));
        new TreeMap<>(series)
                .forEach((labels, count) ->
                        text.append("cordwood_gateway_%s{%s} %d\n".formatted(name, labels, count.sum())));
    }
}
