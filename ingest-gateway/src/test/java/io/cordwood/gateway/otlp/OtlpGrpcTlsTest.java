package io.cordwood.gateway.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.access.Callers;
import io.cordwood.catalog.pipeline.Pipeline;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.gateway.door.GatewayMetrics;
import io.cordwood.gateway.door.Intake;
import io.cordwood.gateway.send.InFlight;
import io.cordwood.gateway.send.RecordSender;
import io.cordwood.gateway.tenant.Shippers;
import io.cordwood.gateway.tenant.TenantSource;
import io.cordwood.services.OwnCertificate;
import io.grpc.CallOptions;
import io.grpc.ChannelCredentials;
import io.grpc.ClientCall;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.TlsChannelCredentials;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With TLS the port for gRPC has the certificate of the other port, and takes nothing in plain text. */
class OtlpGrpcTlsTest {
    @TempDir
    private Path directory;

    @Test
    void theCertificateIsUsed() throws Exception {
        OwnCertificate certificate = OwnCertificate.create(directory, "own");
        InFlight inFlight = new InFlight(1 << 20, 1 << 20);
        GatewayMetrics metrics = new GatewayMetrics(inFlight);
        Properties brokers = new Properties();
        // Nothing is sent there
        brokers.setProperty("bootstrap.servers", "127.0.0.1:9");
        try (RecordSender sender =
                        RecordSender.connect(brokers, URI.create("redis://127.0.0.1:9"), 1 << 20, Optional.empty());
                OtlpGrpcServer server = OtlpGrpcServer.start(
                        new OtlpGrpcServer.Settings("127.0.0.1", 0, Optional.of(certificate.own()), 1 << 20),
                        new Intake(
                                new Shippers(true, Callers.open(), new NoTenants()),
                                List.of("logs"),
                                1 << 20,
                                inFlight,
                                sender,
                                metrics),
                        metrics)) {
            ChannelCredentials trusting = TlsChannelCredentials.newBuilder()
                    .trustManager(certificate.authority().toFile())
                    .build();
            assertThat(export(server.address(), trusting).getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
            assertThat(export(server.address(), InsecureChannelCredentials.create())
                            .getCode())
                    .isEqualTo(Status.Code.UNAVAILABLE);
        }
    }

    private static Status export(String address, ChannelCredentials credentials) throws Exception {
        ManagedChannel channel = Grpc.newChannelBuilder(address, credentials).build();
        try {
            ClientCall<byte[], byte[]> call = channel.newCall(
                    MethodDescriptor.newBuilder(BytesMarshaller.INSTANCE, BytesMarshaller.INSTANCE)
                            .setType(MethodDescriptor.MethodType.UNARY)
                            .setFullMethodName("opentelemetry.proto.collector.logs.v1.LogsService/Export")
                            .build(),
                    CallOptions.DEFAULT);
            CompletableFuture<Status> answer = new CompletableFuture<>();
            call.start(
                    new ClientCall.Listener<>() {
                        @Override
                        public void onClose(Status status, Metadata trailers) {
                            answer.complete(status);
                        }
                    },
                    new Metadata());
            call.request(1);
            call.sendMessage("no protobuf".getBytes(UTF_8));
            call.halfClose();
            return answer.get();
        } finally {
            channel.shutdownNow();
        }
    }

    /** A catalog service that knows no tenant. */
    private static final class NoTenants implements TenantSource {
        @Override
        public Optional<Tenant> tenant(String id) {
            return Optional.empty();
        }

        @Override
        public Optional<Pipeline> pipeline(String id) {
            return Optional.empty();
        }
    }
}
