package io.cordwood.gateway.otlp;

import io.cordwood.gateway.ClientProcess;
import io.cordwood.gateway.GatewayFixture;
import io.cordwood.services.FreePort;
import io.cordwood.services.TestServices;
import io.cordwood.services.Waiting;
import io.opentelemetry.exporter.otlp.logs.OtlpGrpcLogRecordExporter;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What OpenTelemetry's Collector gets of an application and ships arrives: every row with all of its fields. */
@Tag("slow")
final class CollectorIT {
    private static Path collector;

    @RegisterExtension
    private static final GatewayFixture gateway = new GatewayFixture();

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() throws Exception {
        collector = TestServices.openTelemetryCollector();
    }

    @Test
    void overHttp() throws Exception {
        ship("otlp_http/cordwood", """
                logs_endpoint: %s
                compression: zstd
                headers:
                  X-Scope-OrgID: collector-http
            """.formatted(gateway.uri().resolve("/v1/logs")));
        SdkLogs.requireAll(gateway.timedMembers("collector-http"));
    }

    @Test
    void overHttpAsJson() throws Exception {
        ship("otlp_http/cordwood", """
                logs_endpoint: %s
                encoding: json
                headers:
                  X-Scope-OrgID: collector-json
            """.formatted(gateway.uri().resolve("/otlp/v1/logs")));
        SdkLogs.requireAll(gateway.timedMembers("collector-json"));
    }

    @Test
    void overGrpc() throws Exception {
        ship("otlp_grpc/cordwood", """
                endpoint: %s
                tls:
                  insecure: true
                headers:
                  x-scope-orgid: collector-grpc
            """.formatted(gateway.otlpGrpcAddress()));
        SdkLogs.requireAll(gateway.timedMembers("collector-grpc"));
    }

    private void ship(String exporter, String settings) throws Exception {
        int port = FreePort.choose();
        Path configuration = Files.writeString(
                directory.resolve("collector.yaml"), """
            receivers:
              otlp:
                protocols:
                  grpc:
                    endpoint: 127.0.0.1:%d
            exporters:
              %s:
            %s
            service:
              telemetry:
                metrics:
                  level: none
              pipelines:
                logs:
                  receivers: [otlp]
                  exporters: [%s]
            """.formatted(port, exporter, settings, exporter));
        // Closing it waits until it has shipped all
        try (ClientProcess running = ClientProcess.start(
                directory.resolve("output"), List.of(collector.toString(), "--config", "file:" + configuration))) {
            Waiting.until("the collector listens", () -> listens(running, port));
            SdkLogs.export(OtlpGrpcLogRecordExporter.builder()
                    .setEndpoint("http://127.0.0.1:" + port)
                    .build());
        }
    }

    private static boolean listens(ClientProcess running, int port) throws IOException {
        running.requireAlive();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (ConnectException e) {
            return false;
        }
    }
}
