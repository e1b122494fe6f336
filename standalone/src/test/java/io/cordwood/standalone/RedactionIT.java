package io.cordwood.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.services.KafkaTopics;
import io.cordwood.services.Waiting;
import io.cordwood.standalone.home.Home;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Card numbers, tokens and addresses are planted in a thousand of a million rows. With a pipeline that redacts, none of
 * them comes to Kafka, its dead letters, the tables or their index.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RedactionIT {
    private static final int ROWS = 1_000_000;
    private static final int BATCH = 2000;
    private static final int BETWEEN_PLANTED = 1000;
    private static final int SEARCHED = 10;
    private static final Pattern ANY_PLANTED =
            Pattern.compile("[0-9]{16}|[0-9]{4} [0-9]{4} [0-9]{4}|ghp_|@planted|hidden[0-9]|203\\.0\\.113\\.");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Random random = new Random(7);
    private final List<String> planted = new ArrayList<>();
    private Home home;
    private Program cordwood;

    @BeforeAll
    void up(@TempDir Path directory) throws Exception {
        home = new Home(directory.resolve("home"));
        cordwood = new Program(home.directory());
        assertThat(cordwood.run("up", "--detach", "--max-age", "3").err()).isEmpty();
        Path pipeline = Files.writeString(directory.resolve("pipeline.json"), """
            {"steps":[{"type":"redact","kinds":["card_number","email","ip_address","secret"]}]}""");
        assertThat(cordwood.run("tenant", "set", "acme", "--pipeline", pipeline.toString())
                        .err())
                .isEmpty();
    }

    @AfterAll
    void down() throws Exception {
        cordwood.run("down");
    }

    @Test
    void nothingThatWasPlantedIsKept() throws Exception {
        URI gateway = URI.create(JSON.readTree(home.endpoints().toFile())
                .path("gateway")
                .asText()
                .concat("/api/v1/ingest/logs?tenant=acme"));
        try (HttpClient http = HttpClient.newHttpClient()) {
            for (int first = 0; first < ROWS; first += BATCH) {
                StringBuilder rows = new StringBuilder();
                for (int n = first; n < first + BATCH; n++) {
                    rows.append(n % BETWEEN_PLANTED == 0 ? sensitiveRow(n) : row(n))
                            .append('\n');
                }
                send(http, gateway, rows.toString());
            }
        }
        assertThat(planted).hasSize(5 * ROWS / BETWEEN_PLANTED);
        assertThat(recordsWithPlanted("logs")).isEmpty();
        assertThat(recordsWithPlanted("logs.dlq")).isEmpty();
        Waiting.until(
                "all rows are archived",
                () -> number("SELECT count(*) FROM cordwood.acme.logs WHERE \"$tier\" = 'hot'") == 0);
        assertThat(number("SELECT count(*) FROM cordwood.acme.logs")).isEqualTo(ROWS);
        assertThat(number("SELECT count(*) FROM cordwood.acme.logs WHERE message LIKE '%[redacted:%'"))
                .isEqualTo(ROWS / BETWEEN_PLANTED);
        for (String column :
                List.of("message", "\"user.contact\"", "\"user.secret\"", "card", "CAST(attributes AS JSON)")) {
            assertThat(number(
                            "SELECT count(*) FROM cordwood.acme.logs WHERE regexp_like(json_format(CAST(%s AS JSON)), '%s')"
                                    .formatted(column, ANY_PLANTED.pattern())))
                    .as(column)
                    .isZero();
        }
        for (int i = 0; i < SEARCHED; i++) {
            String value = planted.get(random.nextInt(planted.size()));
            assertThat(cordwood.run("search", "\"%s\"".formatted(value), "--tenant", "acme", "--json"))
                    .as(value)
                    .satisfies(found -> assertThat(found.code()).isZero())
                    .satisfies(found -> assertThat(found.out()).isEmpty());
        }
    }

    private static String row(int n) {
        return "{\"n\":%d,\"message\":\"request %d took %d ms\",\"user\":{\"contact\":\"none\"},\"card\":\"none\"}"
                .formatted(n, n, n % 977);
    }

    private String sensitiveRow(int n) {
        String card = plant(card());
        String token = plant("ghp_" + letters(36));
        String address = plant("user%d@planted.example".formatted(n));
        String ip = plant("203.0.113.%d".formatted(n / BETWEEN_PLANTED % 256));
        String password = plant("hidden%d".formatted(n));
        return switch (n / BETWEEN_PLANTED % 3) {
            case 0 ->
                "{\"n\":%d,\"message\":\"paid by %s with %s, {\\\"password\\\":\\\"%s\\\"}\",\"user\":{\"contact\":\"%s\"},\"card\":\"%s\"}"
                        .formatted(n, ip, token, password, address, card);
            case 1 ->
                "{\"n\":%d,\"message\":\"Authorization: Bearer %s\\nfrom [%s] card %s %s\",\"user\":{\"contact\":\"%s\"},\"card\":\"none\"}"
                        .formatted(n, token, ip, card.replaceAll("(.{4})(?!$)", "$1 "), password(password), address);
            default ->
                "{\"n\":%d,\"message\":\"mail to <%s>\\u003a %s (%s)\",\"card\":%s,\"user\":{\"contact\":\"x\",\"secret\":\"%s\"}}"
                        .formatted(n, address, token, ip, card, password);
        };
    }

    private static String password(String value) {
        return "password=" + value;
    }

    private String plant(String value) {
        planted.add(value);
        return value;
    }

    private String letters(int count) {
        StringBuilder letters = new StringBuilder();
        for (int i = 0; i < count; i++) {
            letters.append((char) ('a' + random.nextInt(26)));
        }
        return letters.toString();
    }

    /** A number of 16 digits with a valid check digit. */
    private String card() {
        StringBuilder digits = new StringBuilder("4");
        int sum = 8;
        for (int i = 1; i < 15; i++) {
            int digit = random.nextInt(10);
            digits.append(digit);
            int weighted = i % 2 == 0 ? 2 * digit : digit;
            sum += weighted > 9 ? weighted - 9 : weighted;
        }
        return digits.append((10 - sum % 10) % 10).toString();
    }

    private static void send(HttpClient http, URI gateway, String rows) throws Exception {
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(gateway)
                        .POST(BodyPublishers.ofByteArray(rows.getBytes(UTF_8)))
                        .build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(JSON.readTree(answer.body()).path("rows").asInt()).isEqualTo(BATCH);
    }

    private List<String> recordsWithPlanted(String topic) throws Exception {
        Properties properties = new Properties();
        properties.setProperty(
                "bootstrap.servers",
                JSON.readTree(home.endpoints().toFile()).path("kafka").asText());
        List<String> found = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            KafkaTopics.forEachRecord(consumer, topic, record -> {
                String value = new String(record.value(), UTF_8);
                if (ANY_PLANTED.matcher(value).find()) {
                    found.add(value);
                }
            });
        }
        return found;
    }

    private long number(String sql) throws Exception {
        Program.Outcome outcome = cordwood.run("sql", "--json", sql);
        assertThat(outcome.err()).isEmpty();
        return JSON.readTree(outcome.out()).elements().next().asLong();
    }
}
