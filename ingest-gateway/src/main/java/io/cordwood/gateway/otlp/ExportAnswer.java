package io.cordwood.gateway.otlp;

import io.cordwood.gateway.door.GatewayMetrics;
import io.cordwood.gateway.refusal.RefusedException;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.io.InputStream;

/** The answer to one call of {@code Export}: the first one counts. Thread-safe. */
final class ExportAnswer {
    private static final Metadata.Key<byte[]> DETAILS =
            Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);
    private static final int OK = 200;
    /** For metrics: nobody reads the answer. */
    private static final int CLIENT_LEFT = 499;

    private final ServerCall<InputStream, byte[]> call;
    private final GatewayMetrics metrics;
    private final long begun = System.nanoTime();
    private boolean isGiven;

    ExportAnswer(ServerCall<InputStream, byte[]> call, GatewayMetrics metrics) {
        this.call = call;
        this.metrics = metrics;
    }

    synchronized void succeed(LogsRequest taken) {
        if (!give(OK)) {
            return;
        }
        call.sendHeaders(new Metadata());
        call.sendMessage(RpcStatus.protobuf(taken));
        call.close(Status.OK, new Metadata());
    }

    synchronized void refuse(RefusedException refusal) {
        if (!give(refusal.reason().status())) {
            return;
        }
        metrics.refused(ExportHandler.NAME, refusal.reason());
        Metadata trailers = new Metadata();
        trailers.put(DETAILS, RpcStatus.protobuf(refusal));
        call.close(
                Status.fromCodeValue(RpcStatus.code(refusal.reason())).withDescription(refusal.getMessage()), trailers);
    }

    /** The client has gone. */
    synchronized void abandon() {
        give(CLIENT_LEFT);
    }

    private boolean give(int status) {
        if (isGiven) {
            return false;
        }
        isGiven = true;
        metrics.answered(ExportHandler.NAME, status, System.nanoTime() - begun);
        return true;
    }
}
