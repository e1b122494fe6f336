package io.cordwood.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.identity.PemFiles;
import io.cordwood.record.KafkaRecord;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.search.EventStream;
import io.cordwood.standalone.search.EventStream.Event;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Shippers and readers that use a closed stack at a steady rate, each in a thread of its own:
 * rows of {@value #KAFKA_TENANT} come through Kafka and those of {@value #GATEWAY_TENANT} through the gateway, and are
 * asked for by SQL and by searches, and followed by a tail.
 */
final class SoakLoad implements AutoCloseable {
    static final String KAFKA_TENANT = "acme";
    static final String GATEWAY_TENANT = "globex";
    private static final String SEARCH = "/api/v1/tenants/%s/streams/logs/".formatted(GATEWAY_TENANT);
    private static final int FAILURES_KEPT = 20;
    /** The tail sends a comment each second. */
    private static final Duration SILENCE = Duration.ofMinutes(1);

    private final Endpoints endpoints;
    private final String token;
    private final String recordToken;
    private final Properties login = new Properties();
    private final KafkaProducer<byte[], byte[]> producer;
    private final HttpClient http;
    private final List<Thread> shippers = new ArrayList<>();
    private final List<Thread> readers = new ArrayList<>();
    private final AtomicLong throughKafka = new AtomicLong();
    private final AtomicLong throughGateway = new AtomicLong();
    private final AtomicLong queries = new AtomicLong();
    private final AtomicLong searches = new AtomicLong();
    private final AtomicLong tailed = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final Queue<String> firstFailures = new ConcurrentLinkedQueue<>();
    private volatile boolean shipping = true;
    private volatile boolean reading = true;

    /** What is done at a steady rate; {@code round} counts from 0. */
    private interface Step {
        void run(long round) throws IOException, InterruptedException, SQLException;
    }

    /**
     * Creates a load that has not begun.
     *
     * @param kafka properties of the producer, with its login
     * @param authorities certificates that vouch for the services
     * @param user who may read and write both tenants
     * @param token the user's token
     * @param recordToken the user's token for records of {@value #KAFKA_TENANT}
     */
    SoakLoad(Endpoints endpoints, Properties kafka, Path authorities, String user, String token, String recordToken)
            throws IOException {
        this.endpoints = endpoints;
        this.token = token;
        this.recordToken = recordToken;
        Properties properties = new Properties();
        properties.putAll(kafka);
        properties.putAll(Map.of("bootstrap.servers", endpoints.kafka(), "linger.ms", "50", "compression.type", "lz4"));
        producer = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
        http = HttpClient.newBuilder()
                .sslContext(PemFiles.trusting(authorities))
                .connectTimeout(Duration.ofSeconds(10))
                .build();
        login.putAll(
                Map.of("user", user, "password", token, "SSL", "true", "SSLTrustStorePath", authorities.toString()));
    }

    /** Ships one row of each tenant, which makes their tables. */
    void shipFirstRows() throws IOException, InterruptedException {
        shipThroughKafka(1);
        producer.flush();
        shipThroughGateway(1);
    }

    /** Follows the rows of {@value #GATEWAY_TENANT} that come from now on. */
    void follow() throws IOException, InterruptedException {
        HttpResponse<InputStream> answer =
                http.send(request(endpoints.search() + SEARCH + "tail").build(), BodyHandlers.ofInputStream());
        if (answer.statusCode() != 200) {
            throw new IOException("The tail answers with %d: %s"
                    .formatted(answer.statusCode(), new String(answer.body().readAllBytes(), UTF_8)));
        }
        EventStream events = new EventStream(answer.body(), SILENCE);
        // Once the first comment is there, all rows that come are followed
        events.next();
        readers.add(Thread.ofPlatform().name("tail").start(() -> tail(events)));
    }

    private void tail(EventStream events) {
        try (events) {
            Optional<Event> event = events.next();
            for (; event.isPresent() && reading; event = events.next()) {
                switch (event.get().name()) {
                    case "rows" -> tailed.addAndGet(event.get().data().size());
                    case "" -> {} // a comment
                    default -> failed("tail", new IOException(event.get().toString()));
                }
            }
            if (reading) {
                failed("tail", new IOException("it has ended"));
            }
        } catch (IOException e) {
            if (reading) {
                failed("tail", e);
            }
        }
    }

    /**
     * Ships and reads until it is stopped.
     *
     * @param rowsPerSecond rows of each tenant
     */
    void begin(int rowsPerSecond) {
        BooleanSupplier isShipping = () -> shipping;
        BooleanSupplier isReading = () -> reading;
        shippers.add(atRate("Kafka", 20, isShipping, round -> shipThroughKafka(rowsPerSecond / 20)));
        shippers.add(atRate("gateway", 4, isShipping, round -> shipThroughGateway(rowsPerSecond / 4)));
        readers.add(atRate("SQL", 1, isReading, this::sql));
        readers.add(atRate("search", 4, isReading, this::search));
    }

    private Thread atRate(String name, int perSecond, BooleanSupplier goesOn, Step step) {
        return Thread.ofPlatform().name(name).start(() -> {
            long pause = Duration.ofSeconds(1).toNanos() / perSecond;
            long due = System.nanoTime();
            for (long round = 0; goesOn.getAsBoolean(); round++) {
                // What is late is not made up for: the load is that of patient users
                due = Math.max(due + pause, System.nanoTime());
                LockSupport.parkNanos(due - System.nanoTime());
                try {
                    step.run(round);
                } catch (IOException | SQLException | RuntimeException e) {
                    failed(name, e);
                } catch (InterruptedException e) {
                    return;
                }
            }
        });
    }

    private void failed(String what, Exception failure) {
        failures.incrementAndGet();
        if (firstFailures.size() < FAILURES_KEPT) {
            firstFailures.add(what + ": " + failure);
        }
    }

    private static String line(long n) {
        return ("{\"n\":%d,\"level\":\"%s\",\"host\":\"web-%d\",\"status\":%d,"
                        + "\"message\":\"GET /api/orders/%d of user %d took %d ms\"}")
                .formatted(
                        n,
                        n % 50 == 0 ? "error" : "info",
                        n % 40,
                        n % 50 == 0 ? 500 : 200,
                        n * 31 % 100_003,
                        n % 977,
                        n % 83);
    }

    private void shipThroughKafka(int rows) {
        for (int i = 0; i < rows; i++) {
            ProducerRecord<byte[], byte[]> row = new ProducerRecord<>(
                    "logs",
                    KAFKA_TENANT.getBytes(UTF_8),
                    line(throughKafka.getAndIncrement()).getBytes(UTF_8));
            row.headers().add(KafkaRecord.TOKEN_HEADER, recordToken.getBytes(UTF_8));
            var _ = producer.send(row, (metadata, error) -> {
                if (error != null) {
                    failed("Kafka", error);
                }
            });
        }
    }

    private void shipThroughGateway(int rows) throws IOException, InterruptedException {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < rows; i++) {
            body.append(line(throughGateway.getAndIncrement())).append('\n');
        }
        ask(request(endpoints.gateway() + "/api/v1/ingest/logs?tenant=" + GATEWAY_TENANT)
                .POST(BodyPublishers.ofString(body.toString())));
    }

    private void search(long round) throws IOException, InterruptedException {
        String operation = List.of("search", "histogram", "values", "search").get((int) (round % 4));
        Map<String, Object> body = switch (operation) {
            case "histogram" -> Map.of("query", "level:error", "from", "now-10m", "to", "now");
            case "values" -> Map.of("column", "host", "from", "now-1m");
            default -> Map.of("query", "orders user " + round % 977, "from", "now-5m");
        };
        ask(request(endpoints.search() + SEARCH + operation)
                .POST(BodyPublishers.ofString(new ObjectMapper().writeValueAsString(body))));
        searches.incrementAndGet();
    }

    private HttpRequest.Builder request(String uri) {
        return HttpRequest.newBuilder(URI.create(uri)).header("Authorization", "Bearer " + token);
    }

    private void ask(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> answer =
                http.send(request.timeout(Duration.ofMinutes(1)).build(), BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(
                    "%s answers with %d: %s".formatted(answer.uri().getPath(), answer.statusCode(), answer.body()));
        }
    }

    private void sql(long round) throws SQLException {
        String tenant = round % 2 == 0 ? KAFKA_TENANT : GATEWAY_TENANT;
        select("count(*) FROM cordwood.%s.logs WHERE ts > now() - INTERVAL '5' MINUTE AND level = 'error'"
                .formatted(tenant));
        queries.incrementAndGet();
    }

    /** The number that a query gives, of a connection of its own. */
    long select(String query) throws SQLException {
        URI trino = URI.create(endpoints.trino());
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:trino://%s:%d/cordwood".formatted(trino.getHost(), trino.getPort()), login);
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT " + query)) {
            result.next();
            return result.getLong(1);
        }
    }

    /** Stops shipping; all rows are acknowledged then, or there is a failure. */
    void stopShipping() throws InterruptedException {
        shipping = false;
        for (Thread shipper : shippers) {
            shipper.join();
        }
        producer.flush();
    }

    /** Rows shipped through Kafka. */
    long throughKafka() {
        return throughKafka.get();
    }

    /** Rows shipped through the gateway. */
    long throughGateway() {
        return throughGateway.get();
    }

    /** Rows that the tail has had. */
    long tailed() {
        return tailed.get();
    }

    /** Answers of SQL. */
    long queries() {
        return queries.get();
    }

    /** Answers of the search service. */
    long searches() {
        return searches.get();
    }

    /** Refused rows, failed questions, and interruptions of the tail. */
    long failures() {
        return failures.get();
    }

    /** The first of the failures. */
    List<String> firstFailures() {
        return List.copyOf(firstFailures);
    }

    @Override
    public void close() {
        reading = false;
        http.shutdownNow();
        try {
            stopShipping();
            for (Thread reader : readers) {
                reader.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        producer.close();
    }
}
