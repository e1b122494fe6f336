package io.cordwood.balancer.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.balancer.plan.Cluster;
import io.cordwood.balancer.plan.LevelPlanner;
import io.cordwood.balancer.plan.PartitionCapacity;
import io.cordwood.balancer.plan.Plan;
import io.cordwood.balancer.plan.PlanInput;
import io.cordwood.balancer.plan.TenantDemand;
import io.cordwood.balancer.plan.WorkerCapacity;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Round after round against a broker that throttles as Kafka does, in made-up time. */
final class ThrottlingTest {
    private static final long WINDOW_MILLIS = 5_000;
    private static final long STEP_MILLIS = 100;
    private static final double BOUND = 850;
    private static final Cluster CLUSTER = new Cluster(
            List.of(new PartitionCapacity(0, 1000)), List.of(new WorkerCapacity("0", 1000, List.of(0))), 0.85);

    private final Pressure pressure = new Pressure(WINDOW_MILLIS);
    private final Map<String, Throttled> producers = new TreeMap<>();
    private Map<String, Double> held = Map.of();
    private Map<String, Double> quotas = Map.of();
    private long now = 1_000_000;

    /** Lets tenants want that for so many seconds; the balancer observes once a second. */
    private void run(int seconds, Map<String, Double> demands) {
        for (int second = 0; second < seconds; second++) {
            for (long step = 0; step < 1000; step += STEP_MILLIS) {
                now += STEP_MILLIS;
                demands.forEach((tenant, rate) -> producers.get(tenant).step(now, STEP_MILLIS, rate));
            }
            observe();
        }
    }

    private void observe() {
        Map<String, Double> seen = new TreeMap<>();
        producers.forEach(
                (tenant, producer) -> seen.put(tenant, producer.bytesSince(now - WINDOW_MILLIS) * 1e3 / WINDOW_MILLIS));
        pressure.observe(held, quotas, seen, now);
        List<TenantDemand> demands = seen.entrySet().stream()
                .map(tenant -> new TenantDemand(tenant.getKey(), tenant.getValue()))
                .toList();
        Plan plan = new LevelPlanner()
                .plan(new PlanInput(
                        CLUSTER, UnthrottledDemand.of(demands, seen, held, pressure::isPressing), Map.of()));
        Throttling throttling = Throttling.of(plan, held, quotas, OptionalDouble.of(1), pressure::mayBeMuted);
        held = throttling.demands();
        quotas = throttling.quotas();
        producers.forEach((tenant, producer) -> producer.quota(quotas.getOrDefault(tenant, Double.POSITIVE_INFINITY)));
    }

    private Map<String, Double> sentSince(long millis) {
        return producers.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, tenant -> tenant.getValue().bytesSince(millis) * 1e3 / (now - millis)));
    }

    private Map<String, Double> times(double factor, Map<String, Double> rates) {
        return rates.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, tenant -> factor * tenant.getValue()));
    }

    @Test
    void everybodyGetsItsShareOfTenTimesTooMuch() {
        Map<String, Double> demands = new TreeMap<>();
        IntStream.range(0, 10).forEach(tenant -> {
            demands.put("large-" + tenant, 10 * BOUND / 5 / Math.sqrt(tenant + 1));
            demands.put("small-" + tenant, 5.0);
        });
        // Requests of the large ones cost up to twelve seconds of their shares.
        demands.keySet().forEach(tenant -> producers.put(tenant, new Throttled(tenant.startsWith("large") ? 160 : 5)));
        run(20, times(0.03, demands));
        run(150, demands);
        long half = now;
        run(150, demands);

        assertThat(sentSince(half)).allSatisfy((tenant, rate) -> {
            double share = tenant.startsWith("large") ? (BOUND - 50) / 10 : 5;
            assertThat(rate).as(tenant).isBetween(0.8 * share, 1.2 * share);
        });
        run(60, times(0.03, demands));
        assertThat(held).isEmpty();
        assertThat(quotas).isEmpty();
    }

    @Test
    void oneThatIsMuteForWhatItHasSentIsNotLetGoToSendItAgain() {
        producers.put("flood", new Throttled(500));
        producers.put("other", new Throttled(5));
        run(20, Map.of("flood", 100.0, "other", 100.0));
        Map<String, Double> flood = Map.of("flood", 100 * BOUND, "other", 100.0);
        run(20, flood);
        assertThat(sentSince(now - 10_000).get("flood")).as("mute").isZero();

        for (int minute = 0; minute < 60; minute++) {
            run(60, flood);
            assertThat(sentSince(now - 60_000).get("flood")).isLessThan(1.2 * (BOUND - 100));
            assertThat(sentSince(now - 60_000).get("other")).isBetween(99.0, 101.0);
        }
        assertThat(sentSince(now - 60_000).get("flood")).isGreaterThan(0.8 * (BOUND - 100));
    }

    @Test
    void oneThatHasNothingToSendAnyMoreIsLetGoOnceItCannotBeMute() {
        producers.put("flood", new Throttled(500));
        run(30, Map.of("flood", 3 * BOUND));
        run(200, Map.of("flood", 0.0));
        assertThat(held).isEmpty();
    }

    @Test
    void aTenantWhoseShareGrowsBeyondItsDemandMaySendMore() {
        List.of("modest", "flood", "gone").forEach(tenant -> producers.put(tenant, new Throttled(20)));
        run(200, Map.of("modest", 350.0, "flood", 3000.0, "gone", 3000.0));
        assertThat(sentSince(now - 60_000))
                .allSatisfy((tenant, rate) -> assertThat(rate).as(tenant).isBetween(0.8 * BOUND / 3, 1.2 * BOUND / 3));

        run(200, Map.of("modest", 350.0, "flood", 3000.0));
        assertThat(held).containsKeys("modest", "flood");
        assertThat(sentSince(now - 60_000).get("modest")).as("all it wants").isBetween(340.0, 360.0);

        run(200, Map.of("modest", 3000.0, "flood", 3000.0));
        assertThat(sentSince(now - 60_000).get("modest")).isBetween(0.8 * BOUND / 2, 1.2 * BOUND / 2);
        assertThat(sentSince(now - 60_000).get("flood")).isBetween(0.8 * BOUND / 2, 1.2 * BOUND / 2);
    }

    @Test
    void whoIsHeldMaySendAsMuchAsAnybodyAndKeepsWhatIsMore() {
        Plan plan = new LevelPlanner()
                .plan(new PlanInput(
                        CLUSTER,
                        List.of(
                                new TenantDemand("flood", 3000),
                                new TenantDemand("less", 250),
                                new TenantDemand("more", 100)),
                        Map.of()));
        Map<String, Double> before = Map.of("less", 250.0, "more", 300.0);
        Map<String, Double> inForce = Map.of("less", 200.0, "more", 900.0);

        Throttling throttling = Throttling.of(plan, before, inForce, OptionalDouble.of(0.5), tenant -> false);
        assertThat(throttling.quotas()).isEqualTo(Map.of("flood", 250.0, "less", 250.0, "more", 900.0));
        assertThat(throttling.demands()).isEqualTo(Map.of("flood", 3000.0, "less", 250.0, "more", 300.0));
        assertThat(Throttling.of(plan, before, inForce, OptionalDouble.empty(), tenant -> false)
                        .quotas())
                .containsEntry("less", 200.0);
    }
}
