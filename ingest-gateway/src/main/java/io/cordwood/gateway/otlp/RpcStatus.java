package io.cordwood.gateway.otlp;

import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.cordwood.record.json.JsonComposer;
import java.time.Duration;
import java.util.Arrays;

/** Refusals and partial successes as messages of OTLP and gRPC. Stateless. */
final class RpcStatus {
    private RpcStatus() {}

    /** The code of gRPC. What has none that clients send again for is INVALID_ARGUMENT. */
    static int code(Reason reason) {
        return switch (reason) {
            case MALFORMED, TOO_LARGE, UNSUPPORTED -> 3;
            case TOO_SLOW -> 4;
            case NOT_FOUND -> 5;
            case FORBIDDEN -> 7;
            case OVER_QUOTA, TOO_BUSY -> 8;
            case METHOD_NOT_ALLOWED -> 12;
            case FAILED -> 13;
            case UNAVAILABLE -> 14;
            case UNAUTHENTICATED -> 16;
        };
    }

    /** A google.rpc.Status in protobuf, with a google.rpc.RetryInfo if the request may be sent again. */
    static byte[] protobuf(RefusedException refusal) {
        ProtobufWriter status = new ProtobufWriter();
        status.number(1, code(refusal.reason()));
        status.string(2, refusal.getMessage());
        refusal.retryAfter().ifPresent(after -> status.message(3, retryInfo(after)));
        return status.toByteArray();
    }

    private static ProtobufWriter retryInfo(Duration after) {
        ProtobufWriter duration = new ProtobufWriter();
        duration.number(1, after.toSeconds());
        duration.number(2, after.toNanosPart());
        ProtobufWriter info = new ProtobufWriter();
        info.message(1, duration);
        ProtobufWriter any = new ProtobufWriter();
        any.string(1, "type.googleapis.com/google.rpc.RetryInfo");
        any.message(2, info);
        return any;
    }

    /** A google.rpc.Status in JSON. */
    static byte[] json(RefusedException refusal) {
        JsonComposer json = new JsonComposer();
        json.open('{');
        json.name("code");
        json.number(code(refusal.reason()));
        json.name("message");
        json.string(refusal.getMessage());
        json.close('}');
        return bytes(json);
    }

    /** An ExportLogsServiceResponse in protobuf. */
    static byte[] protobuf(LogsRequest taken) {
        ProtobufWriter response = new ProtobufWriter();
        taken.message().ifPresent(message -> {
            ProtobufWriter partial = new ProtobufWriter();
            partial.number(1, taken.rejected().count());
            partial.string(2, message);
            response.message(1, partial);
        });
        return response.toByteArray();
    }

    /** An ExportLogsServiceResponse in JSON. */
    static byte[] json(LogsRequest taken) {
        JsonComposer json = new JsonComposer();
        json.open('{');
        taken.message().ifPresent(message -> {
            json.name("partialSuccess");
            json.open('{');
            json.name("rejectedLogRecords");
            json.string(Long.toString(taken.rejected().count()));
            json.name("errorMessage");
            json.string(message);
            json.close('}');
        });
        json.close('}');
        return bytes(json);
    }

    private static byte[] bytes(JsonComposer json) {
        return Arrays.copyOf(json.array(), json.length());
    }
}
