package io.cordwood.balancer.service;

import io.cordwood.balancer.plan.Plan;
import io.cordwood.balancer.plan.PlanInput;
import io.cordwood.balancer.plan.Planner;
import io.cordwood.balancer.plan.Scale;
import io.cordwood.balancer.plan.TenantDemand;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done when the demand is more than the cluster takes: partitions and subtasks are added as far as the operator allows, and
 * tenants are held to their max-flow shares by Kafka's client quotas until it fits again. Not thread-safe.
 *
 * <p>A quota binds producers whose {@code client.id} is the tenant's id, and each broker counts for itself, so that a
 * tenant may send its share to each. Who is held back is kept in Redis, so that the next leader lets go of them;
 * quotas that others have set are left alone.
 */
final class Overload {
    private static final Logger LOG = LoggerFactory.getLogger(Overload.class);
    /** Quotas that differ by less stay. */
    private static final double SAME = 0.05;

    private final String stream;
    private final BalancerOptions options;
    private final BalancerStore store;
    private final KafkaView kafka;
    private final FlinkView flink;
    private final SentSize sentSize;
    private final SettledQuotas settled;
    /** Rounds in a row in which the demand did not fit. */
    private int tightRounds;

    Overload(String stream, BalancerOptions options, BalancerStore store, KafkaView kafka, FlinkView flink) {
        this.stream = stream;
        this.options = options;
        this.store = store;
        this.kafka = kafka;
        this.flink = flink;
        long window = options.window().toMillis();
        this.sentSize = new SentSize(window);
        // What is seen is a mean over the window, of reports that may be as old.
        this.settled = new SettledQuotas(2 * window);
    }

    /**
     * Scales, and sets and releases quotas.
     *
     * @param input the demand as it is seen
     * @param load what it was seen by
     */
    void act(Planner planner, PlanInput input, Offsets offsets, Load load)
            throws InterruptedException, ExecutionException {
        Map<String, Double> held = store.held(stream);
        if (!options.quotas() && !held.isEmpty()) {
            // Set by a balancer that had the option.
            release(held.keySet());
            held = Map.of();
        }
        boolean mayScale = options.maxPartitions() > 0 || options.maxWorkers() > 0;
        if (!mayScale && !options.quotas()) {
            return;
        }
        Map<String, Double> inForce = options.quotas() ? kafka.quotas() : Map.of();
        boolean current = load.delaySeconds() <= options.window().toMillis() / 1e3;
        Plan plan = planner.plan(
                new PlanInput(input.cluster(), wanted(input, offsets, load, held, inForce, current), input.before()));
        // Without a worker that reports, nothing is known of what fits.
        if (plan.workers().isEmpty()) {
            return;
        }
        if (options.quotas()) {
            setQuotas(plan, held, inForce);
        }
        // A backlog that is taken in looks like demand, and so does a burst; what is added stays.
        tightRounds = plan.scale().isPresent() && current ? tightRounds + 1 : 0;
        if (tightRounds >= options.hotRounds()) {
            addPartitions(plan, plan.scale().orElseThrow());
            addWorkers(plan, plan.scale().orElseThrow());
        }
    }

    private List<TenantDemand> wanted(
            PlanInput input,
            Offsets offsets,
            Load load,
            Map<String, Double> held,
            Map<String, Double> inForce,
            boolean current)
            throws InterruptedException {
        if (!options.quotas()) {
            return input.demands();
        }
        if (sentSize.isDue(offsets.atMillis())) {
            try {
                sentSize.observe(offsets, kafka.storedBytes(stream), load.valueBytes());
            } catch (ExecutionException e) {
                LOG.warn("Kafka does not say how large the partitions of stream '{}' are", stream, e);
            }
        }
        settled.observe(inForce, offsets.atMillis());
        double sentForAByte = sentSize.ratio().orElse(1);
        Map<String, Double> quotas = new HashMap<>();
        inForce.forEach((tenant, quota) -> quotas.put(tenant, quota / sentForAByte));
        return Wanted.of(
                input.demands(),
                held,
                quotas,
                tenant -> current && sentSize.ratio().isPresent() && settled.isSettled(tenant, offsets.atMillis()));
    }

    private void release(Collection<String> tenants) throws InterruptedException, ExecutionException {
        kafka.alterQuotas(Map.of(), List.copyOf(tenants));
        store.release(stream, List.copyOf(tenants));
        LOG.info("Quotas of stream '{}': {} released, as the balancer is to set none", stream, tenants.size());
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

    private void setQuotas(Plan plan, Map<String, Double> held, Map<String, Double> inForce)
            throws InterruptedException, ExecutionException {
        double sentForAByte = sentSize.ratio().orElse(1);
        Map<String, Double> wanted = new HashMap<>();
        Map<String, Double> set = new HashMap<>();
        plan.tenants().forEach((tenant, tenantPlan) -> {
            boolean ours = held.containsKey(tenant);
            boolean ofOthers = inForce.containsKey(tenant) && !ours;
            if (tenantPlan.isLimited() && !ofOthers) {
                wanted.put(tenant, tenantPlan.demand());
                double quota = Math.max(1, Math.floor(tenantPlan.admitted() * sentForAByte));
                // Quotas of a leader before stay until it is known what is sent for a byte.
                boolean mayChange = !ours || sentSize.ratio().isPresent();
                if (mayChange && isNews(quota, inForce.get(tenant))) {
                    set.put(tenant, quota);
                }
            }
        });
        List<String> remove = held.keySet().stream()
                .filter(tenant -> !wanted.containsKey(tenant))
                .toList();
        // Remembered first: a quota that nobody remembers would stay for ever.
        store.hold(stream, wanted);
        kafka.alterQuotas(set, remove);
        store.release(stream, remove);
        if (!set.isEmpty() || !remove.isEmpty()) {
            LOG.info(
                    "Quotas of stream '{}': {} set, {} released; {} bytes are sent for a byte of values",
                    stream,
                    set.size(),
                    remove.size(),
                    sentForAByte);
        }
    }

    private static boolean isNews(double quota, Double inForce) {
        return inForce == null || Math.abs(inForce - quota) > SAME * inForce;
    }
}
