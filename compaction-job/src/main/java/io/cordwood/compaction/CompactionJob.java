package io.cordwood.compaction;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.compaction.job.CatalogFactory;
import io.cordwood.compaction.job.LimitMerges;
import io.cordwood.compaction.job.ListTables;
import io.cordwood.compaction.job.MaintainTable;
import io.cordwood.compaction.job.MergeLogBlocks;
import io.cordwood.compaction.job.MergeTask;
import io.cordwood.compaction.job.TableReport;
import io.cordwood.compaction.job.TableVisit;
import io.cordwood.compaction.merge.MergeResult;
import io.cordwood.options.Program;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * The job that keeps tables fast and small: each cycle lists the tables, maintains each, and runs the most profitable
 * merges.
 *
 * <p>The job has no state: the tables themselves show the work that is left, and an interrupted merge leaves only
 * objects without references. So the job takes no checkpoints and starts a new cycle after every restart.
 */
public final class CompactionJob {
    private CompactionJob() {}

    /** Runs the job in the Flink cluster to which this program was submitted. */
    public static void main(String[] arguments) throws Exception {
        Optional<Submission> submission = Program.parse(new Submission(), arguments);
        if (submission.isPresent()) {
            CompactionOptions options = submission.get().flags.options();
            StreamExecutionEnvironment environment =
                    StreamExecutionEnvironment.getExecutionEnvironment(configuration(options));
            build(environment, options);
            environment.execute("Cordwood compaction");
        }
    }

    @Command(
            name = "CompactionJob",
            mixinStandardHelpOptions = true,
            description = "Merges LogBlocks in the Flink cluster to which it is submitted.")
    private static final class Submission {
        @Mixin
        private CompactionFlags flags;
    }

    /** The Flink settings that the job relies on. */
    public static Configuration configuration(CompactionOptions options) {
        Configuration flink = new Configuration();
        flink.set(PipelineOptions.GENERIC_TYPES, false);
        flink.set(PipelineOptions.OBJECT_REUSE, true);
        if (options.isOnce()) {
            flink.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        } else {
            // An exponential delay uses the wall clock: if it is set back after a failure, the next restart waits that
            // long.
            flink.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
            flink.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, Integer.MAX_VALUE);
            flink.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofSeconds(2));
        }
        return flink;
    }

    /** Adds the job to an environment. */
    public static void build(StreamExecutionEnvironment environment, CompactionOptions options) {
        build(environment, options, cycles(environment, options));
    }

    /** The numbers of the cycles from 0, each when it is due. */
    private static DataStream<Long> cycles(StreamExecutionEnvironment environment, CompactionOptions options) {
        return environment
                .fromSource(
                        new DataGeneratorSource<>(
                                cycle -> cycle,
                                options.isOnce() ? 1 : Long.MAX_VALUE,
                                // With a rate limit, the source would wait one more interval before it ends
                                options.isOnce()
                                        ? RateLimiterStrategy.noOp()
                                        : RateLimiterStrategy.perSecond(
                                                1_000.0 / options.interval().toMillis()),
                                Types.LONG),
                        WatermarkStrategy.noWatermarks(),
                        "Cycles")
                .uid("cycles")
                .setParallelism(1);
    }

    /**
     * Adds what the job does in these cycles.
     *
     * @param cycles numbers of cycles in ascending order, in one partition
     */
    static void build(StreamExecutionEnvironment environment, CompactionOptions options, DataStream<Long> cycles) {
        URI uri = options.catalogUri();
        Map<String, String> properties = options.catalogProperties();
        CatalogFactory catalog = () -> CatalogClient.connect(uri, properties);
        environment.setParallelism(options.parallelism());

        DataStream<TableVisit> visits = cycles.flatMap(
                        new ListTables(catalog, options.streams(), options.tenantId(), options.isOnce()))
                .returns(TypeInformation.of(TableVisit.class))
                .name("List tables")
                .uid("list-tables")
                .setParallelism(1);

        DataStream<TableReport> reports = visits.keyBy(TableVisit::key)
                .map(new MaintainTable(
                        catalog,
                        options.targetBytes(),
                        options.isOnce(),
                        options.snapshotGrace(),
                        options.orphanInterval(),
                        options.denseAfterDays()))
                .returns(TypeInformation.of(TableReport.class))
                .name("Maintain table")
                .uid("maintain-table");

        DataStream<MergeTask> merges = reports.global()
                .flatMap(new LimitMerges(options.budgetBytes()))
                .returns(TypeInformation.of(MergeTask.class))
                .name("Limit merges")
                .uid("limit-merges")
                .setParallelism(1)
                .setMaxParallelism(1);

        merges.keyBy(MergeTask::key)
                .flatMap(new MergeLogBlocks(catalog, options.zstdLevel(), options.copiesText()))
                .returns(TypeInformation.of(MergeResult.class))
                .name("Merge LogBlocks")
                .uid("merge-logblocks")
                .sinkTo(new DiscardingSink<>())
                .name("Merged")
                .uid("merged");
    }
}
