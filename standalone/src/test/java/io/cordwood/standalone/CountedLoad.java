package io.cordwood.standalone;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.identity.TokenFile;
import io.cordwood.record.KafkaRecord;
import io.cordwood.standalone.home.Endpoints;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A shipper that sends rows all the time, and a client that counts them once a second, with tokens in files. */
final class CountedLoad implements AutoCloseable {
    private static final int ROWS_PER_SECOND = 50;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long NANOS_PER_QUERY = 1_000_000_000L;

    private final KafkaProducer<byte[], byte[]> producer;
    private final TokenFile writer;
    private final TokenFile reader;
    private final String jdbc;
    private final Properties login;
    private final Thread sending = Thread.ofPlatform().unstarted(this::send);
    private final Thread querying = Thread.ofPlatform().unstarted(this::query);
    /** Rows whose login was refused, and that are sent again. */
    private final Queue<Long> refused = new ConcurrentLinkedQueue<>();

    private final List<String> lost = new CopyOnWriteArrayList<>();
    private volatile boolean stopped;
    private volatile boolean closed;
    private final AtomicLong sent = new AtomicLong();
    private volatile long rows;
    private volatile long distinct;
    private volatile long outage;
    private final AtomicLong queries = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private volatile String lastFailure = "";

    CountedLoad(Endpoints endpoints, Properties kafka, Path authorities, String user, Path reader, Path writer) {
        this.reader = new TokenFile(reader);
        this.writer = new TokenFile(writer);
        Properties properties = new Properties();
        properties.putAll(kafka);
        properties.put("bootstrap.servers", endpoints.kafka());
        properties.put("enable.idempotence", "true");
        // A connection ends between the rows of one second and those of the next, so that new passwords and
        // certificates are used
        properties.put("connections.max.idle.ms", "300");
        properties.put("delivery.timeout.ms", "300000");
        properties.put("max.block.ms", "300000");
        producer = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
        URI trino = URI.create(endpoints.trino());
        jdbc = "jdbc:trino://%s:%d/cordwood".formatted(trino.getHost(), trino.getPort());
        login = new Properties();
        login.putAll(Map.of("user", user, "SSL", "true", "SSLTrustStorePath", authorities.toString()));
        sending.start();
        querying.start();
    }

    private void send() {
        long due = System.nanoTime();
        while (!stopped || !refused.isEmpty()) {
            due += NANOS_PER_SECOND;
            LockSupport.parkNanos(due - System.nanoTime());
            for (Long again = refused.poll(); again != null; again = refused.poll()) {
                send(again);
            }
            for (int row = 0; row < ROWS_PER_SECOND && !stopped; row++) {
                send(sent.getAndIncrement());
            }
        }
    }

    private void send(long row) {
        ProducerRecord<byte[], byte[]> message = new ProducerRecord<>(
                "logs",
                "acme".getBytes(UTF_8),
                "{\"message\":\"row %d\"}".formatted(row).getBytes(UTF_8));
        message.headers().add(KafkaRecord.TOKEN_HEADER, writer.get().getBytes(US_ASCII));
        var _ = producer.send(message, (metadata, error) -> {
            if (error instanceof AuthenticationException) {
                refused.add(row);
            } else if (error != null) {
                lost.add("row %d: %s".formatted(row, error));
            }
        });
    }

    private void query() {
        OptionalLong lastGood = OptionalLong.empty();
        while (!closed) {
            long begun = System.nanoTime();
            try {
                count();
                lastGood = OptionalLong.of(System.nanoTime());
            } catch (SQLException | IllegalStateException e) {
                // Before the first row is stored, the table lacks the column
                if (lastGood.isPresent()) {
                    failures.incrementAndGet();
                    lastFailure = e.toString();
                    outage = Math.max(outage, System.nanoTime() - lastGood.getAsLong());
                }
            }
            queries.incrementAndGet();
            LockSupport.parkNanos(begun + NANOS_PER_QUERY - System.nanoTime());
        }
    }

    private void count() throws SQLException {
        Properties properties = new Properties();
        properties.putAll(login);
        properties.setProperty("password", reader.get());
        try (Connection connection = DriverManager.getConnection(jdbc, properties);
                Statement statement = connection.createStatement();
                ResultSet result =
                        statement.executeQuery("SELECT count(*), count(DISTINCT message) FROM cordwood.acme.logs")) {
            result.next();
            rows = result.getLong(1);
            distinct = result.getLong(2);
        }
    }

    /** Stops to send. @return the number of rows that were sent */
    long stopSending() throws InterruptedException {
        stopped = true;
        sending.join();
        producer.flush();
        for (Long row = refused.poll(); row != null; row = refused.poll()) {
            send(row);
            producer.flush();
        }
        return sent.get();
    }

    long rowsFound() {
        return rows;
    }

    long distinctRowsFound() {
        return distinct;
    }

    List<String> lost() {
        return lost;
    }

    long queries() {
        return queries.get();
    }

    long failures() {
        return failures.get();
    }

    String lastFailure() {
        return lastFailure;
    }

    /** The longest time from the end of a good query to that of a failed one with none that was good in between. */
    Duration longestOutage() {
        return Duration.ofNanos(outage);
    }

    @Override
    public void close() {
        stopped = true;
        closed = true;
        try {
            sending.join();
            querying.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        producer.close();
    }
}
