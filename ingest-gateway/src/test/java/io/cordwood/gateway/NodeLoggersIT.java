package io.cordwood.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What pino and winston of Node.js send with their usual transports arrives: every row with all fields. */
@Tag("slow")
final class NodeLoggersIT {
    private static final int ROWS = 600;
    private static final long MILLIS = 1_795_168_000_000L;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> LEVELS = List.of("debug", "info", "warn", "error");
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSX").withZone(ZoneOffset.UTC);
    private static NodeLoggers loggers;

    @RegisterExtension
    private static final GatewayFixture gateway = new GatewayFixture();

    @BeforeAll
    static void start() throws Exception {
        loggers = new NodeLoggers();
    }

    @Test
    void pinoOverOtlp() throws Exception {
        compare("pino-opentelemetry-transport", "pino-otlp", i -> {
            Map<String, Object> row = row(i, "");
            row.put("message", text(i));
            row.put("level", level(i));
            row.put("severity_number", 5L + i % 4 * 4L);
            row.put("service", "checkout");
            row.put("resource.service.name", "checkout");
            row.put("scope.name", "shop.cart");
            row.put("scope.version", "1.2");
            return row;
        });
    }

    @Test
    void pinoToLoki() throws Exception {
        compare("pino-loki", "pino-loki", i -> {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("level", 20 + i % 4 * 10);
            line.put("time", MILLIS + i);
            line.put("service", "checkout");
            line.put("order", i);
            line.put("price", i / 4.0 + 0.125);
            line.put("paid", i % 2 == 0);
            line.put("user", ordered("name", name(i), "groups", List.of("a", i)));
            line.put("msg", text(i));
            return Map.of(
                    "ts",
                    (MILLIS + i) * 1_000,
                    "message",
                    json(line),
                    "level",
                    level(i).equals("warn") ? "warning" : level(i),
                    "app",
                    "web",
                    "service",
                    "checkout");
        });
    }

    /** It cannot name a tenant. */
    @Test
    void pinoToElasticsearch() throws Exception {
        compare("pino-elasticsearch", "default", i -> {
            Map<String, Object> row = row(i, "");
            row.put("index", "default");
            row.put("level", 20L + i % 4 * 10L);
            row.put("time", time(i));
            row.put("service", "checkout");
            row.put("msg", text(i));
            return row;
        });
    }

    @Test
    void winstonToElasticsearch() throws Exception {
        compare("winston-elasticsearch", "winston-elasticsearch", i -> {
            Map<String, Object> row = row(i, "fields.");
            row.put("fields.timestamp", time(i));
            row.put("severity", level(i));
            row.put("message", text(i));
            row.put("data_stream.type", "logs");
            row.put("data_stream.dataset", "shop");
            row.put("data_stream.namespace", "prod");
            return row;
        });
    }

    @Test
    void winstonToLoki() throws Exception {
        compare("winston-loki", "winston-loki", i -> {
            Map<String, Object> line = new TreeMap<>();
            line.put("level", level(i));
            line.put("message", text(i));
            line.put("order", i);
            line.put("paid", i % 2 == 0);
            line.put("price", i / 4.0 + 0.125);
            line.put("timestamp", time(i));
            line.put("user", ordered("groups", List.of("a", i), "name", name(i)));
            return Map.of("ts", (MILLIS + i) * 1_000, "message", json(line), "level", level(i), "app", "web");
        });
    }

    @Test
    void winstonOverHttp() throws Exception {
        compare("winston-http", "winston-http", i -> {
            Map<String, Object> row = row(i, "");
            row.put("level", level(i));
            row.put("message", text(i));
            return row;
        });
    }

    /** The time and fields that every logger sends, with a prefix of its own. */
    private static Map<String, Object> row(int i, String prefix) {
        Map<String, Object> row = new HashMap<>();
        row.put("ts", (MILLIS + i) * 1_000);
        row.put(prefix + "order", (long) i);
        row.put(prefix + "price", i / 4.0 + 0.125);
        row.put(prefix + "paid", i % 2 == 0);
        row.put(prefix + "user.name", name(i));
        row.put(prefix + "user.groups", "[\"a\"," + i + "]");
        return row;
    }

    private static String text(int i) {
        return "line " + i + " said \"no\"\n\tand \\ left, é 日本 \uD83D\uDE00";
    }

    private static String name(int i) {
        return "Zoë \"" + i + "\"";
    }

    private static String level(int i) {
        return LEVELS.get(i % LEVELS.size());
    }

    private static String time(int i) {
        return TIME.format(Instant.ofEpochMilli(MILLIS + i));
    }

    private static Map<String, Object> ordered(String first, Object value, String second, Object other) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put(first, value);
        map.put(second, other);
        return map;
    }

    private static String json(Map<String, Object> value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void compare(String client, String tenant, IntFunction<Map<String, Object>> expectedRow)
            throws Exception {
        Map<Object, Map<String, Object>> expected = new TreeMap<>();
        for (int i = 0; i < ROWS; i++) {
            Map<String, Object> row = expectedRow.apply(i);
            expected.put(row.get("ts"), row);
        }
        loggers.log(client, gateway.uri(), tenant, ROWS);
        List<Map<String, Object>> rows = gateway.timedMembers(tenant);
        assertThat(rows).hasSize(ROWS);
        Map<Object, Map<String, Object>> found = new TreeMap<>();
        for (Map<String, Object> row : rows) {
            // What the SDK says of this machine and the time of sending
            row.keySet()
                    .removeIf(name -> name.equals("observed_time_unix_nano")
                            || (name.startsWith("resource.") && !name.equals("resource.service.name")));
            found.put(row.get("ts"), row);
        }
        assertThat(found).isEqualTo(expected);
    }
}
