package io.cordwood.balancer.plan;

/**
 * Flow through a worker: f(D). Immutable.
 *
 * @param limit most that it may take: watermark times capacity
 */
public record WorkerLoad(String worker, double load, double limit) {}
