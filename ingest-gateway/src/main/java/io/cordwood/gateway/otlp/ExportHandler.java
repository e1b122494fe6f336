package io.cordwood.gateway.otlp;

import static java.util.Objects.requireNonNull;

import io.cordwood.gateway.door.GatewayMetrics;
import io.cordwood.gateway.door.Intake;
import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.cordwood.gateway.tenant.Credentials;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Begins calls of {@code Export}: finds out who sends, before anything of the request is read. Thread-safe. */
final class ExportHandler implements ServerCallHandler<InputStream, byte[]> {
    static final String NAME = "otlp_grpc";
    /** At once, of all connections. gRPC keeps a request in memory until all of it has come. */
    private static final int MAX_RECEIVED = 32;

    private static final int MAX_RECEIVED_OF_TENANT = 8;

    private static final Logger LOG = LoggerFactory.getLogger(ExportHandler.class);

    private final Intake intake;
    private final GatewayMetrics metrics;
    private final ScheduledExecutorService timers;
    private final Semaphore receiving = new Semaphore(MAX_RECEIVED);
    private final Map<String, Integer> receivingOf = new ConcurrentHashMap<>();

    ExportHandler(Intake intake, GatewayMetrics metrics, ScheduledExecutorService timers) {
        this.intake = requireNonNull(intake, "intake is null");
        this.metrics = requireNonNull(metrics, "metrics is null");
        this.timers = requireNonNull(timers, "timers is null");
    }

    @Override
    public ServerCall.Listener<InputStream> startCall(ServerCall<InputStream, byte[]> call, Metadata headers) {
        ExportAnswer answer = new ExportAnswer(call, metrics);
        try {
            return begin(call, headers, answer);
        } catch (RefusedException e) {
            answer.refuse(e);
        } catch (RuntimeException e) {
            LOG.error("A request failed", e);
            answer.refuse(new RefusedException(Reason.FAILED, "The gateway failed; its log says why"));
        }
        return new ServerCall.Listener<>() {};
    }

    private ExportCall begin(ServerCall<InputStream, byte[]> call, Metadata headers, ExportAnswer answer) {
        Intake.Delivery delivery = intake.begin(
                NAME,
                Credentials.authorizationOf(name -> header(headers, name)),
                header(headers, "X-Cordwood-Tenant").or(() -> header(headers, "X-Scope-OrgID")));
        try {
            String stream = header(headers, OtlpDoor.STREAM_HEADER).orElse(OtlpDoor.DEFAULT_STREAM);
            delivery.requireStream(stream);
            Runnable received = receiving(delivery.tenant());
            ExportCall begun = new ExportCall(delivery, stream, answer, received);
            begun.endAfter(timers);
            call.request(1);
            return begun;
        } catch (RefusedException e) {
            delivery.close();
            throw e;
        }
    }

    /**
     * Lets one more request of a tenant come.
     *
     * @return what to do when it has come
     */
    private Runnable receiving(String tenant) {
        receivingOf.merge(tenant, 1, (now, one) -> {
            if (now == MAX_RECEIVED_OF_TENANT) {
                throw tooMany();
            }
            return now + one;
        });
        Runnable ofTenant = () -> receivingOf.computeIfPresent(tenant, (any, now) -> now == 1 ? null : now - 1);
        if (!receiving.tryAcquire()) {
            ofTenant.run();
            throw tooMany();
        }
        return () -> {
            receiving.release();
            ofTenant.run();
        };
    }

    private static RefusedException tooMany() {
        return new RefusedException(Reason.TOO_BUSY, "Too many requests are coming at once: send again a little later");
    }

    private static Optional<String> header(Metadata headers, String name) {
        return Optional.ofNullable(headers.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER)));
    }
}
