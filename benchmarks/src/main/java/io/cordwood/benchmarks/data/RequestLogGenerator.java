package io.cordwood.benchmarks.data;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Seeded rows like LogStore's {@code request_log} (section 6.1): tenants by Zipf 0.99 over a day or two, in time order.
 */
public final class RequestLogGenerator {
    private static final double THETA = 0.99;
    public static final long START = Instant.parse("2026-11-18T00:00:00Z").getEpochSecond() * 1_000_000;
    public static final long HOUR = 3_600_000_000L;
    private static final String[] SERVICES = {"cart", "order", "payment", "search", "travel", "user", "auth", "mail"};
    private static final String[] TEMPLATES = {
        "Get Route By id %d from %s to shanghai, trace_id=%s",
        "user %d logged in from %s session %s",
        "Connection to %2$s refused after %1$d ms, retrying request %3$s",
        "GetCartAsync called with userId=%3$s items=%1$d host %2$s",
        "bytes result sent to driver %2$s: %1$d trace %3$s",
        "java.lang.IllegalStateException: order %3$s cannot be paid twice\\n\\tat io.shop.Order.pay(Order.java:%1$d) %2$s",
        "from nanjing to shanghai: price %d for train %2$s token=%3$s",
    };

    private final Random random = new Random(42);
    private final double[] cumulated;

    private RequestLogGenerator(int tenants) {
        cumulated = new double[tenants];
        double sum = 0;
        for (int tenant = 0; tenant < tenants; tenant++) {
            sum += Math.pow(tenant + 1, -THETA);
            cumulated[tenant] = sum;
        }
    }

    public static void write(Path file, int rows, int tenants, int hours) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (String line : lines(rows, tenants, hours)) {
                out.write(line);
                out.write('\n');
            }
        }
    }

    /** The lines, generated lazily; can be iterated once. */
    public static Iterable<String> lines(int rows, int tenants, int hours) {
        RequestLogGenerator generator = new RequestLogGenerator(tenants);
        return () -> IntStream.range(0, rows)
                .mapToObj(row -> generator.line(START + (long) ((double) row / rows * hours * HOUR)))
                .iterator();
    }

    private String line(long micros) {
        boolean fail = random.nextInt(50) == 0;
        String address = "10.%d.%d.%d".formatted(random.nextInt(4), random.nextInt(16), random.nextInt(64));
        String log =
                TEMPLATES[random.nextInt(TEMPLATES.length)].formatted(random.nextInt(100_000), address, hex() + hex());
        return """
                {"tenant_id":%d,"ts":%d,"ip":"%s","api":"/api/v%d/%s","latency":%d,"fail":%b,"level":"%s",\
                "service":"%s","log":"%s"}""".formatted(
                        tenant(),
                        micros,
                        address,
                        1 + random.nextInt(2),
                        SERVICES[random.nextInt(SERVICES.length)],
                        1 + (int) Math.exp(3.7 + 1.1 * random.nextGaussian()),
                        fail,
                        fail ? "ERROR" : random.nextInt(10) == 0 ? "WARN" : "INFO",
                        SERVICES[random.nextInt(SERVICES.length)],
                        log);
    }

    private int tenant() {
        double target = random.nextDouble() * cumulated[cumulated.length - 1];
        int found = Arrays.binarySearch(cumulated, target);
        return 1 + (found >= 0 ? found : Math.min(-found - 1, cumulated.length - 1));
    }

    private String hex() {
        return HexFormat.of().toHexDigits(random.nextLong());
    }
}
