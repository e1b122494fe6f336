package io.cordwood.gateway.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import io.cordwood.catalog.tenant.Quota;
import io.cordwood.gateway.GatewayFixture;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceResponse;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** OTLP over gRPC. */
class OtlpGrpcIT {
    private static final byte[] SMALL = Requests.request(2, 2, 2, 10).toByteArray();
    private static final MethodDescriptor<byte[], byte[]> EXPORT = MethodDescriptor.newBuilder(
                    BytesMarshaller.INSTANCE, BytesMarshaller.INSTANCE)
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("opentelemetry.proto.collector.logs.v1.LogsService/Export")
            .build();

    @RegisterExtension
    private static final GatewayFixture gateway = new GatewayFixture();

    private static ManagedChannel channel;

    @BeforeAll
    static void start() throws Exception {
        channel = NettyChannelBuilder.forTarget(gateway.otlpGrpcAddress())
                .usePlaintext()
                .build();
    }

    @AfterAll
    static void stop() throws Exception {
        channel.shutdownNow();
    }

    private static ExportLogsServiceResponse export(Map<String, String> headers, byte[] request, CallOptions options)
            throws Exception {
        Metadata metadata = new Metadata();
        headers.forEach((name, value) -> metadata.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value));
        ClientCall<byte[], byte[]> call = channel.newCall(EXPORT, options);
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onMessage(byte[] message) {
                        answer.complete(message);
                    }

                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        answer.completeExceptionally(status.asRuntimeException(trailers));
                    }
                },
                metadata);
        call.request(2);
        call.sendMessage(request);
        call.halfClose();
        try {
            return ExportLogsServiceResponse.parseFrom(answer.get());
        } catch (ExecutionException e) {
            throw (Exception) e.getCause();
        }
    }

    private static ExportLogsServiceResponse export(String tenant, byte[] request) throws Exception {
        return export(Map.of("x-scope-orgid", tenant), request, CallOptions.DEFAULT);
    }

    private static StatusRuntimeException refused(String tenant, byte[] request) {
        return catchThrowableOfType(StatusRuntimeException.class, () -> export(tenant, request));
    }

    @Test
    void aRequestIsOneRecordAsItCame() throws Exception {
        assertThat(export("grpc", SMALL)).isEqualTo(ExportLogsServiceResponse.getDefaultInstance());
        assertThat(gateway.records("grpc", "logs")).hasSize(1);
        assertThat(gateway.records("grpc", "logs").getFirst().value()).isEqualTo(SMALL);
        assertThat(gateway.members("grpc")).hasSize(8);
    }

    @Test
    void packedByGzipAndToAnotherStream() throws Exception {
        export(
                Map.of("x-cordwood-tenant", "packed", "x-cordwood-stream", "audit"),
                SMALL,
                CallOptions.DEFAULT.withCompression("gzip"));
        assertThat(gateway.rows("packed", "audit")).hasSize(8);
    }

    @Test
    void aLargeRequestGoesInParts() throws Exception {
        export("large", Requests.request(2, 2, 500, 2_000).toByteArray());
        assertThat(gateway.records("large", "logs")).hasSizeBetween(4, 6);
        assertThat(gateway.members("large")).hasSize(2_000);
    }

    @Test
    void refusals() throws Exception {
        assertThat(refused("refused", "no protobuf".getBytes(UTF_8)).getStatus().getCode())
                .isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(refused("x".repeat(129), SMALL).getStatus().getDescription()).contains("1 to 128 bytes");
        StatusRuntimeException unknown = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> export(Map.of("x-cordwood-stream", "nosuch"), SMALL, CallOptions.DEFAULT));
        assertThat(unknown.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
        assertThat(gateway.records("refused", "logs")).isEmpty();
    }

    /** What is wrong with a log record costs only itself, as deep values and attributes of the wrong type. */
    @Test
    void badRecordsCostOnlyThemselves() throws Exception {
        ExportLogsServiceRequest.Builder request = Requests.request(1, 1, 2, 10).toBuilder();
        AnyValue deep = AnyValue.newBuilder().setIntValue(1).build();
        for (int i = 0; i < 1_000; i++) {
            deep = AnyValue.newBuilder()
                    .setArrayValue(ArrayValue.newBuilder().addValues(deep))
                    .build();
        }
        ByteString notUtf8 = ByteString.copyFrom(new byte[] {'x', -1});
        UnknownFieldSet text = UnknownFieldSet.newBuilder()
                .addField(1, Field.newBuilder().addLengthDelimited(notUtf8).build())
                .build();
        UnknownFieldSet timeOfTheWrongType = UnknownFieldSet.newBuilder()
                .addField(1, Field.newBuilder().addVarint(5).build())
                .build();
        LogRecord.Builder wide = LogRecord.newBuilder();
        for (int i = 0; i < 100_000; i++) {
            wide.addAttributes(Requests.attribute("k" + i, 1));
        }
        request.getResourceLogsBuilder(0)
                .getScopeLogsBuilder(0)
                .addLogRecords(LogRecord.newBuilder().setBody(deep))
                .addLogRecords(LogRecord.newBuilder().setUnknownFields(timeOfTheWrongType))
                .addLogRecords(
                        LogRecord.newBuilder().setBody(AnyValue.newBuilder().setUnknownFields(text)))
                .addLogRecords(LogRecord.newBuilder()
                        .addAttributes(Requests.attribute("a", 1))
                        .addAttributes(Requests.attribute("a", 2)))
                .addLogRecords(LogRecord.newBuilder().setTimeUnixNano(-1))
                .addLogRecords(wide);
        ExportLogsServiceResponse answer = export("bad", request.build().toByteArray());
        assertThat(answer.getPartialSuccess().getRejectedLogRecords()).isEqualTo(2);
        assertThat(answer.getPartialSuccess().getErrorMessage()).contains("more than 100 levels deep");
        assertThat(gateway.members("bad"))
                .hasSize(6)
                .anySatisfy(row -> assertThat(row).containsEntry("message", "x\\xff"))
                .anySatisfy(row -> assertThat(row).containsEntry("a", 1L));
    }

    /** Calls whose requests do not come take no more than their share; those of other tenants go on. */
    @Test
    void slowRequestsDelayNoOtherTenant() throws Exception {
        List<ClientCall<byte[], byte[]>> slow = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Metadata metadata = new Metadata();
            metadata.put(Metadata.Key.of("x-scope-orgid", Metadata.ASCII_STRING_MARSHALLER), "slow-grpc");
            ClientCall<byte[], byte[]> call = channel.newCall(EXPORT, CallOptions.DEFAULT);
            call.start(new ClientCall.Listener<>() {}, metadata);
            slow.add(call);
        }
        export("beside-slow", SMALL);
        assertThat(gateway.members("beside-slow")).hasSize(8);
        slow.forEach(call -> call.cancel("enough", null));
    }

    @Test
    void aRequestThatIsCutIsRefused() throws Exception {
        assertThat(refused("cut", Arrays.copyOf(SMALL, SMALL.length - 1))
                        .getStatus()
                        .getCode())
                .isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(gateway.records("cut", "logs")).isEmpty();
    }

    @Test
    void bombsEndAtTheBound() throws Exception {
        StatusRuntimeException refused = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> export(
                        Map.of("x-scope-orgid", "bomb"),
                        new byte[64 << 20],
                        CallOptions.DEFAULT.withCompression("gzip")));
        assertThat(refused.getStatus().getCode()).isIn(Status.Code.INVALID_ARGUMENT, Status.Code.RESOURCE_EXHAUSTED);
        assertThat(gateway.request("GET", "/metrics", Map.of(), new byte[0]).body())
                .contains("cordwood_gateway_refused_requests_total{door=\"otlp_grpc\"");
    }

    @Test
    void aTenantBeyondItsQuotaIsToldWhenToRetry() throws Exception {
        gateway.limit("small-grpc", Quota.NONE.withBytesPerSecond(OptionalLong.of(100)));
        export("small-grpc", SMALL);
        StatusRuntimeException refused = refused("small-grpc", SMALL);
        assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        byte[] details =
                refused.getTrailers().get(Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER));
        assertThat(new String(details, UTF_8)).contains("google.rpc.RetryInfo");
    }

    @Test
    void nothingIsHeldAfterwards() throws Exception {
        export("held", SMALL);
        refused("held", "no protobuf".getBytes(UTF_8));
        String metrics = "";
        // The call ends a moment after its answer
        for (int i = 0; i < 1_000 && !metrics.contains("in_flight_bytes 0"); i++) {
            metrics = gateway.request("GET", "/metrics", Map.of(), new byte[0]).body();
        }
        assertThat(metrics).contains("in_flight_bytes 0").contains("cordwood_gateway_rows_total{door=\"otlp_grpc\"}");
    }
}
