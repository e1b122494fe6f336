package io.cordwood.balancer.plan;

/** Makes a plan from an input. It is a pure function, so that the same input gives the same plan. Thread-safe. */
@FunctionalInterface
public interface Planner {
    Plan plan(PlanInput input);
}
