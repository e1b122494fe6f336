package io.cordwood.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.pipeline.Pipeline;
import io.cordwood.catalog.pipeline.Sensitive;
import io.cordwood.catalog.pipeline.Step;
import io.cordwood.catalog.tenant.Tenant;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A gateway with the heap that {@code up} gives it: requests that need many times their size do not end it. */
@Tag("slow")
final class GatewayMemoryIT {
    private static final List<Integer> BODY_BYTES = List.of(31 << 20, 8 << 20, 2 << 20);
    private static final int CLIENTS = 8;
    /** A tenant with a pipeline. */
    private static final String PIPED = "piped";

    @RegisterExtension
    private static final GatewayFixture fixture = new GatewayFixture();

    @TempDir
    private Path directory;

    /** Bodies that need far more memory than they have bytes. */
    private enum Hostile {
        RESOURCES("/v1/logs", "application/x-protobuf", "\n\u0004\u0012\u0002\u0012\0"),
        EMPTY_MEMBERS("/v1/logs", "application/json", "{\"resourceLogs\":[{", "\"\":0,", "\"\":0}]}"),
        DOCUMENTS("/logs/_bulk", "application/x-ndjson", "{\"index\":{}}\n{}\n"),
        MALFORMED_DOCUMENTS("/logs/_bulk", "application/x-ndjson", "{\"index\":{}}\n7\n"),
        LONG_ID("/_bulk", "application/x-ndjson", "{\"index\":{\"_id\":\"", "x", "\"}}\n{}\n"),
        OBJECTS("/api/v1/ingest/logs", "application/x-ndjson", "{}\n"),
        LINES("/api/v1/ingest/logs", "text/plain", "x\n"),
        ONE_LINE("/api/v1/ingest/logs", "text/plain", "\u0001"),
        COLUMNS("/api/v1/ingest/logs", "application/x-ndjson", "{\"a\":0", ",\"a\":0", "}\n"),
        RAW_LINE("/services/collector/raw", "text/plain", "\u0001"),
        LOKI_LINE(
                "/loki/api/v1/push",
                "application/json",
                "{\"streams\":[{\"stream\":{},\"values\":[[\"1795168800000000000\",\"",
                "x",
                "\"]]}]}");

        private final String path;
        private final String contentType;
        private final String before;
        private final String repeated;
        private final String after;

        Hostile(String path, String contentType, String repeated) {
            this(path, contentType, "", repeated, "");
        }

        Hostile(String path, String contentType, String before, String repeated, String after) {
            this.path = path;
            this.contentType = contentType;
            this.before = before;
            this.repeated = repeated;
            this.after = after;
        }

        byte[] body(int bytes) {
            return (before + repeated.repeat(bytes / repeated.length()) + after).getBytes(US_ASCII);
        }
    }

    @ParameterizedTest
    @EnumSource
    void requestsThatNeedManyTimesTheirSize(Hostile hostile) throws Exception {
        fixture.catalog().putTenant(Tenant.of(PIPED));
        fixture.catalog()
                .putPipeline(
                        PIPED,
                        new Pipeline(List.of(
                                new Step.Remove(List.of("b")), new Step.Redact(EnumSet.allOf(Sensitive.class)))));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx384m",
                "-XX:+UseSerialGC",
                "-XX:SurvivorRatio=1",
                "-XX:TargetSurvivorRatio=90",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                GatewayServer.class.getName()));
        command.addAll(fixture.arguments());
        try (ClientProcess gateway = ClientProcess.start(directory.resolve("gateway.log"), command);
                HttpClient http = HttpClient.newHttpClient();
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            URI uri = gateway.awaitGateway();
            List<Integer> statuses = new ArrayList<>();
            for (int bytes : BODY_BYTES) {
                byte[] body = hostile.body(bytes);
                List<Callable<Integer>> requests = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    String tenant = i % 2 == 0 ? "hostile" : PIPED;
                    requests.add(() -> post(http, uri.resolve(hostile.path), tenant, hostile.contentType, body));
                }
                for (Future<Integer> answer : clients.invokeAll(requests)) {
                    statuses.add(answer.get());
                }
                gateway.requireAlive();
                assertThat(post(http, uri.resolve(Hostile.OBJECTS.path), "other", "", "{}".getBytes(US_ASCII)))
                        .isEqualTo(200);
            }
            assertThat(gateway.output()).doesNotContain("OutOfMemoryError");
            assertThat(statuses)
                    .as(hostile.name())
                    .allMatch(status -> List.of(200, 204, 400, 413, 429, 503).contains(status));
        }
    }

    private static int post(HttpClient http, URI uri, String tenant, String contentType, byte[] body)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri)
                .header("X-Scope-OrgID", tenant)
                .header("Content-Type", contentType)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }
}
