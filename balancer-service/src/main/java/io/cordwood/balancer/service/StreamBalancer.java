package io.cordwood.balancer.service;

import io.cordwood.balancer.plan.KeyHash;
import io.cordwood.balancer.plan.LevelPlanner;
import io.cordwood.balancer.plan.Plan;
import io.cordwood.balancer.plan.PlanInput;
import io.cordwood.balancer.plan.Planner;
import io.cordwood.balancer.plan.UnchangedPlanner;
import io.cordwood.routing.Lease;
import io.cordwood.routing.Route;
import io.cordwood.routing.RoutingTable;
import io.cordwood.routing.RoutingTableStore;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * LogStore's Algorithm 1 for one stream: measures the traffic and, if there is a hot spot, makes a plan and writes it
 * as the next version of the table. New tenants are added to the table with their present routes. {@link #round} is for
 * one thread; {@link #view} is thread-safe.
 *
 * <p>Redis holds everything that is in force, and memory nothing that matters, so the next leader continues from Redis.
 */
final class StreamBalancer {
    private static final Logger LOG = LoggerFactory.getLogger(StreamBalancer.class);

    /** Least improvement: a table must lower the highest utilisation at least by this factor to be worth the change. */
    private static final double WORTH_WHILE = 0.95;

    private final String stream;
    private final BalancerOptions options;
    private final RoutingTableStore tables;
    private final BalancerStore store;
    private final KafkaView kafka;
    private final FlinkView flink;
    private final Lease lease;
    private final Overload overload;
    private final Planner planner = new LevelPlanner();
    private final HotSpotWatch watch;
    private final long started = System.currentTimeMillis();
    private final long startedNanos = System.nanoTime();
    /** Tick at which this balancer wrote the table in force. */
    private long published;
    /** By how many milliseconds ticks are ahead of the wall clock. */
    private long ticksAhead;

    private final TrafficWindow window;
    private volatile View view;

    StreamBalancer(
            String stream,
            BalancerOptions options,
            RoutingTableStore tables,
            BalancerStore store,
            KafkaView kafka,
            FlinkView flink,
            Lease lease) {
        this.stream = stream;
        this.options = options;
        this.tables = tables;
        this.store = store;
        this.kafka = kafka;
        this.flink = flink;
        this.lease = lease;
        this.overload = new Overload(stream, options, store, kafka, flink, lease);
        this.watch = new HotSpotWatch(options.hotRounds());
        this.window = new TrafficWindow(options.window().toMillis());
        this.view = View.none(stream);
    }

    String stream() {
        return stream;
    }

    /** Its state after the last round. */
    View view() {
        return view;
    }

    /** Measures the traffic once, and reacts to it. */
    void round() throws InterruptedException, ExecutionException {
        Offsets offsets = kafka.offsets(stream, System.currentTimeMillis(), ticks());
        ticksAhead = offsets.ticks() - offsets.atMillis();
        Load load = Load.of(
                window.sums(store.reports(stream)),
                offsets,
                window.earliest(offsets),
                usage(),
                options.stale().toMillis());
        Optional<RoutingTable> written = written();
        RoutingTable table = written.orElseGet(() -> RoutingTable.empty(stream));
        PlanInput input = input(load, table);
        Plan now = new UnchangedPlanner().plan(input);
        Set<String> hot = watch.observe(utilisations(load));
        view = new View(load, table, Optional.of(now), hot);
        if (lease.isHeld() && !input.demands().isEmpty()) {
            act(written, input, now, hot);
            overload.act(planner, input, offsets, load);
        }
    }

    /** Monotonic time in milliseconds. */
    private long ticks() {
        return started + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedNanos);
    }

    /** The table in force; also empty if Redis holds an unreadable one, which is then replaced. */
    private Optional<RoutingTable> written() {
        try {
            return tables.read(stream);
        } catch (IllegalArgumentException e) {
            LOG.error("The value in Redis for stream '{}' is not a routing table and will be replaced", stream, e);
            return Optional.empty();
        }
    }

    private Map<String, FlinkView.Usage> usage() throws InterruptedException {
        try {
            return flink.usage();
        } catch (IOException e) {
            LOG.debug("Cannot read the load of Flink's subtasks", e);
            return Map.of();
        }
    }

    /** The measured traffic and the routes in force; a tenant without a route goes by its key's hash. */
    PlanInput input(Load load, RoutingTable table) {
        Set<String> tenants = new TreeSet<>(load.tenants().keySet());
        tenants.addAll(table.routes().keySet());
        Map<String, List<Route>> routes = new HashMap<>(table.routes());
        int partitions = load.partitions().size();
        for (String tenant : tenants) {
            routes.computeIfAbsent(tenant, id -> List.of(new Route(KeyHash.partition(id, partitions), 1)));
        }
        return new PlanInput(load.cluster(options.capacities()), load.demands(tenants), routes);
    }

    /** Measured load over limit of everything that may become hot. */
    private Map<String, Double> utilisations(Load load) {
        Map<String, Double> utilisations = new HashMap<>();
        Capacities capacities = options.capacities();
        load.partitions()
                .forEach((number, partition) ->
                        utilisations.put(View.partitionName(number), partition.bytes() / capacities.partitionBytes()));
        load.workers()
                .forEach(worker -> utilisations.put(
                        View.workerName(worker.worker()),
                        worker.bytes() / (capacities.workerBytes() * capacities.watermark())));
        return utilisations;
    }

    private void act(Optional<RoutingTable> written, PlanInput input, Plan now, Set<String> hot)
            throws InterruptedException, ExecutionException {
        Optional<String> unknown = unknown(written, input);
        if (leadsNowhere(input)) {
            publish(written, planner.plan(input), now, "routes led to partitions that do not exist");
        } else if (unknown.isPresent()) {
            // Without a plan: the measured traffic of new tenants is often a burst. If it stays, it soon makes a hot
            // spot.
            publish(written, now, now, unknown.get());
        } else if (!hot.isEmpty() && hasSettled()) {
            Plan plan = planner.plan(input);
            if (plan.utilisation() < now.utilisation() * WORTH_WHILE) {
                publish(written, plan, now, "hot: " + String.join(", ", new TreeSet<>(hot)));
            }
        }
    }

    /** Whether the latest reports already reflect the table in force. */
    private boolean hasSettled() {
        return view.load().countedFromMillis() + ticksAhead >= published;
    }

    private static boolean leadsNowhere(PlanInput input) {
        int partitions = input.cluster().partitions().size();
        return input.before().values().stream()
                .flatMap(List::stream)
                .anyMatch(route -> route.partition() >= partitions);
    }

    /** The reason for a new table if there is none, or if it lacks tenants. */
    private static Optional<String> unknown(Optional<RoutingTable> written, PlanInput input) {
        if (written.isEmpty()) {
            return Optional.of("there was no table");
        }
        int tenants = input.demands().size() - written.get().routes().size();
        return tenants > 0 ? Optional.of("new tenants: " + tenants) : Optional.empty();
    }

    private void publish(Optional<RoutingTable> written, Plan plan, Plan now, String reason) {
        String epoch = written.map(RoutingTable::epoch)
                .orElseGet(() -> UUID.randomUUID().toString());
        long version = written.map(RoutingTable::version).orElse(0L) + 1;
        RoutingTable table = new RoutingTable(epoch, version, stream, plan.routes());
        if (!tables.write(table, BalancerStore.LEASE, lease.holder())) {
            LOG.warn("Did not write version {} of stream '{}': another balancer leads or wrote first", version, stream);
            return;
        }
        published = ticks();
        LOG.info(
                "Version {} of stream '{}' ({}): {} tenants changed, {} routes, utilisation {} after {}",
                version,
                stream,
                reason,
                plan.changedTenants(),
                plan.routeCount(),
                plan.utilisation(),
                now.utilisation());
        store.remember(
                stream,
                new TableVersion(
                        epoch,
                        version,
                        System.currentTimeMillis(),
                        reason,
                        plan.changedTenants(),
                        plan.routeCount(),
                        plan.lambda(),
                        now.utilisation(),
                        plan.utilisation()));
        view = new View(view.load(), table, Optional.of(plan), view.hot());
    }
}
