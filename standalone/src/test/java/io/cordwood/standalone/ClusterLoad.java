package io.cordwood.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.identity.PemFiles;
import io.cordwood.record.KafkaRecord;
import io.cordwood.standalone.home.Endpoints;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
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
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SequencedMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Shippers and readers of a cluster, each in a thread of its own, which note when they are answered. Rows of
 * {@value #KAFKA_TENANT} come through Kafka, those of {@value #GATEWAY_TENANT} through the gateways. Of two gateways or
 * search services, a client asks the other if one does not answer.
 */
final class ClusterLoad implements AutoCloseable {
    static final String KAFKA_TENANT = "acme";
    static final String GATEWAY_TENANT = "globex";
    private static final int ROWS_PER_REQUEST = 10;
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final List<String> gateways;
    private final List<String> searches;
    private final String token;
    private final String recordToken;
    private final String jdbc;
    private final Properties login = new Properties();
    private final KafkaProducer<byte[], byte[]> producer;
    private final HttpClient http;
    private final List<Thread> shippers = new ArrayList<>();
    private final List<Thread> readers = new ArrayList<>();

    private final Answers kafka = new Answers();
    private final Answers gateway = new Answers();
    private final Answers sql = new Answers();
    private final Answers search = new Answers();
    private final SequencedMap<String, Answers> doors = new LinkedHashMap<>();
    private final AtomicLong throughKafka = new AtomicLong();
    private final AtomicLong throughGateway = new AtomicLong();
    /** Rows of the gateway's tenant that were acknowledged. Guarded by itself. */
    private final BitSet acknowledged = new BitSet();

    private final AtomicLong wrongAnswers = new AtomicLong();
    private volatile boolean shipping = true;
    private volatile boolean reading = true;

    /** What is done at a steady rate; {@code round} counts from 0. */
    private interface Step {
        void run(long round) throws IOException, InterruptedException, SQLException;
    }

    /**
     * Begins.
     *
     * @param gateways addresses of the gateways
     * @param searches addresses of the search services
     * @param kafkaLogin properties of the producer, with its login and the brokers
     * @param authorities certificates that vouch for the services
     * @param user who may read and write both tenants
     * @param token the user's token
     * @param recordToken the user's token for records of {@value #KAFKA_TENANT}
     */
    ClusterLoad(
            Endpoints endpoints,
            List<String> gateways,
            List<String> searches,
            Properties kafkaLogin,
            Path authorities,
            String user,
            String token,
            String recordToken)
            throws IOException {
        this.gateways = List.copyOf(gateways);
        this.searches = List.copyOf(searches);
        this.token = token;
        this.recordToken = recordToken;
        URI trino = URI.create(endpoints.trino());
        jdbc = "jdbc:trino://%s:%d/cordwood".formatted(trino.getHost(), trino.getPort());
        login.putAll(
                Map.of("user", user, "password", token, "SSL", "true", "SSLTrustStorePath", authorities.toString()));
        Properties properties = new Properties();
        properties.putAll(kafkaLogin);
        properties.putAll(Map.of("delivery.timeout.ms", "600000", "max.block.ms", "600000"));
        producer = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
        http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(PemFiles.trusting(authorities))
                .connectTimeout(Duration.ofSeconds(2))
                .build();
        doors.put("Kafka", kafka);
        doors.put("gateway", gateway);
        doors.put("SQL", sql);
        doors.put("search", search);
        BooleanSupplier isShipping = () -> shipping;
        BooleanSupplier isReading = () -> reading;
        shippers.add(atRate(10, isShipping, round -> shipThroughKafka(), kafka));
        shippers.add(atRate(2, isShipping, this::shipThroughGateway, gateway));
        readers.add(atRate(1, isReading, round -> count(), sql));
        readers.add(atRate(2, isReading, this::search, search));
    }

    private static Thread atRate(int perSecond, BooleanSupplier goesOn, Step step, Answers answers) {
        return Thread.ofPlatform().start(() -> {
            long pause = Duration.ofSeconds(1).toNanos() / perSecond;
            long due = System.nanoTime();
            for (long round = 0; goesOn.getAsBoolean(); round++) {
                due = Math.max(due + pause, System.nanoTime());
                LockSupport.parkNanos(due - System.nanoTime());
                try {
                    step.run(round);
                } catch (IOException | SQLException | RuntimeException e) {
                    answers.failed(e);
                } catch (InterruptedException e) {
                    return;
                }
            }
        });
    }

    private static String line(long n) {
        return "{\"n\":%d,\"level\":\"info\",\"message\":\"order %d of user %d\"}".formatted(n, n, n % 977);
    }

    private void shipThroughKafka() {
        for (int i = 0; i < ROWS_PER_REQUEST; i++) {
            ProducerRecord<byte[], byte[]> row = new ProducerRecord<>(
                    "logs",
                    KAFKA_TENANT.getBytes(UTF_8),
                    line(throughKafka.getAndIncrement()).getBytes(UTF_8));
            row.headers().add(KafkaRecord.TOKEN_HEADER, recordToken.getBytes(UTF_8));
            var _ = producer.send(row, (metadata, error) -> {
                if (error == null) {
                    kafka.good();
                } else {
                    kafka.failed(error);
                }
            });
        }
    }

    private void shipThroughGateway(long round) throws IOException, InterruptedException {
        long first = throughGateway.getAndAdd(ROWS_PER_REQUEST);
        StringBuilder body = new StringBuilder();
        for (long n = first; n < first + ROWS_PER_REQUEST; n++) {
            body.append(line(n)).append('\n');
        }
        // Rows whose fate is unknown are not sent again: each row is there once or not at all
        ask(gateways, round, false, "/api/v1/ingest/logs?tenant=" + GATEWAY_TENANT, body.toString());
        synchronized (acknowledged) {
            acknowledged.set((int) first, (int) first + ROWS_PER_REQUEST);
        }
        gateway.good();
    }

    private void search(long round) throws IOException, InterruptedException {
        String body = new ObjectMapper()
                .writeValueAsString(Map.of("query", "order user " + round % 977, "from", "now-15m", "limit", 20));
        ask(searches, round, true, "/api/v1/tenants/%s/streams/logs/search".formatted(GATEWAY_TENANT), body);
        search.good();
    }

    /** Asks one of them by turns and, if there is no connection or it may be asked again, the other. */
    private void ask(List<String> services, long round, boolean isRepeatable, String path, String body)
            throws IOException, InterruptedException {
        IOException failure = null;
        for (int attempt = 0; attempt < services.size(); attempt++) {
            String service = services.get((int) ((round + attempt) % services.size()));
            try {
                HttpResponse<String> answer = http.send(
                        HttpRequest.newBuilder(URI.create(service + path))
                                .header("Authorization", "Bearer " + token)
                                .timeout(PATIENCE)
                                .POST(BodyPublishers.ofString(body))
                                .build(),
                        BodyHandlers.ofString());
                if (answer.statusCode() == 200) {
                    return;
                }
                failure = new IOException("%d: %s".formatted(answer.statusCode(), answer.body()));
            } catch (IOException e) {
                failure = e;
            }
            boolean isUnsent = failure instanceof ConnectException || failure instanceof HttpConnectTimeoutException;
            if (!isRepeatable && !isUnsent) {
                break;
            }
        }
        throw failure;
    }

    private void count() throws SQLException {
        long before = kafka.count();
        // Both numbers in one: a row that is there twice makes them differ
        long rows = select("CASE WHEN count(*) = count(DISTINCT n) THEN count(*) ELSE -1 END FROM cordwood.%s.logs"
                .formatted(KAFKA_TENANT));
        if (rows < before) {
            wrongAnswers.incrementAndGet();
        }
        sql.good();
    }

    /** The number that a query gives, of a connection of its own. */
    long select(String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection(jdbc, login);
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT " + query)) {
            result.next();
            return result.getLong(1);
        }
    }

    /** The rows that were acknowledged by both doors and are not in the tables, and those that are there twice. */
    List<String> wrongRows() throws SQLException {
        List<String> wrong = new ArrayList<>();
        BitSet expected = new BitSet();
        expected.set(0, (int) throughKafka.get());
        wrong.addAll(wrongRows(KAFKA_TENANT, expected));
        synchronized (acknowledged) {
            wrong.addAll(wrongRows(GATEWAY_TENANT, acknowledged));
        }
        return wrong;
    }

    private List<String> wrongRows(String tenant, BitSet expected) throws SQLException {
        List<String> wrong = new ArrayList<>();
        BitSet missing = (BitSet) expected.clone();
        try (Connection connection = DriverManager.getConnection(jdbc, login);
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(
                        "SELECT n, count(*) FROM cordwood.%s.logs GROUP BY n".formatted(tenant))) {
            while (result.next()) {
                missing.clear((int) result.getLong(1));
                if (result.getLong(2) != 1) {
                    wrong.add("%s: row %d is there %d times".formatted(tenant, result.getLong(1), result.getLong(2)));
                }
            }
        }
        missing.stream().forEach(n -> wrong.add("%s: row %d is missing".formatted(tenant, n)));
        return wrong;
    }

    /** Stops shipping, and waits until Kafka has acknowledged all rows. */
    void stopShipping() throws InterruptedException {
        shipping = false;
        for (Thread shipper : shippers) {
            shipper.join();
        }
        producer.flush();
    }

    /** The doors by name, in an order of their own. */
    SequencedMap<String, Answers> doors() {
        return doors;
    }

    long throughKafka() {
        return throughKafka.get();
    }

    /** The number of rows that the gateways acknowledged. */
    long acknowledgedByGateways() {
        synchronized (acknowledged) {
            return acknowledged.cardinality();
        }
    }

    /** Answers of SQL with a row twice, or with fewer rows than Kafka had acknowledged before the question. */
    long wrongAnswers() {
        return wrongAnswers.get();
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
