package io.cordwood.balancer.service;

import io.cordwood.balancer.plan.Plan;
import io.cordwood.balancer.plan.PlanInput;
import io.cordwood.balancer.plan.Planner;
import io.cordwood.balancer.plan.TenantPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done when the demand is more than the cluster takes: partitions are added as far as the operator allows, and
 * tenants are held to their max-flow shares by Kafka's client quotas until it fits again. Not thread-safe.
 *
 * <p>A quota binds producers whose {@code client.id} is the tenant's id, and each broker counts for itself, so that a
 * tenant may send its share to each. Whose quotas are set is kept in Redis, so that the next leader takes them away;
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

    Overload(String stream, BalancerOptions options, BalancerStore store, KafkaView kafka) {
        this.stream = stream;
        this.options = options;
        this.store = store;
        this.kafka = kafka;
    }

    void act(Planner planner, PlanInput input) throws InterruptedException, ExecutionException {
        boolean mayScale = options.maxPartitions() > 0;
        if (!mayScale && !options.quotas()) {
            return;
        }
        Plan plan = planner.plan(input);
        // Without a worker that reports, nothing is known of what fits.
        boolean known = !plan.workers().isEmpty();
        if (mayScale && known && plan.scale().isPresent()) {
            int partitions = plan.partitions().size();
            int wanted = Math.min(
                    options.maxPartitions(), partitions + plan.scale().get().partitions());
            if (wanted > partitions) {
                kafka.addPartitions(stream, wanted);
                LOG.info(
                        "Stream '{}' has {} partitions now, {} before: its demand does not fit",
                        stream,
                        wanted,
                        partitions);
            }
        }
        if (options.quotas() && known) {
            setQuotas(plan);
        }
    }

    private void setQuotas(Plan plan) throws InterruptedException, ExecutionException {
        Map<String, Double> inForce = kafka.quotas();
        var ours = store.limited();
        Map<String, Double> set = new HashMap<>();
        plan.tenants().forEach((tenant, tenantPlan) -> {
            if (tenantPlan.isLimited() && isNews(tenantPlan, inForce.get(tenant), ours.contains(tenant))) {
                set.put(tenant, Math.max(1, tenantPlan.admitted()));
            }
        });
        List<String> remove = new ArrayList<>();
        for (String tenant : ours) {
            TenantPlan tenantPlan = plan.tenants().get(tenant);
            if (tenantPlan == null || !tenantPlan.isLimited()) {
                remove.add(tenant);
            }
        }
        // Remembered first: a quota that nobody remembers would stay for ever.
        store.addLimited(set.keySet());
        kafka.alterQuotas(set, remove);
        store.removeLimited(remove);
        if (!set.isEmpty() || !remove.isEmpty()) {
            LOG.info("Quotas of stream '{}': {} set, {} released", stream, set.size(), remove.size());
        }
    }

    private static boolean isNews(TenantPlan plan, Double inForce, boolean ours) {
        return inForce == null || (ours && Math.abs(inForce - plan.admitted()) > SAME * inForce);
    }
}
