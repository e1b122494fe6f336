package io.cordwood.balancer.service;

import io.cordwood.balancer.plan.Plan;
import io.cordwood.balancer.plan.PlanInput;
import io.cordwood.balancer.plan.Planner;
import io.cordwood.balancer.plan.Scale;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done when the demand is more than the cluster takes: partitions and subtasks are added as far as the operator
 * allows, and tenants are held to their max-flow shares by Kafka's client quotas until it fits again. Not thread-safe.
 *
 * <p>A quota binds producers whose {@code client.id} is the tenant's id, and each broker counts for itself, so that a
 * tenant may send its share to each. Who is held back is kept in Redis, so that the next leader lets go of them;
 * quotas that others have set are left alone.
 */
final class Overload {
    private static final Logger LOG = LoggerFactory.getLogger(Overload.class);

    private final String stream;
    private final BalancerOptions options;
    private final BalancerStore store;
    private final KafkaView kafka;
    private final FlinkView flink;
    private final Lease lease;
    /** What the lease was held as in the last round that this balancer led. */
    private String holder = "";

    private SentSize sentSize;
    private Pressure pressure;
    /** What this balancer has set last, in case Redis forgets it. */
    private Throttling last = Throttling.NONE;
    /** Rounds in a row in which the demand did not fit. */
    private int tightRounds;

    /** What went wrong with quotas in this round. */
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
     * As long as another may have led, what was learnt says little. What was {@link #last} set counts only where it is
     * in force.
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
     * @param input the demand as it is seen
     * @param load what it was seen by
     * @throws ExecutionException once all else is done, if Kafka did not say which quotas there are, or did not change
     *     all
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
            // It is lost, or being renewed.
            return;
        }
        if (!now.equals(holder)) {
            forget();
            holder = now;
        }
        Map<String, Double> remembered = store.held(stream);
        if (!options.quotas() && !remembered.isEmpty()) {
            // Set by a balancer that had the option.
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
            look(offsets, load, taken, held, inForce);
        }
        Plan plan = planner.plan(new PlanInput(
                input.cluster(),
                UnthrottledDemand.of(input.demands(), taken, throttled, pressure::isPressing),
                input.before()));
        // Without a worker that reports, nothing is known of what fits.
        if (plan.workers().isEmpty()) {
            return;
        }
        if (quotas.isPresent()) {
            // What was sent long ago does not tell that it fits now.
            boolean unsure = !current || sentSize.ratio().isEmpty();
            apply(
                    Throttling.of(
                            plan, held, inForce, sentSize.ratio(), tenant -> unsure || pressure.mayBeMuted(tenant)),
                    remembered,
                    held,
                    inForce);
        }
        // A backlog that is taken in looks like demand, and so does a burst; what is added stays.
        boolean comes = current || load.arrivingBytes() > plan.bound();
        tightRounds = plan.scale().isPresent() && comes ? tightRounds + 1 : 0;
        if (tightRounds >= options.hotRounds()) {
            addPartitions(plan, plan.scale().orElseThrow());
            addWorkers(plan, plan.scale().orElseThrow());
        }
    }

    /** All quotas, bytes per second as sent; empty if none are to be set, or Kafka does not say. */
    private Optional<Map<String, Double>> quotas() throws InterruptedException {
        if (!options.quotas()) {
            return Optional.empty();
        }
        try {
            return Optional.of(kafka.quotas());
        } catch (ExecutionException e) {
            LOG.warn("Kafka does not say what quotas there are; those of stream '{}' stay as they are", stream);
            failed = Optional.of(e);
            return Optional.empty();
        }
    }

    /** Learns what is sent for a byte of values, and who presses against a quota. */
    private void look(
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
                LOG.warn("Kafka does not say how large the partitions of stream '{}' are", stream, e);
            }
        }
        double sentForAByte = sentSize.ratio().orElse(1);
        Map<String, Double> quotas = new HashMap<>();
        inForce.forEach((tenant, quota) -> quotas.put(tenant, quota / sentForAByte));
        pressure.observe(held, quotas, taken, offsets.ticks());
    }

    private void addPartitions(Plan plan, Scale scale) throws InterruptedException {
        int partitions = plan.partitions().size();
        int wanted = Math.min(options.maxPartitions(), partitions + scale.partitions());
        if (wanted <= partitions) {
            return;
        }
        try {
            kafka.addPartitions(stream, wanted);
            LOG.info(
                    "Stream '{}' has {} partitions now, {} before: its demand does not fit",
                    stream,
                    wanted,
                    partitions);
        } catch (ExecutionException e) {
            LOG.warn("Stream '{}' was not given {} partitions", stream, wanted, e);
        }
    }

    private void addWorkers(Plan plan, Scale scale) throws InterruptedException {
        int workers = plan.workers().size();
        int wanted = Math.min(options.maxWorkers(), workers + scale.workers());
        if (wanted <= workers) {
            return;
        }
        try {
            if (flink.scale(wanted)) {
                LOG.info(
                        "Flink is asked for {} subtasks, there are {}: the demand of stream '{}' does not fit",
                        wanted,
                        workers,
                        stream);
            }
        } catch (IOException e) {
            LOG.warn("Flink was not asked for {} subtasks: {}", wanted, e.getMessage());
        }
    }

    /**
     * Sets and takes away quotas. If that fails, the next round tries again.
     *
     * @param remembered who is held as Redis has it
     * @param before who is held
     * @param inForce all quotas
     */
    private void apply(
            Throttling holding, Map<String, Double> remembered, Map<String, Double> before, Map<String, Double> inForce)
            throws InterruptedException {
        Map<String, Double> set = holding.news(inForce);
        // Remembered first, and forgotten last: a quota that nobody remembers would stay for ever.
        Map<String, Double> either = new HashMap<>(before);
        either.putAll(holding.wanted());
        if (!store.hold(stream, remembered, either, holder)) {
            LOG.warn("Quotas of stream '{}' were not changed: another balancer leads", stream);
            return;
        }
        try {
            kafka.alterQuotas(set, holding.released());
        } catch (ExecutionException e) {
            LOG.warn("Not all quotas of stream '{}' could be changed", stream);
            failed = Optional.of(e);
            return;
        }
        last = holding;
        if (!holding.released().isEmpty()) {
            store.hold(stream, either, holding.wanted(), holder);
        }
        if (!set.isEmpty() || !holding.released().isEmpty()) {
            LOG.info(
                    "Quotas of stream '{}': {} set, {} released, {} held; {} bytes are sent for a byte of values",
                    stream,
                    set.size(),
                    holding.released().size(),
                    holding.wanted().size(),
                    sentSize.ratio().orElse(1));
        }
    }
}
