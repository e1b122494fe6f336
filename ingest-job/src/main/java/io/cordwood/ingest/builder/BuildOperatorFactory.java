package io.cordwood.ingest.builder;

import io.cordwood.ingest.commit.Progress;
import io.cordwood.ingest.commit.TableFlush;
import io.cordwood.ingest.report.TrafficReporter;
import io.cordwood.ingest.runtime.JobClock;
import io.cordwood.ingest.source.PartitionEvent;
import io.cordwood.ingest.storage.TableStorage;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.util.OutputTag;

/** Creates the operator that builds LogBlocks, keyed by {@link io.cordwood.ingest.source.LogPartition}. */
public final class BuildOperatorFactory extends AbstractStreamOperatorFactory<TableFlush>
        implements OneInputStreamOperatorFactory<PartitionEvent, TableFlush> {
    /** The progress of each partition, once per checkpoint. */
    public static final OutputTag<Progress> PROGRESS = BuildOperator.PROGRESS;

    /** Records that could not be decoded. */
    public static final OutputTag<DeadLetter> DEAD_LETTERS = BuildOperator.DEAD_LETTERS;

    private static final long serialVersionUID = 1;

    private final BuildOptions options;
    private final TableStorage.Factory storage;
    private final TrafficReporter.Factory reporter;
    private final String redis;
    private final JobClock.Factory clocks;

    /** @param redis target of statistics of unarchived rows; empty for none */
    public BuildOperatorFactory(
            BuildOptions options, TableStorage.Factory storage, TrafficReporter.Factory reporter, String redis) {
        this(options, storage, reporter, redis, JobClock::ofMachine);
    }

    BuildOperatorFactory(
            BuildOptions options,
            TableStorage.Factory storage,
            TrafficReporter.Factory reporter,
            String redis,
            JobClock.Factory clocks) {
        this.options = options;
        this.storage = storage;
        this.reporter = reporter;
        this.redis = redis;
        this.clocks = clocks;
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the signature is Flink's
    public <T extends StreamOperator<TableFlush>> T createStreamOperator(
            StreamOperatorParameters<TableFlush> parameters) {
        JobClock clock = clocks.of(parameters.getProcessingTimeService());
        return (T) new BuildOperator(
                parameters,
                new BuildContext(options, clock, storage.open(), new TrafficMeter(reporter.open(), clock), redis));
    }

    @Override
    @SuppressWarnings("rawtypes") // the signature is Flink's
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return BuildOperator.class;
    }
}
