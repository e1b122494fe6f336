package io.cordwood.balancer.service;

import io.cordwood.options.DecimalNumber;
import io.cordwood.options.TrueOrFalse;
import io.cordwood.options.WholeNumber;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The balancer's options that say how it measures and plans: those that a stack passes on. */
public final class BalancerTuning {
    @Option(
            names = "--interval-ms",
            paramLabel = "N",
            defaultValue = "5000",
            converter = Millis.class,
            description = "time between two rounds (default: ${DEFAULT-VALUE})")
    private int intervalMillis;

    @Option(
            names = "--lease-ms",
            paramLabel = "N",
            defaultValue = "5000",
            converter = Lease.class,
            description = "how long a dead balancer stays the leader (default: ${DEFAULT-VALUE})")
    private int leaseMillis;

    @Option(
            names = "--window-ms",
            paramLabel = "N",
            defaultValue = "15000",
            converter = Millis.class,
            description =
                    "time over which rates are means, and the least time between tables for hot spots (default: ${DEFAULT-VALUE})")
    private int windowMillis;

    @Option(
            names = "--stale-ms",
            paramLabel = "N",
            defaultValue = "60000",
            converter = Millis.class,
            description = "age at which a report of traffic no longer counts (default: ${DEFAULT-VALUE})")
    private int staleMillis;

    @Option(
            names = "--hot-rounds",
            paramLabel = "N",
            defaultValue = "2",
            converter = Rounds.class,
            description = "consecutive rounds that make or end a hot spot (default: ${DEFAULT-VALUE})")
    private int hotRounds;

    @Option(
            names = "--partition-capacity",
            paramLabel = "N",
            defaultValue = "10000000",
            converter = Capacity.class,
            description = "bytes per second that a partition takes (default: ${DEFAULT-VALUE})")
    private double partitionCapacity;

    @Option(
            names = "--worker-capacity",
            paramLabel = "N",
            defaultValue = "20000000",
            converter = Capacity.class,
            description = "bytes per second that a subtask of the ingest job takes (default: ${DEFAULT-VALUE})")
    private double workerCapacity;

    @Option(
            names = "--watermark",
            paramLabel = "N",
            defaultValue = "0.85",
            converter = Share.class,
            description = "share of a worker's capacity that plans use (default: ${DEFAULT-VALUE})")
    private double watermark;

    @Option(
            names = "--max-partitions",
            paramLabel = "N",
            defaultValue = "0",
            converter = Partitions.class,
            description =
                    "partitions up to which a topic may grow when its demand does not fit; 0: it never grows (default: ${DEFAULT-VALUE})")
    private int maxPartitions;

    @Option(
            names = "--max-workers",
            paramLabel = "N",
            defaultValue = "0",
            converter = Workers.class,
            description =
                    "subtasks up to which the job may grow when its demand does not fit; 0: it never grows (default: ${DEFAULT-VALUE})")
    private int maxWorkers;

    @Option(
            names = "--quotas",
            arity = "1",
            paramLabel = "true|false",
            defaultValue = "false",
            converter = TrueOrFalse.class,
            description =
                    "hold tenants to their shares by Kafka's client quotas, client.id = tenant (default: ${DEFAULT-VALUE})")
    private boolean quotas;

    Duration interval() {
        return Duration.ofMillis(intervalMillis);
    }

    Duration lease() {
        return Duration.ofMillis(leaseMillis);
    }

    Duration window() {
        return Duration.ofMillis(windowMillis);
    }

    Duration stale() {
        return Duration.ofMillis(staleMillis);
    }

    int hotRounds() {
        return hotRounds;
    }

    Capacities capacities() {
        return new Capacities(partitionCapacity, workerCapacity, watermark);
    }

    int maxPartitions() {
        return maxPartitions;
    }

    /** The number of subtasks up to which the balancer may scale the ingest job; 0: it adds none. */
    public int maxWorkers() {
        return maxWorkers;
    }

    boolean quotas() {
        return quotas;
    }

    private static final class Millis extends WholeNumber {
        Millis() {
            super(1, 1_000_000_000);
        }
    }

    private static final class Lease extends WholeNumber {
        Lease() {
            super(100, 1_000_000_000);
        }
    }

    private static final class Rounds extends WholeNumber {
        Rounds() {
            super(1, 1_000);
        }
    }

    private static final class Partitions extends WholeNumber {
        Partitions() {
            super(0, 100_000);
        }
    }

    private static final class Workers extends WholeNumber {
        Workers() {
            super(0, 1_024);
        }
    }

    private static final class Capacity extends DecimalNumber {
        Capacity() {
            super(1, 1e15);
        }
    }

    private static final class Share extends DecimalNumber {
        Share() {
            super(0.01, 1);
        }
    }
}
