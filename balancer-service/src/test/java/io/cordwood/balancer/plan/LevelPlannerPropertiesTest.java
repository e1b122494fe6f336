package io.cordwood.balancer.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cordwood.routing.Route;
import io.cordwood.routing.RoutingTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;

/** What holds of every plan, whatever the input. */
class LevelPlannerPropertiesTest {
    private static final double ROUNDING = 1e-6;
    private static final double TOLERANCE = 0.02;
    private static final double KEEP = 0.10;

    private static final double COMFORT = 0.5;

    /** Level at any load, so that every property is tried on plans that change much. */
    private final Planner planner = new LevelPlanner(TOLERANCE, KEEP, 0);

    private final Planner comfortable = new LevelPlanner(TOLERANCE, KEEP, COMFORT);

    @Property
    void everyTenantHasRoutesWhoseWeightsSumToOne(@ForAll long seed) {
        PlanInput input = Inputs.any(seed);
        Plan plan = planner.plan(input);
        assertThat(plan.tenants()).hasSize(input.demands().size());
        plan.tenants().values().forEach(tenant -> {
            assertThat(tenant.routes()).isNotEmpty();
            assertThat(tenant.routes().stream().mapToDouble(Route::weight).sum())
                    .isCloseTo(1, within(1e-9));
        });
        // The table's own checks hold too.
        assertThat(new RoutingTable(1, "logs", plan.routes()).routes()).hasSameSizeAs(input.demands());
    }

    @Property
    void flowIsConserved(@ForAll long seed) {
        PlanInput input = Inputs.any(seed);
        Plan plan = planner.plan(input);
        double[] loads = Inputs.loads(input, plan.routes(), admitted(plan));
        double admitted = plan.admitted();
        double scale = ROUNDING * Math.max(1, admitted);
        for (PartitionLoad partition : plan.partitions()) {
            if (plan.bound() > 0) {
                assertThat(partition.load()).isCloseTo(loads[partition.partition()], within(scale));
            }
        }
        Map<String, Double> workers = new HashMap<>();
        plan.partitions().forEach(partition -> workers.merge(partition.worker(), partition.load(), Double::sum));
        plan.workers()
                .forEach(worker ->
                        assertThat(worker.load()).isCloseTo(workers.getOrDefault(worker.worker(), 0.0), within(scale)));
        assertThat(plan.workers().stream().mapToDouble(WorkerLoad::load).sum())
                .isCloseTo(Math.min(plan.demand(), plan.bound()), within(scale));
    }

    private static Map<String, Double> admitted(Plan plan) {
        Map<String, Double> admitted = new HashMap<>();
        plan.tenants().forEach((tenant, tenantPlan) -> admitted.put(tenant, tenantPlan.admitted()));
        return admitted;
    }

    @Property
    void whatIsAdmittedKeepsEveryCapacity(@ForAll long seed) {
        Plan plan = planner.plan(Inputs.any(seed));
        plan.partitions()
                .forEach(partition -> assertThat(partition.load())
                        .isLessThanOrEqualTo(partition.capacity() * (1 + ROUNDING) + ROUNDING));
        plan.workers()
                .forEach(worker ->
                        assertThat(worker.load()).isLessThanOrEqualTo(worker.limit() * (1 + ROUNDING) + ROUNDING));
    }

    @Property
    void whatFitsIsAdmittedAndWhatDoesNotIsSharedFairly(@ForAll long seed) {
        Plan plan = planner.plan(Inputs.any(seed));
        assertThat(plan.admitted())
                .isCloseTo(Math.min(plan.demand(), plan.bound()), within(ROUNDING * Math.max(1, plan.demand())));
        assertThat(plan.scale().isPresent()).isEqualTo(plan.lambda() > 1);
        double most = plan.tenants().values().stream()
                .mapToDouble(TenantPlan::admitted)
                .max()
                .orElse(0);
        plan.tenants().values().forEach(tenant -> {
            if (tenant.isLimited()) {
                // Who is limited gets as much as anybody.
                assertThat(plan.lambda()).isGreaterThan(1);
                assertThat(tenant.admitted()).isCloseTo(most, within(ROUNDING * Math.max(1, most)));
            } else {
                assertThat(tenant.admitted()).isEqualTo(tenant.demand());
            }
        });
    }

    @Property
    void utilisationIsNearTheSmallestPossible(@ForAll long seed) {
        PlanInput input = Inputs.any(seed);
        Plan plan = planner.plan(input);
        double lambda = Math.min(1, plan.lambda());
        double allowed = plan.changedTenants() == 0 ? KEEP : TOLERANCE;
        assertThat(plan.utilisation()).isLessThanOrEqualTo(Math.min(1, lambda * (1 + allowed)) * (1 + ROUNDING));
    }

    @Property
    void lowLoadSavesRoutes(@ForAll long seed) {
        PlanInput any = Inputs.any(seed);
        PlanInput input = new PlanInput(any.cluster(), any.demands(), Map.of());
        Plan level = planner.plan(input);
        Plan plan = comfortable.plan(input);
        assertThat(plan.utilisation())
                .isLessThanOrEqualTo(Math.max(COMFORT, Math.min(1, Math.min(1, plan.lambda()) * (1 + TOLERANCE)))
                        * (1 + ROUNDING));
        if (plan.lambda() < COMFORT / 2) {
            assertThat(plan.routeCount()).isLessThanOrEqualTo(level.routeCount());
        }
        Plan again = comfortable.plan(new PlanInput(input.cluster(), input.demands(), plan.routes()));
        assertThat(again.changedTenants()).isZero();
    }

    @Property
    void neverWorseThanGreedy(@ForAll long seed) {
        PlanInput input = Inputs.any(seed);
        double greedy = GreedyPlanner.of(input.cluster()).plan(input).utilisation();
        assertThat(planner.plan(input).utilisation()).isLessThanOrEqualTo(greedy * (1 + ROUNDING) + ROUNDING);
        assertThat(comfortable.plan(input).utilisation()).isLessThanOrEqualTo(greedy * (1 + ROUNDING) + ROUNDING);
    }

    @Property
    void sameDemandGivesSameTable(@ForAll long seed) {
        PlanInput input = Inputs.any(seed);
        Plan plan = planner.plan(input);
        Plan again = planner.plan(new PlanInput(input.cluster(), input.demands(), plan.routes()));
        assertThat(again.routes()).isEqualTo(plan.routes());
        assertThat(again.changedTenants()).isZero();
    }

    @Property
    void orderOfTheInputDoesNotMatter(@ForAll long seed) {
        PlanInput input = Inputs.any(seed);
        List<TenantDemand> demands = new ArrayList<>(input.demands());
        List<WorkerCapacity> workers = new ArrayList<>(input.cluster().workers());
        List<PartitionCapacity> partitions = new ArrayList<>(input.cluster().partitions());
        Random random = new Random(seed);
        Collections.shuffle(demands, random);
        Collections.shuffle(workers, random);
        Collections.shuffle(partitions, random);
        Cluster cluster = new Cluster(partitions, workers, input.cluster().watermark());
        assertThat(planner.plan(new PlanInput(cluster, demands, new HashMap<>(input.before()))))
                .isEqualTo(planner.plan(input));
    }

    @Property
    void aNewPlanHasFewRoutes(@ForAll long seed) {
        PlanInput any = Inputs.any(seed);
        PlanInput input = new PlanInput(any.cluster(), any.demands(), Map.of());
        Plan plan = planner.plan(input);
        int parts =
                input.cluster().partitions().size() + input.cluster().workers().size();
        assertThat(plan.routeCount()).isLessThanOrEqualTo(input.demands().size() + parts);
    }

    @Property(tries = 300)
    void theFlowOfAPlanIsAMaximumFlowOfItsRoutes(@ForAll long seed) {
        PlanInput input = Inputs.any(seed);
        Plan plan = planner.plan(input);
        assertThat(maximumFlow(input, plan))
                .isCloseTo(Math.min(plan.demand(), plan.bound()), within(ROUNDING * Math.max(1, plan.demand())));
    }

    private static double maximumFlow(PlanInput input, Plan plan) {
        Network network = new Network(input.cluster(), input.demands());
        int firstPartition = FlowGraph.FIRST + network.tenants();
        int firstWorker = firstPartition + network.partitions();
        FlowGraph graph = new FlowGraph(firstWorker + network.workers(), Math.max(1, plan.demand()));
        for (int i = 0; i < network.tenants(); i++) {
            graph.edge(FlowGraph.SOURCE, FlowGraph.FIRST + i, network.demand(i));
            for (Route route : plan.tenants().get(network.tenant(i)).routes()) {
                int partition = firstPartition + network.partitionIndex(route.partition());
                graph.edge(FlowGraph.FIRST + i, partition, network.demand(i));
            }
        }
        for (int j = 0; j < network.partitions(); j++) {
            if (network.isUsable(j)) {
                graph.edge(firstPartition + j, firstWorker + network.workerOf(j), network.capacity(j));
            }
        }
        for (int k = 0; k < network.workers(); k++) {
            graph.edge(firstWorker + k, FlowGraph.SINK, network.limit(k));
        }
        return graph.solve();
    }

    @Property
    void smallChangesOfDemandChangeNothing(@ForAll long seed, @ForAll @DoubleRange(min = 0.97, max = 1) double factor) {
        PlanInput input = Inputs.any(seed);
        Plan plan = planner.plan(input);
        if (plan.lambda() * (1 + KEEP) < 1 && plan.changedTenants() > 0) {
            List<TenantDemand> less = input.demands().stream()
                    .map(demand -> new TenantDemand(demand.tenant(), demand.demand() * factor))
                    .toList();
            Plan next = planner.plan(new PlanInput(input.cluster(), less, plan.routes()));
            assertThat(next.routes()).isEqualTo(plan.routes());
        }
    }
}
