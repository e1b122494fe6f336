package io.cordwood.balancer.service;

import io.cordwood.balancer.plan.Plan;
import io.cordwood.balancer.plan.PlanInput;
import io.cordwood.balancer.plan.Planner;
import io.cordwood.balancer.plan.Scale;
import io.cordwood.routing.Lease;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reaction to a demand above the cluster's capacity: adds partitions and subtasks as far as the operator allows,
 * and holds tenants to their max-min fair shares by Kafka's client quotas until the demand fits again. Not thread-safe.
 *
 * <p>A quota binds producers whose {@code client.id} is the tenant's id. Each broker counts for itself, so a tenant may
 * send its share to each. Throttled tenants are stored in Redis, so that the next leader can release them. Quotas of
 * other origin stay.
 */
final class Overload {
    private static final Logger LOG = LoggerFactory.getLogger(Overload.class);

    private final String stream;
    private final BalancerOptions options;
    private final BalancerStore store;
    private final KafkaView kafka;
    private final FlinkView flink;
    private final Lease lease;
    /** The holder's name of the lease in the last round that this balancer led. */
    private String holder = "";

    private SentSize sentSize;
    private Pressure pressure;
    /** The quotas that this balancer set last, in case Redis loses them. */
    private Throttling last = Throttling.NONE;
    /** Consecutive rounds in which the demand did not fit. */
    private int tightRounds;

    /** The failure to read or set quotas in this round. */
    private Optional<ExecutionException> failed = Optional.empty();

    Overload(
            String stream,
            BalancerOptions options,
            BalancerStore store,
            KafkaView kafka,
            FlinkView flink,
            Lease lease) {
        this.stream = stream;
        this.options = options;
        this.store = store;
        this.kafka = kafka;
        this.flink = flink;
        this.lease = lease;
        forget();
    }

    /**
     * Forgets measurements, which say little after another balancer may have led. Quotas of {@link #last} count only
     * where they are in force.
     */
    private void forget() {
        long window = options.window().toMillis();
        sentSize = new SentSize(window);
        pressure = new Pressure(window);
        tightRounds = 0;
    }

    /**
     * Scales, and sets and releases quotas.
     *
     * @param input the observed demand
     * @param load the measurement of that demand
     * @throws ExecutionException after all other work, if Kafka did not return its quotas or did not change all of them
     */
    void act(Planner planner, PlanInput input, Offsets offsets, Load load)
            throws InterruptedException, ExecutionException {
        failed = Optional.empty();
        relieve(planner, input, offsets, load);
        if (failed.isPresent()) {
            throw failed.get();
        }
    }

    private void relieve(Planner planner, PlanInput input, Offsets offsets, Load load) throws InterruptedException {
        String now = lease.holder();
        if (now.isEmpty()) {
            // The lease is lost, or being renewed.
            return;
        }
        if (!now.equals(holder)) {
            forget();
            holder = now;
        }
        Map<String, Double> remembered = store.held(stream);
        if (!options.quotas() && !remembered.isEmpty()) {
            // Set by a balancer that had this option.
            apply(Throttling.release(remembered), remembered, remembered, Map.of());
        }
        boolean mayScale = options.maxPartitions() > 0 || options.maxWorkers() > 0;
        if (!mayScale && !options.quotas()) {
            return;
        }
        Optional<Map<String, Double>> quotas = quotas();
        Map<String, Double> inForce = quotas.orElse(Map.of());
        Map<String, Double> held = last.remind(remembered, inForce);
        Map<String, Double> throttled = new HashMap<>(held);
        if (quotas.isPresent()) {
            throttled.keySet().retainAll(inForce.keySet());
        }
        boolean current = load.delaySeconds() <= options.window().toMillis() / 1e3;
        Map<String, Double> taken = new HashMap<>();
        load.tenants().forEach((tenant, rate) -> taken.put(tenant, rate.takenBytes()));
        if (quotas.isPresent()) {
            inspect(offsets, load, taken, held, inForce);
        }
        Plan plan = planner.plan(new PlanInput(
                input.cluster(),
                UnthrottledDemand.of(input.demands(), taken, throttled, pressure::isPressing),
                input.before()));
        // Without a reporting worker, the capacity is unknown.
        if (plan.workers().isEmpty()) {
            return;
        }
        if (quotas.isPresent()) {
            // Old traffic does not show that the demand fits now.
            boolean unsure = !current || sentSize.ratio().isEmpty();
            apply(
                    Throttling.of(
                            plan, held, inForce, sentSize.ratio(), tenant -> unsure || pressure.mayBeMuted(tenant)),
                    remembered,
                    held,
                    inForce);
        }
        // Both a burst and the consumption of a backlog look like demand, and added partitions and subtasks stay.
        boolean comes = current || load.arrivingBytes() > plan.bound();
        tightRounds = plan.scale().isPresent() && comes ? tightRounds + 1 : 0;
        if (tightRounds >= options.hotRounds()) {
            addPartitions(plan, plan.scale().orElseThrow());
            addWorkers(plan, plan.scale().orElseThrow());
        }
    }

    /** All quotas, bytes per second as sent; empty if quotas are off or Kafka does not return them. */
    private Optional<Map<String, Double>> quotas() throws InterruptedException {
        if (!options.quotas()) {
            return Optional.empty();
        }
        try {
            return Optional.of(kafka.quotas());
        } catch (ExecutionException e) {
            LOG.warn("Cannot read Kafka's quotas; those of stream '{}' stay as they are", stream);
            failed = Optional.of(e);
            return Optional.empty();
        }
    }

    /** Measures the bytes sent per byte of values, and finds tenants that press against a quota. */
    private void inspect(
            Offsets offsets,
            Load load,
            Map<String, Double> taken,
            Map<String, Double> held,
            Map<String, Double> inForce)
            throws InterruptedException {
        if (sentSize.isDue(offsets.ticks())) {
            try {
                sentSize.observe(
                        offsets, kafka.storedBytes(stream), load.valueBytes(), pressure.together(inForce, taken));
            } catch (ExecutionException e) {
                sentSize.fail(offsets.ticks());
                LOG.warn("Cannot read the partition sizes of stream '{}' from Kafka", stream, e);
            }
        }
        double sentForAByte = sentSize.ratio().orElse(1);
        Map<String, Double> quotas = new HashMap<>();
        inForce.forEach((tenant, quota) -> quotas.put(tenant, quota / sentForAByte));
        pressure.observe(held, quotas, taken, offsets.ticks());
    }

    private void addPartitions(Plan plan, Scale scale) throws InterruptedException {
        int partitions = plan.partitions().size();
        int requested = Math.min(options.maxPartitions(), partitions + scale.partitions());
        if (requested <= partitions) {
            return;
        }
        try {
            kafka.addPartitions(stream, requested);
            LOG.info(
                    "Stream '{}' now has {} partitions instead of {}: its demand does not fit",
                    stream,
                    requested,
                    partitions);
        } catch (ExecutionException e) {
            LOG.warn("Cannot extend stream '{}' to {} partitions", stream, requested, e);
        }
    }

    private void addWorkers(Plan plan, Scale scale) throws InterruptedException {
        int workers = plan.workers().size();
        int requested = Math.min(options.maxWorkers(), workers + scale.workers());
        if (requested <= workers) {
            return;
        }
        try {
            if (flink.scale(requested)) {
                LOG.info(
                        "Requested {} subtasks from Flink instead of {}: the demand of stream '{}' does not fit",
                        requested,
                        workers,
                        stream);
            }
        } catch (IOException e) {
            LOG.warn("Cannot request {} subtasks from Flink: {}", requested, e.getMessage());
        }
    }

    /**
     * Sets and removes quotas. If that fails, the next round tries again.
     *
     * @param remembered throttled tenants as stored in Redis
     * @param before throttled tenants until now
     * @param inForce all quotas
     */
    private void apply(
            Throttling throttling,
            Map<String, Double> remembered,
            Map<String, Double> before,
            Map<String, Double> inForce)
            throws InterruptedException {
        Map<String, Double> set = throttling.news(inForce);
        // Stored before quotas are set, and removed last: an unknown quota would stay for ever.
        Map<String, Double> either = new HashMap<>(before);
        either.putAll(throttling.demands());
        if (!store.hold(stream, remembered, either, holder)) {
            LOG.warn("Did not change the quotas of stream '{}': another balancer leads", stream);
            return;
        }
        try {
            kafka.alterQuotas(set, throttling.released());
        } catch (ExecutionException e) {
            LOG.warn("Could not change all quotas of stream '{}'", stream);
            failed = Optional.of(e);
            return;
        }
        last = throttling;
        if (!throttling.released().isEmpty()) {
            store.hold(stream, either, throttling.demands(), holder);
        }
        if (!set.isEmpty() || !throttling.released().isEmpty()) {
            LOG.info(
                    "Quotas of stream '{}': {} set, {} released, {} tenants throttled; {} bytes sent per byte of values",
                    stream,
                    set.size(),
                    throttling.released().size(),
                    throttling.demands().size(),
                    sentSize.ratio().orElse(1));
        }
    }
}
