package io.cordwood.gateway.otlp;

import io.cordwood.gateway.door.Intake;
import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.grpc.ServerCall;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One call of {@code Export}. gRPC calls it from one thread at a time. */
final class ExportCall extends ServerCall.Listener<InputStream> {
    private static final Duration MAX_READING = Duration.ofMinutes(1);
    private static final int FIRST_BYTES = 16 << 10;
    private static final Logger LOG = LoggerFactory.getLogger(ExportCall.class);

    private final Intake.Delivery delivery;
    private final String stream;
    private final ExportAnswer answer;
    private final Runnable received;
    private final AtomicBoolean isReceived = new AtomicBoolean();
    private Optional<Future<?>> timer = Optional.empty();
    private Optional<byte[]> request = Optional.empty();

    /** @param received what to do once, when the request has come or will not come any more */
    ExportCall(Intake.Delivery delivery, String stream, ExportAnswer answer, Runnable received) {
        this.delivery = delivery;
        this.stream = stream;
        this.answer = answer;
        this.received = received;
    }

    /** Ends the call if its request takes too long to come. */
    void endAfter(ScheduledExecutorService timers) {
        timer = Optional.of(timers.schedule(
                () -> answer.refuse(new RefusedException(
                        Reason.TOO_SLOW,
                        "The request took longer than %d s to come".formatted(MAX_READING.toSeconds()))),
                MAX_READING.toMillis(),
                TimeUnit.MILLISECONDS));
    }

    private void received() {
        if (isReceived.compareAndSet(false, true)) {
            received.run();
            timer.ifPresent(each -> each.cancel(false));
        }
    }

    @Override
    public void onMessage(InputStream message) {
        try {
            request = Optional.of(read(message));
        } catch (RefusedException e) {
            answer.refuse(e);
        } catch (StatusRuntimeException | IOException e) {
            // Too large when it is unpacked, or not packed as it says
            answer.refuse(RefusedException.malformed("The request cannot be unpacked: " + e.getMessage()));
        } finally {
            received();
        }
    }

    private byte[] read(InputStream in) throws IOException {
        byte[] body = new byte[Math.max(FIRST_BYTES, Math.min(in.available() + 1, delivery.maxBytes()))];
        int length = 0;
        while (true) {
            int read = in.read(body, length, body.length - length);
            if (read < 0) {
                return Arrays.copyOf(body, length);
            }
            delivery.grow(read);
            length += read;
            if (length == body.length) {
                body = Arrays.copyOf(body, 2 * length);
            }
        }
    }

    @Override
    public void onHalfClose() {
        try {
            if (request.isPresent()) {
                LogsRequest logs = ProtobufLogs.read(request.get(), delivery.memory());
                delivery.ship(Map.of(stream, logs.payloads()), logs.rejected().count());
                answer.succeed(logs);
            } else {
                answer.refuse(RefusedException.malformed("The call has no request"));
            }
        } catch (RefusedException e) {
            answer.refuse(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            answer.refuse(RefusedException.unavailable("The gateway stops: send again", e));
        } catch (OutOfMemoryError e) {
            LOG.error("A request failed", e);
            answer.refuse(RefusedException.unavailable("The gateway is out of memory: send again", e));
        } catch (RuntimeException e) {
            LOG.error("A request failed", e);
            answer.refuse(new RefusedException(Reason.FAILED, "The gateway failed; its log says why"));
        }
    }

    @Override
    public void onCancel() {
        answer.abandon();
        end();
    }

    @Override
    public void onComplete() {
        end();
    }

    private void end() {
        received();
        delivery.close();
    }
}
