package io.cordwood.standalone;

import io.cordwood.standalone.process.ServiceStatus;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.Consumer;

/** Reports to the user when a stack's services become ready, die and start again. Thread-safe. */
final class StartProgress implements Consumer<ServiceStatus> {
    private final PrintWriter out;
    private final long begunNanos;

    StartProgress(PrintWriter out, long begunNanos) {
        this.out = out;
        this.begunNanos = begunNanos;
    }

    @Override
    public void accept(ServiceStatus status) {
        double seconds = Duration.ofNanos(System.nanoTime() - begunNanos).toMillis() / 1e3;
        switch (status.state()) {
            case READY -> out.printf("  %-9s ready  %5.1f s  %s%n", status.name(), seconds, status.endpoint());
            case BACKING_OFF -> out.printf("  %-9s ended (%s), starts again%n", status.name(), status.lastExit());
            default -> {
                // Not shown: it does not matter to a waiting user.
            }
        }
    }
}
