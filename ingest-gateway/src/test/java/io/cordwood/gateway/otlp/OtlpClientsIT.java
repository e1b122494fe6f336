package io.cordwood.gateway.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.gateway.GatewayFixture;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** OpenTelemetry's own SDK as the client: every row arrives, with all of its fields. */
@Tag("slow")
final class OtlpClientsIT {
    private static final int ROWS = 2_000;

    @RegisterExtension
    private static final GatewayFixture gateway = new GatewayFixture();

    private static PythonSdk sdk;

    @BeforeAll
    static void start() throws Exception {
        sdk = new PythonSdk();
    }

    @Test
    void pythonOverHttp() throws Exception {
        sdk.log("http", gateway.uri().resolve("/v1/logs").toString(), "python-http", ROWS);
        requireAll("python-http");
    }

    @Test
    void pythonOverGrpc() throws Exception {
        sdk.log("grpc", gateway.otlpGrpcAddress(), "python-grpc", ROWS);
        requireAll("python-grpc");
    }

    private static void requireAll(String tenant) throws Exception {
        List<Map<String, Object>> rows = gateway.members(tenant);
        assertThat(rows.stream().map(row -> row.get("order")).distinct()).hasSize(ROWS);
        assertThat(rows).hasSize(ROWS).allSatisfy(row -> {
            long order = (Long) row.get("order");
            assertThat(row)
                    .containsEntry("message", "order %d of \"é\"\n".formatted(order))
                    .containsEntry("level", "WARN")
                    .containsEntry("severity_number", 13L)
                    .containsEntry("price", order / 4.0)
                    .containsEntry("paid", order % 2 == 0)
                    .containsEntry("tags", "[\"a\",\"b\"]")
                    .containsEntry("resource.service.name", "checkout")
                    .containsEntry("resource.host.cpus", 4L)
                    .containsEntry("resource.telemetry.sdk.language", "python")
                    .containsEntry("scope.name", "shop.cart");
        });
    }
}
