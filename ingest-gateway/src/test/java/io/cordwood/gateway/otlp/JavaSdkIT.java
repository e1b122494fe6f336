package io.cordwood.gateway.otlp;

import io.cordwood.gateway.GatewayFixture;
import io.opentelemetry.exporter.otlp.http.logs.OtlpHttpLogRecordExporter;
import io.opentelemetry.exporter.otlp.logs.OtlpGrpcLogRecordExporter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What OpenTelemetry's SDK for Java exports is in Kafka: every row with all of its fields. */
class JavaSdkIT {
    @RegisterExtension
    private static final GatewayFixture gateway = new GatewayFixture();

    @Test
    void overHttp() throws Exception {
        SdkLogs.export(OtlpHttpLogRecordExporter.builder()
                .setEndpoint(gateway.uri().resolve("/v1/logs").toString())
                .addHeader("X-Scope-OrgID", "java-http")
                .setCompression("gzip")
                .build());
        SdkLogs.requireAll(gateway.timedMembers("java-http"));
    }

    @Test
    void overGrpc() throws Exception {
        SdkLogs.export(OtlpGrpcLogRecordExporter.builder()
                .setEndpoint("http://" + gateway.otlpGrpcAddress())
                .addHeader("x-scope-orgid", "java-grpc")
                .setCompression("gzip")
                .build());
        SdkLogs.requireAll(gateway.timedMembers("java-grpc"));
    }
}
