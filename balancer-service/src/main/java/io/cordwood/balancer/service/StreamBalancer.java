package io.cordwood.balancer.service;

import io.cordwood.balancer.plan.KeyHash;
import io.cordwood.balancer.plan.LevelPlanner;
import io.cordwood.balancer.plan.Plan;
import io.cordwood.balancer.plan.PlanInput;
import io.cordwood.balancer.plan.Planner;
import io.cordwood.balancer.plan.UnchangedPlanner;
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
 * LogStore's Algorithm 1 for one stream: looks at the traffic, and if there is a hot spot, has a plan made and writes
 * it as the next version of the table. Tenants that the table lacks are written into it with the routes they have.
 * {@link #round} is for one thread; {@link #view} is thread-safe.
 *
 * <p>Nothing that counts is kept in memory: what is in force is what stands in Redis, so the next leader goes on with
 * it.
 */
final class StreamBalancer {
    private static final Logger LOG = LoggerFactory.getLogger(StreamBalancer.class);

    /** A table that lowers the highest utilisation by less is not worth the change. */
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
    /** Tick at which the table in force was written here. */
    private long published;
    /** By how much ticks are ahead of the wall clock. */
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

    /** What it knew after the last round. */
    View view() {
        return view;
    }

    /** One look at the traffic, and what follows from it. */
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

    /** Milliseconds that go on evenly, wherever the clock is set. */
    private long ticks() {
        return started + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedNanos);
    }

    /** The table in force; empty also if what stands there is none, which is then written over. */
    private Optional<RoutingTable> written() {
        try {
            return tables.read(stream);
        } catch (IllegalArgumentException e) {
            LOG.error("What stands in Redis for stream '{}' is no routing table and will be replaced", stream, e);
            return Optional.empty();
        }
    }

    private Map<String, FlinkView.Usage> usage() throws InterruptedException {
        try {
            return flink.usage();
        } catch (IOException e) {
            LOG.debug("Flink does not say how busy it is", e);
            return Map.of();
        }
    }

    /** The traffic as it is, with the routes in force: a tenant that the table does not know goes by its key's hash. */
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

    /** Load over limit of everything that may become hot, as measured. */
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
            // As they are: what is measured of newcomers is often a burst. If it stays, it is a hot spot soon.
            publish(written, now, now, unknown.get());
        } else if (!hot.isEmpty() && hasSettled()) {
            Plan plan = planner.plan(input);
            if (plan.utilisation() < now.utilisation() * WORTH_WHILE) {
                publish(written, plan, now, "hot: " + String.join(", ", new TreeSet<>(hot)));
            }
        }
    }

    /** Whether what was reported last is traffic by the table in force. */
    private boolean hasSettled() {
        return view.load().countedFromMillis() + ticksAhead >= published;
    }

    private static boolean leadsNowhere(PlanInput input) {
        int partitions = input.cluster().partitions().size();
        return input.before().values().stream()
                .flatMap(List::stream)
                .anyMatch(route -> route.partition() >= partitions);
    }

    /** That there is no table, or that it lacks tenants. */
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
        if (!tables.write(table, Lease.KEY, lease.holder())) {
            LOG.warn(
                    "Version {} of stream '{}' was not written: another balancer leads or wrote first",
                    version,
                    stream);
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
