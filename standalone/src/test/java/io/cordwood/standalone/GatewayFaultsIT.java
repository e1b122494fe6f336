package io.cordwood.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.services.Waiting;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.process.PidFile;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Shippers send to the gateway while it, the broker and the ingest job are killed. A row that was acknowledged is
 * found; one that is found twice was sent twice by its shipper, which got no answer the first time.
 */
@Tag("slow")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class GatewayFaultsIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> KILLED = List.of("gateway", "kafka", "flink");
    private static final Duration UNDER_KILLS = Duration.ofMinutes(10);
    private static final Duration WITHOUT_BROKER = Duration.ofMinutes(2);
    private static final Duration SLOWEST_ANSWER = Duration.ofSeconds(25);
    private static final long MAX_GROWTH = 200L << 20;
    private static final int SHIPPERS = 4;
    private static final int BATCH = 20;
    private static final Duration BETWEEN = Duration.ofSeconds(6);
    private static final Duration RETRY = Duration.ofMillis(200);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private Home home;
    private Program cordwood;

    private final AtomicLong next = new AtomicLong();
    private final AtomicLong retries = new AtomicLong();
    private final AtomicLong slowest = new AtomicLong();
    private final Set<Long> acknowledged = ConcurrentHashMap.newKeySet();
    private final Set<Long> sentAgain = ConcurrentHashMap.newKeySet();
    private volatile boolean isOver;

    @BeforeAll
    void up(@TempDir Path directory) throws Exception {
        home = new Home(directory.resolve("home"));
        cordwood = new Program(home.directory());
        assertThat(cordwood.run("up", "--detach", "--max-age", "3").err()).isEmpty();
    }

    @AfterAll
    void down() throws Exception {
        cordwood.run("down");
    }

    @Test
    void whatWasAcknowledgedIsFoundThroughKillsOfAll() throws Exception {
        shippingDuring(() -> {
            Instant end = Instant.now().plus(UNDER_KILLS);
            while (Instant.now().isBefore(end)) {
                for (String service : KILLED) {
                    awaitMoreAcknowledged();
                    Thread.sleep(BETWEEN);
                    process(service).destroyForcibly();
                }
            }
        });
        assertThat(retries.get()).isPositive();
    }

    /** A broker that hangs costs answers that ask to send again, and no memory; afterwards all goes on by itself. */
    @Test
    void aBrokerThatHangsCostsNothing() throws Exception {
        shippingDuring(() -> {
            awaitMoreAcknowledged();
            long gateway = process("gateway").pid();
            long kafka = process("kafka").pid();
            long before = residentBytes(gateway);
            slowest.set(0);
            long most = 0;
            signal("STOP", kafka);
            try {
                Instant end = Instant.now().plus(WITHOUT_BROKER);
                while (Instant.now().isBefore(end)) {
                    Thread.sleep(Duration.ofSeconds(1));
                    most = Math.max(most, residentBytes(gateway));
                }
            } finally {
                signal("CONT", kafka);
            }
            System.out.printf(
                    "broker away for %d s: slowest answer after %,d ms, memory of the gateway %,d MB before, at most %,d MB%n",
                    WITHOUT_BROKER.toSeconds(), Duration.ofNanos(slowest.get()).toMillis(), before >> 20, most >> 20);
            assertThat(Duration.ofNanos(slowest.get())).isBetween(Duration.ofSeconds(5), SLOWEST_ANSWER);
            assertThat(most - before).isLessThan(MAX_GROWTH);
            assertThat(process("gateway").pid()).as("the same gateway").isEqualTo(gateway);
        });
    }

    @FunctionalInterface
    private interface Fault {
        void run() throws Exception;
    }

    /** Ships while something happens, until it goes on again, and compares what was acknowledged with what is found. */
    private void shippingDuring(Fault fault) throws Exception {
        isOver = false;
        try (ExecutorService threads = Executors.newFixedThreadPool(SHIPPERS)) {
            List<Future<?>> shippers = new ArrayList<>();
            for (int i = 0; i < SHIPPERS; i++) {
                shippers.add(threads.submit(() -> {
                    ship();
                    return null;
                }));
            }
            try {
                fault.run();
                awaitMoreAcknowledged();
            } finally {
                isOver = true;
            }
            for (Future<?> shipper : shippers) {
                shipper.get();
            }
        }
        Waiting.until("the stack is ready again", () -> cordwood.run("status").code() == 0);
        Waiting.until(
                "all rows are archived",
                () -> rows("SELECT n FROM cordwood.acme.logs WHERE \"$tier\" = 'hot'")
                        .isEmpty());
        Set<Long> once = new HashSet<>();
        Set<Long> twice = new HashSet<>();
        for (long number : rows("SELECT n FROM cordwood.acme.logs")) {
            if (!once.add(number)) {
                twice.add(number);
            }
        }
        // A comparison of collections takes minutes for so many
        Set<Long> lost = new HashSet<>(acknowledged);
        lost.removeAll(once);
        Set<Long> doubleWithoutCause = new HashSet<>(twice);
        doubleWithoutCause.removeAll(sentAgain);
        System.out.printf(
                "%,d rows acknowledged, %,d requests sent again, %,d rows lost, %,d rows double%n",
                acknowledged.size(), retries.get(), lost.size(), twice.size());
        assertThat(lost).as("rows that were acknowledged and are not there").isEmpty();
        assertThat(doubleWithoutCause)
                .as("rows that are double and were sent once")
                .isEmpty();
    }

    private ProcessHandle process(String service) {
        return new PidFile(home.run(), service).running().orElseThrow();
    }

    private static void signal(String signal, long pid) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
                        .start()
                        .waitFor())
                .isZero();
    }

    private static long residentBytes(long pid) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/%d/status".formatted(pid)))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
            }
        }
        throw new IOException("no VmRSS of process " + pid);
    }

    private void awaitMoreAcknowledged() throws Exception {
        int before = acknowledged.size();
        Waiting.until("more rows are acknowledged", () -> acknowledged.size() > before + BATCH * SHIPPERS);
    }

    /** Sends batches until it is over, each until it is acknowledged. */
    private void ship() throws IOException, InterruptedException {
        URI gateway = URI.create(JSON.readTree(home.endpoints().toFile())
                .path("gateway")
                .asText()
                .concat("/api/v1/ingest/logs?tenant=acme"));
        try (HttpClient http = HttpClient.newHttpClient()) {
            while (!isOver) {
                long first = next.getAndAdd(BATCH);
                StringBuilder rows = new StringBuilder();
                for (long n = first; n < first + BATCH; n++) {
                    rows.append("{\"n\":%d,\"message\":\"row %d\"}\n".formatted(n, n));
                }
                HttpRequest request = HttpRequest.newBuilder(gateway)
                        .timeout(TIMEOUT)
                        .POST(BodyPublishers.ofByteArray(rows.toString().getBytes(UTF_8)))
                        .build();
                while (!isAcknowledged(http, request)) {
                    retries.incrementAndGet();
                    for (long n = first; n < first + BATCH; n++) {
                        sentAgain.add(n);
                    }
                    Thread.sleep(RETRY);
                }
                for (long n = first; n < first + BATCH; n++) {
                    acknowledged.add(n);
                }
            }
        }
    }

    private boolean isAcknowledged(HttpClient http, HttpRequest request) throws InterruptedException {
        long begun = System.nanoTime();
        try {
            int status = http.send(request, BodyHandlers.ofString()).statusCode();
            slowest.accumulateAndGet(System.nanoTime() - begun, Math::max);
            assertThat(status).isIn(200, 429, 503);
            return status == 200;
        } catch (IOException e) {
            // Killed, or not up again
            return false;
        }
    }

    private List<Long> rows(String sql) throws IOException, InterruptedException {
        List<Long> numbers = new ArrayList<>();
        for (String line : cordwood.run("sql", "--json", sql).out().lines().toList()) {
            JsonNode row = JSON.readTree(line);
            numbers.add(row.path("n").asLong());
        }
        return numbers;
    }
}
