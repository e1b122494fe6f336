package io.cordwood.trino;

import static io.cordwood.trino.error.CordwoodErrorCode.CORDWOOD_TABLE_CHANGED;
import static io.trino.spi.StandardErrorCode.EXCEEDED_TIME_LIMIT;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MICROS;
import static io.trino.spi.type.VarcharType.VARCHAR;

import com.google.inject.Inject;
import io.airlift.slice.Slices;
import io.cordwood.query.QueryEngine;
import io.cordwood.query.pattern.LogPattern;
import io.cordwood.query.pattern.LogPatterns;
import io.cordwood.query.pattern.LogPatterns.Others;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.search.LimitExceededException;
import io.cordwood.query.search.Patterns;
import io.cordwood.query.search.ScanLimits;
import io.cordwood.query.search.TableScan;
import io.cordwood.trino.config.CordwoodSessionProperties;
import io.cordwood.trino.error.QueryErrors;
import io.trino.spi.Page;
import io.trino.spi.PageBuilder;
import io.trino.spi.TrinoException;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorTableCredentials;
import io.trino.spi.function.table.ConnectorTableFunctionHandle;
import io.trino.spi.function.table.TableFunctionProcessorProvider;
import io.trino.spi.function.table.TableFunctionProcessorState;
import io.trino.spi.function.table.TableFunctionProcessorState.Finished;
import io.trino.spi.function.table.TableFunctionProcessorState.Processed;
import io.trino.spi.function.table.TableFunctionSplitProcessor;
import io.trino.spi.type.LongTimestampWithTimeZone;
import io.trino.spi.type.TimeZoneKey;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/**
 * Finds the patterns of {@link PatternsFunction}, in a snapshot of its own, which begins when the query runs.
 * Thread-safe.
 */
final class PatternsProcessors implements TableFunctionProcessorProvider {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final int PICOS_PER_MICRO = 1_000_000;
    private static final int PATTERN = 0;
    private static final int KIND = 1;
    private static final int COUNT = 2;
    private static final int SHARE = 3;
    private static final int BEFORE = 4;
    private static final int FIRST = 5;
    private static final int LAST = 6;
    private static final int SAMPLE = 7;

    /** The engine's own threads give a query its share of the node, so one of them reads. */
    private static final Executor NO_OTHER_THREADS = task -> {
        throw new RejectedExecutionException();
    };

    private final QueryEngine engine;

    @Inject
    PatternsProcessors(QueryEngine engine) {
        this.engine = engine;
    }

    @Override
    public TableFunctionSplitProcessor getSplitProcessor(
            ConnectorSession session,
            ConnectorTableFunctionHandle function,
            Optional<ConnectorTableCredentials> credentials,
            ConnectorSplit split) {
        return new Processor(() -> QueryErrors.call(() -> page(session, (PatternsFunction.Handle) function)));
    }

    /** Produces one page. Not thread-safe. */
    private static final class Processor implements TableFunctionSplitProcessor {
        private final Supplier<Page> page;
        private boolean isDone;

        Processor(Supplier<Page> page) {
            this.page = page;
        }

        @Override
        public TableFunctionProcessorState process() {
            if (isDone) {
                return Finished.FINISHED;
            }
            isDone = true;
            return Processed.produced(page.get());
        }
    }

    private Page page(ConnectorSession session, PatternsFunction.Handle function) {
        ScanFilter filter = function.filter(CordwoodSessionProperties.useStatistics(session));
        boolean hasBefore = Patterns.timeBefore(filter.time()).isPresent();
        LogPatterns patterns;
        try {
            patterns = Patterns.find(open(session, function), filter, function.column(), function.limit());
        } catch (LimitExceededException e) {
            throw new TrinoException(
                    EXCEEDED_TIME_LIMIT, "system.patterns: %s: ask for less time".formatted(e.getMessage()), e);
        }
        PageBuilder page = new PageBuilder(PatternsFunction.TYPES);
        for (LogPattern pattern : patterns.patterns()) {
            writeCounts(
                    page,
                    Optional.of(pattern.template()),
                    "pattern",
                    new Others(1, pattern.count(), pattern.before()),
                    patterns.rows(),
                    hasBefore);
            writeTime(page.getBlockBuilder(FIRST), pattern.firstMicros());
            writeTime(page.getBlockBuilder(LAST), pattern.lastMicros());
            VARCHAR.writeSlice(page.getBlockBuilder(SAMPLE), Slices.utf8Slice(pattern.sample()));
        }
        writeOthers(page, "other", patterns.others(), patterns.rows(), hasBefore);
        writeOthers(page, "without text", patterns.withoutText(), patterns.rows(), hasBefore);
        return page.build();
    }

    private TableScan open(ConnectorSession session, PatternsFunction.Handle function) {
        ScanLimits limits = new ScanLimits(Long.MAX_VALUE, CordwoodSessionProperties.hotMaxBytes(session), TIMEOUT, 1);
        return engine.tableReads(
                        CordwoodSessionProperties.readSettings(session),
                        CordwoodSessionProperties.planOptions(session),
                        NO_OTHER_THREADS)
                .open(engine.snapshot(), function.tenantId(), function.stream(), limits)
                .orElseThrow(() -> new TrinoException(
                        CORDWOOD_TABLE_CHANGED,
                        "system.patterns: tenant '%s' no longer has stream '%s'"
                                .formatted(function.tenantId(), function.stream())));
    }

    private static void writeOthers(PageBuilder page, String kind, Others others, long rows, boolean hasBefore) {
        if (others.count() + others.before() > 0) {
            writeCounts(page, Optional.empty(), kind, others, rows, hasBefore);
            page.getBlockBuilder(FIRST).appendNull();
            page.getBlockBuilder(LAST).appendNull();
            page.getBlockBuilder(SAMPLE).appendNull();
        }
    }

    private static void writeCounts(
            PageBuilder page, Optional<String> template, String kind, Others counts, long rows, boolean hasBefore) {
        page.declarePosition();
        if (template.isPresent()) {
            VARCHAR.writeSlice(page.getBlockBuilder(PATTERN), Slices.utf8Slice(template.get()));
        } else {
            page.getBlockBuilder(PATTERN).appendNull();
        }
        VARCHAR.writeSlice(page.getBlockBuilder(KIND), Slices.utf8Slice(kind));
        BIGINT.writeLong(page.getBlockBuilder(COUNT), counts.count());
        DOUBLE.writeDouble(page.getBlockBuilder(SHARE), rows == 0 ? 0 : (double) counts.count() / rows);
        if (hasBefore) {
            BIGINT.writeLong(page.getBlockBuilder(BEFORE), counts.before());
        } else {
            page.getBlockBuilder(BEFORE).appendNull();
        }
    }

    private static void writeTime(BlockBuilder times, long micros) {
        TIMESTAMP_TZ_MICROS.writeObject(
                times,
                LongTimestampWithTimeZone.fromEpochMillisAndFraction(
                        Math.floorDiv(micros, 1000),
                        Math.floorMod(micros, 1000) * PICOS_PER_MICRO,
                        TimeZoneKey.UTC_KEY));
    }
}
