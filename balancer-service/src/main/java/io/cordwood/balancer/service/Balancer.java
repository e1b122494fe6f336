package io.cordwood.balancer.service;

import io.cordwood.options.Program;
import io.cordwood.routing.Lease;
import io.cordwood.routing.RoutingTableStore;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The balancer service: monitors the traffic, plans, publishes, and serves HTTP. Thread-safe.
 *
 * <p>Several balancers may run. All monitor and serve; only the holder of the {@link Lease} writes. The next leader
 * measures anew, within two windows, the state that a balancer keeps only in memory.
 */
public final class Balancer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Balancer.class);
    private static final int RENEWALS_IN_A_LEASE = 3;
    private static final long DISKS_MILLIS = 60_000;

    private final RedisClient redis;
    private final RoutingTableStore tables;
    private final KafkaView kafka;
    private final FlinkView flink;
    private final Lease lease;
    private final List<StreamBalancer> streams;
    private final BrokerDisks disks;
    private final BalancerHttp http;
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(
            3, Thread.ofPlatform().name("balancer-", 0).daemon().factory());

    private final List<Future<?>> tasks = new ArrayList<>();

    private Balancer(BalancerOptions options) throws IOException {
        redis = RedisClient.create(options.redis());
        tables = new RoutingTableStore(options.redis());
        kafka = new KafkaView(options.kafka(), options.groupId());
        flink = new FlinkView(options.flink(), tls(options));
        lease = new Lease(
                redis,
                BalancerStore.LEASE,
                BalancerStore.FENCE,
                UUID.randomUUID().toString(),
                options.lease());
        BalancerStore store = new BalancerStore(redis);
        streams = options.streams().stream()
                .map(stream -> new StreamBalancer(stream, options, tables, store, kafka, flink, lease))
                .toList();
        disks = new BrokerDisks(kafka);
        http = new BalancerHttp(options, streams, disks, store, lease);
    }

    private static Optional<SSLContext> tls(BalancerOptions options) throws IOException {
        return options.access().isPresent() ? Optional.of(options.access().get().tls()) : Optional.empty();
    }

    /**
     * Starts the service and returns once it serves requests.
     *
     * @throws IOException if it cannot listen on the address
     */
    public static Balancer start(BalancerOptions options) throws IOException {
        Balancer balancer = new Balancer(options);
        // On a thread of its own: rounds may take long, and the lease must be renewed in time.
        balancer.repeat(balancer::renew, options.lease().toMillis() / RENEWALS_IN_A_LEASE);
        balancer.repeat(balancer::round, options.interval().toMillis());
        balancer.repeat(balancer::askDisks, DISKS_MILLIS);
        balancer.http.start();
        return balancer;
    }

    private void repeat(Runnable task, long pauseMillis) {
        tasks.add(threads.scheduleWithFixedDelay(task, 0, pauseMillis, TimeUnit.MILLISECONDS));
    }

    /** Address of the HTTP server. */
    public URI uri() {
        return http.uri();
    }

    /** Whether this balancer writes. */
    public boolean isLeader() {
        return lease.isHeld();
    }

    private void renew() {
        boolean before = lease.isHeld();
        try {
            if (lease.take() != before) {
                LOG.info(lease.isHeld() ? "This balancer leads" : "Another balancer leads");
            }
        } catch (RuntimeException e) {
            if (before) {
                LOG.warn("Cannot renew the lease; tables stay as they are until Redis answers", e);
            }
        }
    }

    @SuppressWarnings("CatchingUnchecked") // the next round tries again after any failure
    private void round() {
        for (StreamBalancer stream : streams) {
            try {
                stream.round();
                http.succeeded(stream.stream());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (ExecutionException | RuntimeException e) {
                http.failed(stream.stream());
                LOG.warn("A round of stream '{}' failed; its table stays as it is", stream.stream(), e);
            }
        }
    }

    private void askDisks() {
        try {
            disks.ask();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops, and lets another balancer lead at once. */
    @Override
    public void close() {
        http.close();
        tasks.forEach(task -> task.cancel(true));
        threads.shutdownNow();
        try {
            // Clients must not be closed during a round: it ends by the interrupt, or within their timeouts.
            if (!threads.awaitTermination(15, TimeUnit.SECONDS)) {
                LOG.warn("A round does not end");
            }
            lease.release();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (JedisException e) {
            LOG.debug("Could not release the lease; it expires by itself", e);
        }
        flink.close();
        kafka.close();
        tables.close();
        redis.close();
    }

    /** Runs the service until the process is asked to stop. Fails with one line. */
    public static void main(String[] arguments) {
        System.exit(Program.run("balancer", new Run(), Set.of(IOException.class, RuntimeException.class), arguments));
    }

    @Command(
            name = "Balancer",
            mixinStandardHelpOptions = true,
            description = "Plans the routes of each tenant's traffic.")
    private static final class Run implements Callable<Integer> {
        @Mixin
        private BalancerFlags flags;

        @Override
        public Integer call() throws IOException, InterruptedException {
            Balancer balancer = start(flags.options());
            Runtime.getRuntime().addShutdownHook(new Thread(balancer::close, "balancer-shutdown"));
            System.out.println("balancer: listening on " + balancer.uri());
            Thread.currentThread().join();
            return 0;
        }
    }
}
