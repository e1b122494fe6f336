package io.cordwood.balancer.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.cordwood.routing.Route;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlannersTest {
    private static final Cluster FOUR = Inputs.cluster(4, 2, 100, 200);
    private final Planner level = new LevelPlanner(0.02, 0.1, 0);

    private static List<Route> all(int partition) {
        return List.of(new Route(partition, 1));
    }

    @Test
    void aTenantTooLargeForAPartitionGetsSeveral() {
        Plan plan = level.plan(new PlanInput(
                FOUR, Inputs.demands(Map.of("acme", 200.0, "small", 1.0)), Map.of("acme", all(0), "small", all(1))));
        assertThat(plan.tenants().get("acme").decision()).isEqualTo(Decision.SPLIT);
        assertThat(plan.tenants().get("acme").routes()).hasSizeGreaterThan(2);
        assertThat(plan.utilisation()).isLessThan(0.61);
        assertThat(plan.reason("acme"))
                .hasValueSatisfying(reason -> assertThat(reason)
                        .startsWith("acme has")
                        .contains("2.00 of what the largest partition takes")
                        .contains("its previous 1 route had no capacity"));
        assertThat(plan.reason("nobody")).isEmpty();
    }

    @Test
    void lowLoadIsLeftAlone() {
        PlanInput input = new PlanInput(FOUR, Inputs.demands(Map.of("acme", 40.0)), Map.of("acme", all(0)));
        assertThat(new LevelPlanner().plan(input).tenants().get("acme").decision())
                .isEqualTo(Decision.KEPT);
        assertThat(level.plan(input).tenants().get("acme").decision()).isEqualTo(Decision.SPLIT);
        PlanInput more = new PlanInput(FOUR, Inputs.demands(Map.of("acme", 90.0)), Map.of("acme", all(0)));
        assertThat(new LevelPlanner().plan(more).tenants().get("acme").routes()).hasSize(2);
    }

    @Test
    void weightsComeBeforeRoutes() {
        Map<String, List<Route>> before = Map.of(
                "acme",
                List.of(new Route(0, 0.9), new Route(1, 0.1)),
                "other",
                List.of(new Route(2, 0.5), new Route(3, 0.5)));
        Plan plan = level.plan(new PlanInput(FOUR, Inputs.demands(Map.of("acme", 100.0, "other", 100.0)), before));
        assertThat(plan.tenants().get("acme").decision()).isEqualTo(Decision.REWEIGHTED);
        assertThat(plan.tenants().get("acme").routes())
                .extracting(Route::partition)
                .containsExactly(0, 1);
        assertThat(plan.tenants().get("other").decision()).isEqualTo(Decision.KEPT);
        assertThat(plan.routeCount()).isEqualTo(4);
    }

    @Test
    void tenantsMakeWayForOneAnotherBeforeOneGetsANewRoute() {
        // acme can leave partition 0 only for 1, where other is, which can leave 1 only for 2.
        Map<String, List<Route>> before = Map.of(
                "acme", List.of(new Route(0, 0.99), new Route(1, 0.01)),
                "other", List.of(new Route(1, 0.99), new Route(2, 0.01)),
                "third", all(3));
        Plan plan = level.plan(
                new PlanInput(FOUR, Inputs.demands(Map.of("acme", 90.0, "other", 90.0, "third", 60.0)), before));
        assertThat(plan.routeCount()).isEqualTo(5);
        assertThat(plan.tenants().values())
                .extracting(TenantPlan::decision)
                .doesNotContain(Decision.SPLIT, Decision.MOVED);
        assertThat(plan.utilisation()).isLessThan(0.73);
    }

    @Test
    void smallTenantsMoveWhole() {
        Map<String, List<Route>> before = Map.of("a", all(0), "b", all(0), "c", all(0), "d", all(0));
        Plan plan = level.plan(
                new PlanInput(FOUR, Inputs.demands(Map.of("a", 30.0, "b", 30.0, "c", 30.0, "d", 30.0)), before));
        assertThat(plan.routeCount()).isEqualTo(4);
        assertThat(plan.changedTenants()).isEqualTo(3);
        assertThat(plan.utilisation()).isCloseTo(60 / 170.0, within(0.01));
    }

    @Test
    void aTenantThatShrankGivesRoutesUpWhenThePlanChanges() {
        List<Route> everywhere =
                List.of(new Route(0, 0.25), new Route(1, 0.25), new Route(2, 0.25), new Route(3, 0.25));
        Plan plan = level.plan(new PlanInput(
                FOUR, Inputs.demands(Map.of("acme", 4.0, "big", 150.0)), Map.of("acme", everywhere, "big", all(0))));
        assertThat(plan.tenants().get("acme").decision()).isEqualTo(Decision.MERGED);
    }

    @Test
    void whatAWorkerServedGoesElsewhereWhenItIsLost() {
        List<TenantDemand> demands = Inputs.zipf(50, 0.9, 160);
        Plan before = level.plan(new PlanInput(FOUR, demands, Map.of()));
        Cluster one = new Cluster(FOUR.partitions(), List.of(FOUR.workers().get(0)), FOUR.watermark());
        Plan after = level.plan(new PlanInput(one, demands, before.routes()));
        assertThat(after.partitions().get(1).load()).isZero();
        assertThat(after.utilisation()).isLessThan(0.98);
        // Those that were on the other worker stay.
        assertThat(after.changedTenants()).isLessThan(40);
    }

    @Test
    void withoutAnyWorkerRoutesStay() {
        Cluster none = new Cluster(FOUR.partitions(), List.of(), 0.85);
        Plan plan =
                level.plan(new PlanInput(none, Inputs.demands(Map.of("old", 5.0, "new", 5.0)), Map.of("old", all(2))));
        assertThat(plan.routes()).containsEntry("old", all(2)).containsEntry("new", all(KeyHash.partition("new", 4)));
        assertThat(plan.scale()).isPresent();
    }

    @Test
    void tooMuchDemandIsSharedOutAndSaysHowFarToGrow() {
        Plan plan = level.plan(
                new PlanInput(FOUR, Inputs.demands(Map.of("small", 40.0, "large", 400.0, "huge", 600.0)), Map.of()));
        assertThat(plan.bound()).isCloseTo(340, within(1e-9));
        assertThat(plan.tenants().get("small").admitted()).isEqualTo(40);
        assertThat(plan.tenants().get("large").admitted()).isCloseTo(150, within(1e-9));
        assertThat(plan.tenants().get("huge").admitted()).isCloseTo(150, within(1e-9));
        // 1,040 through workers of 170 and partitions of 100.
        assertThat(plan.scale()).contains(new Scale(1040 / plan.bound(), 7, 5));
        assertThat(plan.reason("huge"))
                .hasValueSatisfying(reason -> assertThat(reason).contains("150.0 are admitted"));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.5, 0.99})
    void baselinesFindPlansThatFitAfterSomeRounds(double theta) {
        Cluster cluster = Inputs.cluster(24, 6, 100, 300);
        List<TenantDemand> demands = Inputs.zipf(200, theta, 1200);
        for (Planner planner : List.of(GreedyPlanner.of(cluster), new LogStorePlanner(), level)) {
            Map<String, List<Route>> routes = Inputs.byHash(demands, 24);
            Plan plan = planner.plan(new PlanInput(cluster, demands, routes));
            for (int round = 0; round < 50; round++) {
                plan = planner.plan(new PlanInput(cluster, demands, plan.routes()));
            }
            assertThat(plan.utilisation()).isLessThan(1 + 1e-6);
            assertThat(plan.tenants()).hasSize(200);
            plan.tenants()
                    .values()
                    .forEach(tenant -> assertThat(tenant.routes().stream()
                                    .mapToDouble(Route::weight)
                                    .sum())
                            .isCloseTo(1, within(1e-9)));
        }
    }

    @Test
    void wrongInputSaysWhatIsWrong() {
        List<PartitionCapacity> two = List.of(new PartitionCapacity(0, 1), new PartitionCapacity(1, 1));
        assertThatThrownBy(() -> new Cluster(
                        two,
                        List.of(new WorkerCapacity("a", 1, List.of(0)), new WorkerCapacity("b", 1, List.of(0))),
                        0.85))
                .hasMessage("Workers 'a' and 'b' both serve partition 0");
        assertThatThrownBy(() -> new Cluster(two, List.of(new WorkerCapacity("a", 1, List.of(7))), 0.85))
                .hasMessage("Worker 'a' serves partition 7, which does not exist");
        assertThatThrownBy(() -> new Cluster(two, List.of(), 0)).hasMessageContaining("watermark");
        assertThatThrownBy(() -> new Cluster(List.of(), List.of(), 1)).hasMessageContaining("at least one partition");
        assertThatThrownBy(() -> new TenantDemand("acme", Double.NaN)).hasMessageContaining("acme");
        assertThatThrownBy(() -> new PlanInput(
                        FOUR, List.of(new TenantDemand("acme", 1), new TenantDemand("acme", 2)), Map.of()))
                .hasMessage("Tenant 'acme' has two demands");
    }
}
