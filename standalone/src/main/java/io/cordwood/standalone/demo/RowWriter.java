package io.cordwood.standalone.demo;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;

/** Writes single rows: requests, application messages about them, and occasional errors. Not thread-safe. */
final class RowWriter {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
    private static final List<String> SERVICES =
            List.of("web", "web", "web", "checkout", "catalog", "payment", "search", "auth", "mailer");
    private static final List<String> PATHS = List.of(
            "/",
            "/api/v1/items",
            "/api/v1/items",
            "/api/v1/cart",
            "/api/v1/cart",
            "/api/v1/orders",
            "/login",
            "/search",
            "/search",
            "/static/app.js",
            "/health",
            "/api/v1/users/me",
            "/checkout");
    private static final List<String> UPSTREAMS =
            List.of("inventory", "pricing", "ledger", "postgres", "redis", "smtp");
    private static final int ERROR_PER_MILLE = 12;
    private static final int WARN_PER_MILLE = 40;

    private final SplittableRandom random;

    RowWriter(SplittableRandom random) {
        this.random = random;
    }

    SampleRow row(String tenant, long micros) {
        String service = pick(SERVICES);
        String traceId = HexFormat.of().toHexDigits(random.nextLong());
        int draw = random.nextInt(1_000);
        if (draw < ERROR_PER_MILLE) {
            return error(tenant, micros, service, traceId);
        }
        if (draw < ERROR_PER_MILLE + WARN_PER_MILLE) {
            return event(tenant, micros, "WARN", service, traceId, false, warning());
        }
        return service.equals("web")
                ? request(tenant, micros, traceId)
                : event(tenant, micros, "INFO", service, traceId, false, information());
    }

    private SampleRow request(String tenant, long micros, String traceId) {
        String path = pick(PATHS);
        int status = random.nextInt(100) < 96 ? 200 : 404;
        double latency = Math.round(Math.exp(random.nextDouble() * 6) * 10) / 10.0;
        String message = "GET %s %d in %s ms".formatted(path, status, latency);
        String json = open(micros, "INFO", "web", traceId)
                + ",\"client\":\"10.%d.%d.%d\"".formatted(byteValue(), byteValue(), byteValue())
                + ",\"http\":{\"method\":\"GET\",\"path\":\"%s\",\"status\":%d}".formatted(path, status)
                + ",\"latency_ms\":" + latency + ",\"bytes\":" + random.nextInt(200, 60_000)
                + ",\"message\":\"" + message + "\"}";
        return new SampleRow(tenant, micros, "INFO", "web", path, traceId, false, json);
    }

    private SampleRow error(String tenant, long micros, String service, String traceId) {
        String upstream = pick(UPSTREAMS);
        int port = random.nextInt(1_024, 65_536);
        return switch (random.nextInt(3)) {
            case 0 ->
                event(
                        tenant,
                        micros,
                        "ERROR",
                        service,
                        traceId,
                        true,
                        "connection to %s-%d.internal:%d timed out after %d ms"
                                .formatted(upstream, random.nextInt(8), port, random.nextInt(1, 30) * 1_000));
            case 1 ->
                event(
                        tenant,
                        micros,
                        "ERROR",
                        service,
                        traceId,
                        false,
                        "payment %s declined by bank: insufficient funds".formatted(id()));
            default ->
                event(
                        tenant,
                        micros,
                        "ERROR",
                        service,
                        traceId,
                        false,
                        "java.lang.IllegalStateException: lock of order %d is held\\n\\tat com.example.%s.Orders.lock(Orders.java:%d)"
                                .formatted(random.nextInt(1_000_000), service, random.nextInt(20, 400)));
        };
    }

    private String warning() {
        return random.nextBoolean()
                ? "retrying request %d of 5 to %s".formatted(random.nextInt(1, 5), pick(UPSTREAMS))
                : "slow query on %s: %d ms".formatted(pick(UPSTREAMS), random.nextInt(500, 9_000));
    }

    private String information() {
        return switch (random.nextInt(4)) {
            case 0 ->
                "user %d logged in from 10.%d.%d.%d"
                        .formatted(random.nextInt(100_000), byteValue(), byteValue(), byteValue());
            case 1 -> "order %d shipped, parcel %s".formatted(random.nextInt(1_000_000), id());
            case 2 -> "cache miss for key cart:%d".formatted(random.nextInt(100_000));
            default -> "session %s refreshed".formatted(id());
        };
    }

    private SampleRow event(
            String tenant,
            long micros,
            String level,
            String service,
            String traceId,
            boolean timedOut,
            String message) {
        String json = open(micros, level, service, traceId) + ",\"message\":\"" + message + "\"}";
        return new SampleRow(tenant, micros, level, service, "", traceId, timedOut, json);
    }

    private String open(long micros, String level, String service, String traceId) {
        return "{\"ts\":\"%s\",\"level\":\"%s\",\"service\":\"%s\",\"host\":\"%s-%d\",\"trace_id\":\"%s\""
                .formatted(
                        TIME.format(Instant.EPOCH.plus(micros, ChronoUnit.MICROS)),
                        level,
                        service,
                        service,
                        random.nextInt(4),
                        traceId);
    }

    private String id() {
        return Integer.toHexString(random.nextInt(1 << 24));
    }

    private int byteValue() {
        return random.nextInt(256);
    }

    private String pick(List<String> values) {
        return values.get(random.nextInt(values.size()));
    }
}
