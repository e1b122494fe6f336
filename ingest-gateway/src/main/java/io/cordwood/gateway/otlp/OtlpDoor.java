package io.cordwood.gateway.otlp;

import io.cordwood.gateway.door.Door;
import io.cordwood.gateway.door.Intake;
import io.cordwood.gateway.door.Visit;
import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.cordwood.http.Reply;
import java.io.IOException;
import java.util.Map;
import java.util.Set;

/**
 * {@code POST /v1/logs}: OTLP over HTTP, in protobuf or JSON. A request travels to Kafka as it is; a large one in
 * parts. Thread-safe.
 */
public final class OtlpDoor implements Door {
    static final String NAME = "otlp";
    static final String STREAM_HEADER = "X-Cordwood-Stream";
    static final String DEFAULT_STREAM = "logs";
    private static final Set<String> PATHS = Set.of("/v1/logs", "/otlp/v1/logs");
    private static final String JSON = "application/json";
    private static final String PROTOBUF = "application/x-protobuf";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean isAt(String path) {
        return PATHS.contains(path);
    }

    @Override
    public Reply answer(Visit visit) throws IOException, InterruptedException {
        visit.requireMethod("POST");
        Intake.Delivery delivery = visit.begin();
        String stream = visit.header(STREAM_HEADER).orElse(DEFAULT_STREAM);
        delivery.requireStream(stream);
        boolean isJson = isJson(visit);
        byte[] body = visit.body(delivery);
        LogsRequest request =
                isJson ? JsonLogs.read(body, delivery.memory()) : ProtobufLogs.read(body, delivery.memory());
        delivery.ship(Map.of(stream, request.payloads()), request.rejected().count());
        return isJson ? Reply.json(RpcStatus.json(request)) : protobuf(200, RpcStatus.protobuf(request));
    }

    private static boolean isJson(Visit visit) {
        return switch (visit.mediaType()) {
            case JSON -> true;
            case PROTOBUF, "application/protobuf" -> false;
            default ->
                throw new RefusedException(
                        Reason.UNSUPPORTED,
                        "Content-Type '%s' is not known: use %s or %s".formatted(visit.mediaType(), PROTOBUF, JSON));
        };
    }

    private static Reply protobuf(int status, byte[] message) {
        return Reply.of(status, PROTOBUF, message);
    }

    @Override
    public Reply refuse(RefusedException refusal, Visit visit) {
        int status = refusal.reason().status();
        return visit.mediaType().endsWith("protobuf")
                ? protobuf(status, RpcStatus.protobuf(refusal))
                : Reply.json(status, RpcStatus.json(refusal));
    }
}
