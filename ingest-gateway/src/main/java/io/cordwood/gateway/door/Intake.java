package io.cordwood.gateway.door;

import static java.util.Objects.requireNonNull;

import io.cordwood.gateway.pipeline.PipedRows;
import io.cordwood.gateway.pipeline.TenantPipeline;
import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.cordwood.gateway.send.InFlight;
import io.cordwood.gateway.send.Memory;
import io.cordwood.gateway.send.Payload;
import io.cordwood.gateway.send.Quotas;
import io.cordwood.gateway.send.RecordSender;
import io.cordwood.gateway.send.Windows;
import io.cordwood.gateway.tenant.Shipper;
import io.cordwood.gateway.tenant.Shippers;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The way of every door's rows to Kafka: whose they are, within which bounds, through which pipeline, and what is
 * counted. Thread-safe.
 */
public final class Intake {
    /** What Kafka acknowledges within some ten milliseconds. */
    private static final int WINDOW_BYTES = 1 << 20;

    private final Shippers shippers;
    private final Set<String> streams;
    private final int maxRequestBytes;
    private final InFlight inFlight;
    private final Quotas quotas = new Quotas();
    private final Windows windows = new Windows(WINDOW_BYTES, RecordSender.MAX_WAIT);
    private final RecordSender sender;
    private final GatewayMetrics metrics;

    /**
     * Creates the way.
     *
     * @param maxRequestBytes of the body of a request, unpacked
     */
    public Intake(
            Shippers shippers,
            Collection<String> streams,
            int maxRequestBytes,
            InFlight inFlight,
            RecordSender sender,
            GatewayMetrics metrics) {
        this.shippers = requireNonNull(shippers, "shippers is null");
        this.streams = new TreeSet<>(streams);
        this.maxRequestBytes = maxRequestBytes;
        this.inFlight = requireNonNull(inFlight, "inFlight is null");
        this.sender = requireNonNull(sender, "sender is null");
        this.metrics = requireNonNull(metrics, "metrics is null");
    }

    /** Whether there is such a stream. */
    public boolean hasStream(String name) {
        return streams.contains(name);
    }

    /**
     * Begins a request: finds out who sends it, and checks the tenant's quota.
     *
     * @param door the door's name
     * @param authorization the value of the header of this name, as bearer or Basic
     * @param named the tenant that the request names; empty: the sender's only one
     * @throws RefusedException if the sender may not, or not yet
     */
    public Delivery begin(String door, Optional<String> authorization, Optional<String> named) {
        Shipper shipper = shippers.shipper(authorization, named);
        quotas.requireSome(shipper.tenant(), shipper.quota());
        return new Delivery(door, shipper, inFlight.hold(shipper.tenant()));
    }

    /** The rows of one request, from its first byte to Kafka's acknowledgement. Not thread-safe. */
    public final class Delivery implements AutoCloseable {
        private final String door;
        private final Shipper shipper;
        private final InFlight.Hold held;
        private final Memory memory = new Memory(this::change);
        private long bytes;
        private boolean mayWait = true;

        private Delivery(String door, Shipper shipper, InFlight.Hold held) {
            this.door = door;
            this.shipper = shipper;
            this.held = held;
        }

        /** The tenant whose rows these are. */
        public String tenant() {
            return shipper.tenant();
        }

        /** The largest body, in bytes. */
        public int maxBytes() {
            return maxRequestBytes;
        }

        /**
         * Counts unpacked bytes that have come, and holds memory for them.
         *
         * @throws RefusedException if the gateway holds too many, or the request has too many
         */
        public void grow(int more) {
            requireSize(more);
            hold(more);
            bytes += more;
        }

        /** From now on the rows do not wait behind others of their tenant. */
        public void waitForNoOther() {
            mayWait = false;
        }

        /** Holds only as many bytes from now on: those of the answer, which the client has yet to take. */
        void keep(long answerBytes) {
            held.shrink(Math.max(0, held.bytes() - answerBytes));
        }

        /**
         * Holds memory for the request.
         *
         * @throws RefusedException if the gateway holds too much
         */
        public void hold(long more) {
            held.grow(more);
        }

        /** Counts memory that the request needs beside its body. */
        public Memory memory() {
            return memory;
        }

        private void change(long more) {
            if (more < 0) {
                held.shrink(-more);
            } else {
                hold(more);
            }
        }

        /**
         * Counts unpacked bytes that have come, for which memory is held already.
         *
         * @throws RefusedException if the request has too many
         */
        void count(int more) {
            requireSize(more);
            bytes += more;
        }

        private void requireSize(int more) {
            if (bytes + more > maxRequestBytes) {
                throw new RefusedException(
                        Reason.TOO_LARGE,
                        "The body is larger than the %,d bytes that a request may have: send it in parts"
                                .formatted(maxRequestBytes));
            }
        }

        /**
         * Checks that rows may go to a stream.
         *
         * @throws RefusedException if there is none of this name, or the sender may not write to it
         */
        public void requireStream(String name) {
            shipper.requireStream(name);
            if (!streams.contains(name)) {
                throw new RefusedException(
                        Reason.NOT_FOUND,
                        "There is no stream '%s': use %s".formatted(name, String.join(", ", streams)));
            }
        }

        /**
         * Writes rows to Kafka, and returns when they are acknowledged.
         *
         * @param payloads by stream; their memory is held already
         * @param rejected number of the request's rows that are not among them, as each is malformed
         * @throws RefusedException if Kafka did not acknowledge all in time, or the rows cannot go through the tenant's
         *     pipeline
         */
        public void ship(Map<String, List<Payload>> payloads, long rejected) throws InterruptedException {
            memory.settle();
            if (shipper.pipeline().isEmpty()) {
                send(payloads);
            } else {
                sendThrough(shipper.pipeline().get(), payloads);
            }
            metrics.rejected(door, rejected);
            quotas.spend(shipper.tenant(), shipper.quota(), bytes, rows(payloads) + rejected);
        }

        private void sendThrough(TenantPipeline pipeline, Map<String, List<Payload>> payloads)
                throws InterruptedException {
            long before = held.bytes();
            Memory ofPipeline = new Memory(this::change);
            try {
                PipedRows piped = pipeline.run(payloads, ofPipeline);
                ofPipeline.settle();
                send(piped.payloads());
                metrics.piped(shipper.tenant(), piped.counts());
            } finally {
                // Syslog ships again what was refused for now
                held.shrink(held.bytes() - before);
            }
        }

        private void send(Map<String, List<Payload>> payloads) throws InterruptedException {
            if (mayWait) {
                try (Windows.Place _ = windows.enter(shipper.tenant(), size(payloads))) {
                    sender.send(shipper.tenant(), payloads);
                }
            } else {
                sender.send(shipper.tenant(), payloads);
            }
            metrics.acknowledged(door, shipper.tenant(), rows(payloads), bytes);
        }

        private static long rows(Map<String, List<Payload>> payloads) {
            return payloads.values().stream()
                    .flatMap(List::stream)
                    .mapToLong(Payload::rows)
                    .sum();
        }

        private static long size(Map<String, List<Payload>> payloads) {
            return payloads.values().stream()
                    .flatMap(List::stream)
                    .mapToLong(payload -> payload.value().length)
                    .sum();
        }

        @Override
        public void close() {
            held.close();
        }
    }
}
