package io.cordwood.gateway.door;

import static java.util.Objects.requireNonNull;

import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.cordwood.http.Reply;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives each request to the door at its path. Thread-safe. */
public final class DoorHandler extends Handler.Abstract {
    private static final Logger LOG = LoggerFactory.getLogger(DoorHandler.class);
    /** For metrics: nobody reads the answer. */
    private static final int CLIENT_LEFT = 499;

    private final List<Door> doors;
    private final Intake intake;
    private final GatewayMetrics metrics;

    public DoorHandler(List<Door> doors, Intake intake, GatewayMetrics metrics) {
        this.doors = List.copyOf(doors);
        this.intake = requireNonNull(intake, "intake is null");
        this.metrics = requireNonNull(metrics, "metrics is null");
        this.doors.forEach(door -> metrics.announce(door.name()));
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        String path = request.getHttpURI().getPath();
        for (Door door : doors) {
            if (path != null && door.isAt(path)) {
                answer(door, request, response, callback);
                return true;
            }
        }
        return false;
    }

    private void answer(Door door, Request request, Response response, Callback callback) {
        long begun = System.nanoTime();
        int status = CLIENT_LEFT;
        Visit visit = new Visit(door.name(), request, intake);
        Callback closing = Callback.from(visit::close, callback);
        try {
            Reply reply = reply(door, visit);
            status = reply.status();
            // The client may take its time
            visit.keep(reply.bodyBytes());
            reply.write(request, response, closing);
        } catch (IOException e) {
            closing.failed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closing.failed(e);
        } catch (RuntimeException | Error e) {
            // Jetty answers for it
            visit.close();
            throw e;
        } finally {
            metrics.answered(door.name(), status, System.nanoTime() - begun);
        }
    }

    private Reply reply(Door door, Visit visit) throws IOException, InterruptedException {
        try {
            return door.answer(visit);
        } catch (RefusedException e) {
            return refused(door, visit, e);
        } catch (IOException e) {
            if (e.getCause() instanceof TimeoutException) {
                return refused(door, visit, new RefusedException(Reason.TOO_SLOW, "The body comes too slowly"));
            }
            throw e;
        } catch (OutOfMemoryError e) {
            LOG.error("A request failed", e);
            return refused(door, visit, RefusedException.unavailable("The gateway is out of memory: send again", e));
        } catch (RuntimeException e) {
            LOG.error("A request failed", e);
            return refused(door, visit, new RefusedException(Reason.FAILED, "The gateway failed; its log says why"));
        }
    }

    private Reply refused(Door door, Visit visit, RefusedException refusal) {
        metrics.refused(door.name(), refusal.reason());
        Reply reply = door.refuse(refusal, visit);
        if (refusal.reason() == Reason.UNAUTHENTICATED) {
            reply = reply.with("WWW-Authenticate", "Bearer realm=\"cordwood\"");
        }
        return refusal.retryAfter().isEmpty()
                ? reply
                : reply.with(
                        "Retry-After",
                        Long.toString(refusal.retryAfter()
                                .get()
                                .plusNanos(999_999_999)
                                .toSeconds()));
    }
}
