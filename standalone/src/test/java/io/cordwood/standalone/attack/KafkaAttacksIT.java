package io.cordwood.standalone.attack;

import static io.cordwood.standalone.attack.SecuredStack.ACME_READER;
import static io.cordwood.standalone.attack.SecuredStack.ACME_WRITER;
import static io.cordwood.standalone.attack.SecuredStack.GLOBEX_READER;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jwt.SignedJWT;
import io.cordwood.services.KafkaTopics;
import io.cordwood.services.Waiting;
import io.cordwood.standalone.attack.SecuredStack.Running;
import java.io.StringReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Attacks on Kafka, each beside what is allowed. The attacker has a producer's login, and a token of its own. */
@ExtendWith(SecuredStack.class)
final class KafkaAttacksIT {
    private static final String STREAM = "logs";
    private static final String DEAD_LETTERS = "logs.dlq";
    private static final String PRODUCER = "producer.kafka.properties";
    private static final String FORBIDDEN = "FORBIDDEN_TENANT";
    private static final String TOKEN_HEADER = "cordwood.token";
    private static final String TENANT_HEADER = "cordwood.tenant";

    private final Running stack;

    KafkaAttacksIT(Running stack) {
        this.stack = stack;
    }

    @Test
    void attack33AnOpenConnectionOrAWrongPassword() throws Exception {
        Properties open = new Properties();
        open.setProperty("bootstrap.servers", stack.endpoint("kafka"));
        open.setProperty("default.api.timeout.ms", "4000");
        open.setProperty("request.timeout.ms", "2000");
        try (Admin admin = Admin.create(open)) {
            assertThatThrownBy(() -> admin.describeCluster().nodes().get())
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(TimeoutException.class);
        }
        Properties wrong = stack.kafka(PRODUCER);
        wrong.setProperty(
                "sasl.jaas.config",
                wrong.getProperty("sasl.jaas.config").replaceAll("password=\"[^\"]*\"", "password=\"wrong\""));
        try (Admin admin = Admin.create(wrong)) {
            assertThatThrownBy(() -> admin.describeCluster().nodes().get())
                    .hasCauseInstanceOf(SaslAuthenticationException.class);
        }
        try (Admin admin = Admin.create(stack.kafka(PRODUCER))) {
            assertThat(admin.describeTopics(List.of(STREAM)).allTopicNames().get())
                    .containsKey(STREAM);
        }
    }

    @Test
    void attack34TheTokenOfOneTenantUnderTheNameOfAnother() throws Exception {
        String token = stack.createToken(ACME_WRITER, "--tenant", "acme", "--for", "records");
        String mark = mark();
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            send(producer, record("globex", mark + "-key", Map.of(TOKEN_HEADER, token)));
            send(producer, record("acme", mark + "-header", Map.of(TOKEN_HEADER, token, TENANT_HEADER, "globex")));
            send(producer, record("globex", mark + "-none", Map.of()));
            send(producer, record("globex", mark + "-garbage", Map.of(TOKEN_HEADER, "garbage")));
            send(producer, record("acme", mark + "-own", Map.of(TOKEN_HEADER, token)));
        }
        assertDeadLetters(mark + "-key", mark + "-header", mark + "-none", mark + "-garbage");
        awaitRows(ACME_READER, "acme", mark, 1);
        awaitRows(GLOBEX_READER, "globex", mark, 0);
    }

    @Test
    void attack04TheTokenOfARequestInARecordAndOfARecordInARequest() throws Exception {
        String ofRequests = stack.createToken(ACME_WRITER, "--tenant", "acme", "--role", "writer");
        String ofRecords = stack.createToken(ACME_WRITER, "--tenant", "acme", "--for", "records");
        String mark = mark();
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            send(producer, record("acme", mark + "-requests", Map.of(TOKEN_HEADER, ofRequests)));
            send(producer, record("acme", mark + "-any", Map.of(TOKEN_HEADER, stack.token(ACME_WRITER))));
            send(producer, record("acme", mark + "-records", Map.of(TOKEN_HEADER, ofRecords)));
        }
        assertDeadLetters(mark + "-requests", mark + "-any");
        awaitRows(ACME_READER, "acme", mark, 1);
        assertThat(stack.catalog("GET", "/v1/config", ofRecords, "").statusCode())
                .isEqualTo(401);
        assertThat(stack.catalog("GET", "/v1/config", ofRequests, "").statusCode())
                .isEqualTo(200);
        assertThat(stack.statement("SELECT 1", Map.of("Authorization", "Bearer " + ofRecords))
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    void attack35ATokenThatIsNotGoodAnyMore() throws Exception {
        String revoked = stack.createToken(ACME_WRITER, "--tenant", "acme", "--for", "records");
        stack.ok("tenant", "set", "initech", "--quota", "0");
        stack.ok("user", "add", "initech-writer");
        stack.ok("user", "grant", "initech-writer", "--tenant", "initech", "--role", "writer");
        String deleted = stack.createToken("initech-writer", "--tenant", "initech", "--for", "records");
        String mark = mark();
        String expires = stack.createToken(ACME_WRITER, "--tenant", "acme", "--for", "records", "--expires", "15s");
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            send(producer, record("acme", mark + "-good1", Map.of(TOKEN_HEADER, expires)));
            send(producer, record("acme", mark + "-good2", Map.of(TOKEN_HEADER, revoked)));
            send(producer, record("initech", mark + "-good3", Map.of(TOKEN_HEADER, deleted)));
            awaitRows(ACME_READER, "acme", mark, 2);
            stack.ok(
                    "token",
                    "revoke",
                    SignedJWT.parse(revoked).getJWTClaimsSet().getJWTID());
            stack.ok("tenant", "delete", "initech", "--yes");
            // Revocations of records begin ten seconds after the order, and the first token ends by itself
            Thread.sleep(Duration.ofSeconds(16));
            for (int i = 0; i < 3; i++) {
                send(producer, record("acme", mark + "-expired" + i, Map.of(TOKEN_HEADER, expires)));
                send(producer, record("acme", mark + "-revoked" + i, Map.of(TOKEN_HEADER, revoked)));
                send(producer, record("initech", mark + "-deleted" + i, Map.of(TOKEN_HEADER, deleted)));
            }
        }
        for (int i = 0; i < 3; i++) {
            assertDeadLetters(mark + "-expired" + i, mark + "-revoked" + i, mark + "-deleted" + i);
        }
        awaitRows(ACME_READER, "acme", mark, 2);
        assertThat(stack.ok("tenant", "list").lines().filter(line -> line.contains("initech")))
                .as("it is listed as deleted and was not registered again")
                .singleElement()
                .asString()
                .contains("deleted");
    }

    @Test
    void attack36ConsumingAStream() throws Exception {
        for (String topic : List.of(STREAM, DEAD_LETTERS)) {
            Properties properties = stack.kafka(PRODUCER);
            properties.setProperty("group.id", "thief");
            try (KafkaConsumer<byte[], byte[]> consumer =
                    new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
                consumer.assign(List.of(new TopicPartition(topic, 0)));
                assertThatThrownBy(() -> {
                            consumer.seekToBeginning(consumer.assignment());
                            for (int i = 0; i < 10; i++) {
                                consumer.poll(Duration.ofSeconds(1));
                            }
                        })
                        .isInstanceOf(TopicAuthorizationException.class);
            }
        }
        try (Admin admin = Admin.create(stack.kafka(PRODUCER))) {
            assertThatThrownBy(() -> admin.deleteTopics(List.of(STREAM)).all().get())
                    .hasCauseInstanceOf(TopicAuthorizationException.class);
        }
        try (KafkaConsumer<byte[], byte[]> allowed = new KafkaConsumer<>(
                stack.kafka("query.kafka.properties"), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            assertThat(allowed.partitionsFor(STREAM)).isNotEmpty();
        }
    }

    @Test
    void attack37ATransaction() throws Exception {
        Properties properties = producerProperties();
        properties.setProperty(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "mallory");
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(properties)) {
            assertThatThrownBy(producer::initTransactions).isInstanceOf(TransactionalIdAuthorizationException.class);
        }
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            assertThat(send(producer, record("acme", mark(), Map.of())).hasOffset())
                    .isTrue();
        }
    }

    @Test
    void attack38ARecordThatUnpacksToAGigabyte() throws Exception {
        String mark = mark();
        String token = stack.createToken(ACME_WRITER, "--tenant", "acme", "--for", "records");
        String neighbour = stack.createToken(SecuredStack.GLOBEX_WRITER, "--tenant", "globex", "--for", "records");
        Properties properties = producerProperties();
        properties.setProperty(ProducerConfig.COMPRESSION_TYPE_CONFIG, "zstd");
        properties.setProperty(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Integer.toString(Integer.MAX_VALUE));
        properties.setProperty(ProducerConfig.BUFFER_MEMORY_CONFIG, Long.toString(2L << 30));
        try (KafkaProducer<byte[], byte[]> bomber = new KafkaProducer<>(properties);
                KafkaProducer<byte[], byte[]> producer = producer()) {
            ProducerRecord<byte[], byte[]> bomb =
                    new ProducerRecord<>(STREAM, 0, "acme".getBytes(UTF_8), new byte[1 << 30]);
            bomb.headers().add(TOKEN_HEADER, token.getBytes(UTF_8));
            try {
                bomber.send(bomb).get();
            } catch (ExecutionException e) {
                assertThat(e).as("refused by the broker").isNotNull();
            }
            long sent = System.nanoTime();
            ProducerRecord<byte[], byte[]> after = new ProducerRecord<>(
                    STREAM, 0, "globex".getBytes(UTF_8), json(mark).getBytes(UTF_8));
            after.headers().add(TOKEN_HEADER, neighbour.getBytes(UTF_8));
            send(producer, after);
            awaitRows(GLOBEX_READER, "globex", mark, 1);
            assertThat(Duration.ofNanos(System.nanoTime() - sent)).isLessThan(Duration.ofSeconds(30));
        }
    }

    @Test
    void attack39ManyTenantsThatNobodyRegistered() throws Exception {
        String token = stack.createToken(ACME_WRITER, "--tenant", "acme", "--for", "records");
        String mark = mark();
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            for (int i = 0; i < 100_000; i++) {
                sent.add(producer.send(record("random-" + i, mark + "-random", Map.of(TOKEN_HEADER, token))));
            }
            sent.add(producer.send(record("acme", mark + "-own", Map.of(TOKEN_HEADER, token))));
        }
        for (Future<RecordMetadata> each : sent) {
            assertThat(each.get().hasOffset()).isTrue();
        }
        awaitRows(ACME_READER, "acme", mark, 1);
        Waiting.until("100,000 dead letters", () -> deadLetters().getOrDefault(mark + "-random", 0) == 100_000);
        assertThat(stack.ok("tenant", "list")).doesNotContain("random-");
        assertThat(stack.catalog("GET", "/v1/namespaces", stack.operatorToken(), "")
                        .body())
                .doesNotContain("random-");
    }

    @Test
    void aShipperHasALoginOfItsOwnThatEndsWithIt() throws Exception {
        stack.ok("user", "add", "acme-shipper");
        stack.ok("user", "grant", "acme-shipper", "--tenant", "acme", "--role", "writer");
        String token = stack.createToken("acme-shipper", "--tenant", "acme", "--for", "records");
        Properties login = new Properties();
        login.load(new StringReader(stack.ok("user", "kafka-login", "acme-shipper", "--quota", "1mb")));
        login.setProperty(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        login.setProperty(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        String mark = mark();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(login)) {
            send(producer, record("acme", mark, Map.of(TOKEN_HEADER, token)));
        }
        awaitRows(ACME_READER, "acme", mark, 1);
        assertThat(stack.call("user", "kafka-login", "nobody").err()).contains("there is no user nobody");

        stack.ok("user", "remove", "acme-shipper");
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(login)) {
            assertThatThrownBy(() -> send(producer, record("acme", mark, Map.of(TOKEN_HEADER, token))))
                    .hasRootCauseInstanceOf(SaslAuthenticationException.class);
        }
    }

    private static String mark() {
        return "m" + ThreadLocalRandom.current().nextInt(1_000_000_000);
    }

    private static String json(String message) {
        return "{\"message\":\"%s\",\"n\":-1}".formatted(message);
    }

    private static ProducerRecord<byte[], byte[]> record(String key, String message, Map<String, String> headers) {
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(STREAM, key.getBytes(UTF_8), json(message).getBytes(UTF_8));
        headers.forEach((name, value) -> record.headers().add(name, value.getBytes(UTF_8)));
        return record;
    }

    private Properties producerProperties() throws Exception {
        Properties properties = stack.kafka(PRODUCER);
        properties.setProperty(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        properties.setProperty(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        return properties;
    }

    private KafkaProducer<byte[], byte[]> producer() throws Exception {
        return new KafkaProducer<>(producerProperties());
    }

    private static RecordMetadata send(KafkaProducer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record)
            throws Exception {
        return producer.send(record).get();
    }

    /** Waits until the tenant sees this number of rows with the mark, hot or cold. */
    private void awaitRows(String user, String tenant, String mark, int rows) throws Exception {
        Waiting.until(
                "%d rows of %s".formatted(rows, tenant),
                () -> stack.sql(
                                user,
                                "SELECT count(*) FROM cordwood.%s.logs WHERE message LIKE '%s%%'"
                                        .formatted(tenant, mark))
                        .equals(List.of(Integer.toString(rows))));
    }

    private void assertDeadLetters(String... messages) throws Exception {
        for (String message : messages) {
            Waiting.until("a dead letter of " + message, () -> deadLetters().getOrDefault(message, 0) == 1);
        }
    }

    /** The refused records in the dead-letter topic, counted by their messages. */
    private Map<String, Integer> deadLetters() throws Exception {
        Map<String, Integer> letters = new HashMap<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                stack.kafka("admin.kafka.properties"), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            KafkaTopics.forEachRecord(consumer, DEAD_LETTERS, letter -> {
                Header error = letter.headers().lastHeader("cordwood.error");
                assertThat(letter.headers().lastHeader(TOKEN_HEADER)).isNull();
                if (new String(error.value(), UTF_8).startsWith(FORBIDDEN)) {
                    String text = new String(letter.value(), UTF_8);
                    letters.merge(text.replaceAll(".*\"message\":\"([^\"]*)\".*", "$1"), 1, Integer::sum);
                }
            });
        }
        return letters;
    }
}
