package io.cordwood.gateway.otlp;

import io.cordwood.gateway.door.GatewayMetrics;
import io.cordwood.gateway.door.Intake;
import io.cordwood.identity.PemFiles;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolConfig;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.grpc.netty.shaded.io.netty.handler.ssl.JdkSslContext;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** OTLP over gRPC: {@code LogsService/Export}, on a port of its own. Thread-safe. */
public final class OtlpGrpcServer implements AutoCloseable {
    private static final String SERVICE = "opentelemetry.proto.collector.logs.v1.LogsService";
    /** gRPC holds a message before anything counts it; exporters send less than half of this. */
    private static final int MAX_MESSAGE_BYTES = 8 << 20;

    private static final int MAX_METADATA_BYTES = 16 << 10;
    private static final int MAX_CALLS_OF_CONNECTION = 32;
    private static final int HANDSHAKE_SECONDS = 20;
    private static final int KEEP_ALIVE_SECONDS = 60;
    private static final int KEEP_ALIVE_ANSWER_SECONDS = 20;
    private static final int SHORTEST_KEEP_ALIVE_SECONDS = 10;
    private static final int IDLE_MINUTES = 10;
    private static final int STOPPING_SECONDS = 15;

    private final String host;
    private final Server server;
    private final ExecutorService workers;
    private final ScheduledExecutorService timers;

    /**
     * Where the server listens, and how.
     *
     * @param port 0 for a free one
     * @param tlsKeystore the certificate and its key; empty: without TLS
     * @param maxRequestBytes largest request, packed and unpacked
     */
    public record Settings(String host, int port, Optional<Path> tlsKeystore, int maxRequestBytes) {}

    private OtlpGrpcServer(String host, Server server, ExecutorService workers, ScheduledExecutorService timers) {
        this.host = host;
        this.server = server;
        this.workers = workers;
        this.timers = timers;
    }

    /**
     * Starts to serve.
     *
     * @throws IOException if it cannot listen on the address, or the TLS file cannot be read
     */
    public static OtlpGrpcServer start(Settings settings, Intake intake, GatewayMetrics metrics) throws IOException {
        metrics.announce(ExportHandler.NAME);
        ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
        ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("otlp-grpc-timer").factory());
        NettyServerBuilder builder = NettyServerBuilder.forAddress(
                        new InetSocketAddress(settings.host(), settings.port()))
                .executor(workers)
                .maxInboundMessageSize(Math.min(settings.maxRequestBytes(), MAX_MESSAGE_BYTES))
                .maxInboundMetadataSize(MAX_METADATA_BYTES)
                .maxConcurrentCallsPerConnection(MAX_CALLS_OF_CONNECTION)
                .handshakeTimeout(HANDSHAKE_SECONDS, TimeUnit.SECONDS)
                .keepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(KEEP_ALIVE_ANSWER_SECONDS, TimeUnit.SECONDS)
                .permitKeepAliveTime(SHORTEST_KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .maxConnectionIdle(IDLE_MINUTES, TimeUnit.MINUTES)
                .addService(ServerServiceDefinition.builder(SERVICE)
                        .addMethod(export(), new ExportHandler(intake, metrics, timers))
                        .build());
        if (settings.tlsKeystore().isPresent()) {
            builder.sslContext(tls(settings.tlsKeystore().get()));
        }
        try {
            return new OtlpGrpcServer(settings.host(), builder.build().start(), workers, timers);
        } catch (IOException e) {
            workers.shutdown();
            timers.shutdown();
            throw new IOException(
                    "Cannot listen on %s:%d: %s".formatted(settings.host(), settings.port(), e.getMessage()), e);
        }
    }

    /** Requests stay streams, so that memory is taken for them only as far as the bounds allow. */
    private static MethodDescriptor<InputStream, byte[]> export() {
        return MethodDescriptor.newBuilder(StreamMarshaller.INSTANCE, BytesMarshaller.INSTANCE)
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Export"))
                .build();
    }

    /** The JDK's TLS, as its context reads the certificate again when the file changes. */
    private static JdkSslContext tls(Path keystore) throws IOException {
        return new JdkSslContext(
                PemFiles.serving(keystore),
                false,
                null,
                IdentityCipherSuiteFilter.INSTANCE,
                new ApplicationProtocolConfig(
                        ApplicationProtocolConfig.Protocol.ALPN,
                        ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                        ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                        "h2"),
                ClientAuth.NONE,
                new String[] {"TLSv1.3", "TLSv1.2"},
                false);
    }

    /** Host and port. */
    public String address() {
        return host + ":" + server.getPort();
    }

    /** Stops after the requests under way. */
    @Override
    public void close() {
        server.shutdown();
        try {
            if (!server.awaitTermination(STOPPING_SECONDS, TimeUnit.SECONDS)) {
                server.shutdownNow();
            }
        } catch (InterruptedException e) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        }
        workers.shutdown();
        timers.shutdown();
    }
}
