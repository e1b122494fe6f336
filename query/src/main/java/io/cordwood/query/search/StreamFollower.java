package io.cordwood.query.search;

import io.cordwood.hot.HotLogBlock;
import io.cordwood.hot.HotReadMetrics;
import io.cordwood.hot.HotScan;
import io.cordwood.hot.HotTables;
import io.cordwood.hot.LogEnds;
import io.cordwood.hot.LogOffsets;
import io.cordwood.hot.ReadLimits;
import io.cordwood.hot.TailPositions;
import io.cordwood.hot.log.HotSpan;
import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.query.error.QueryException;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.scan.HotScans;
import io.cordwood.query.scan.LogBlockReader;
import io.cordwood.query.scan.ScanRequest;
import io.cordwood.query.search.Tail.Trouble;
import io.cordwood.query.search.TailTables.Followed;
import io.cordwood.query.snapshot.HotFailures;
import io.cordwood.query.snapshot.HotTierReader;
import io.cordwood.query.table.QueryColumn;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the end of a stream for all its tails, on a thread that runs while there are some. Each round reads the log
 * ends, and then the records below them that no round has read: each record is in one round. Thread-safe.
 */
final class StreamFollower {
    private static final Logger LOG = LoggerFactory.getLogger(StreamFollower.class);
    private static final long IDLE_MILLIS = 50;
    private static final long TROUBLE_MILLIS = 1000;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration WARM_UP_TIMEOUT = Duration.ofSeconds(2);

    /** Offsets of a round over all partitions; bounds the memory for a backlog. */
    private static final int MAX_OFFSETS = 1 << 15;

    private static final long MAX_BYTES = 64 << 20;

    /** Rows that a tail takes, or drops, together. */
    private static final int CHUNK_ROWS = 256;

    private static final ScanRequest ROWS =
            new ScanRequest(List.of(QueryColumn.TS), false, Optional.empty(), OptionalLong.empty(), Optional.empty());

    private final HotTierReader hotTier;
    private final String stream;
    private final TailTables tables;
    private final TailBudget budget;
    private final Set<Tail> tails = new CopyOnWriteArraySet<>();
    private volatile Optional<Trouble> trouble = Optional.empty();
    private boolean running;
    private boolean isWarm;

    private TailPositions positions = new TailPositions(new LogOffsets("", Map.of()));
    private int roundOffsets = MAX_OFFSETS;

    StreamFollower(HotTierReader hotTier, String stream, TailTables tables, TailBudget budget) {
        this.hotTier = hotTier;
        this.stream = stream;
        this.tables = tables;
        this.budget = budget;
    }

    /**
     * Adds a tail of rows that arrive from now on.
     *
     * @throws QueryException if Kafka, or the catalog service, does not answer
     */
    Tail add(String tenantId, ScanFilter filter) {
        // Here the catalog may be slow: whoever asked waits, and no other tail
        tables.require(tenantId);
        return start(tenantId, filter);
    }

    private synchronized Tail start(String tenantId, ScanFilter filter) {
        Tail tail = new Tail(this, budget, tenantId, filter);
        if (!running) {
            // Before it is returned: what is acknowledged later is certainly read
            beginAtEnd();
        }
        tails.add(tail);
        if (!running) {
            running = true;
            Thread.ofPlatform().name("follow-" + stream).daemon().start(this::follow);
        }
        return tail;
    }

    private void beginAtEnd() {
        positions = new TailPositions(hotTier.end(stream)
                .map(end -> new LogOffsets(end.topicId(), end.ends()))
                .orElseGet(() -> new LogOffsets("", Map.of())));
        roundOffsets = MAX_OFFSETS;
    }

    void remove(Tail tail) {
        tails.remove(tail);
    }

    Optional<Trouble> trouble() {
        return trouble;
    }

    private void follow() {
        if (!isWarm) {
            warmUp();
        }
        try {
            while (!isOver()) {
                long pause = roundOrTrouble();
                if (pause > 0) {
                    Thread.sleep(pause);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** No failure of a round may end the thread: all tails of the stream would stop in silence. */
    @SuppressWarnings("CatchingUnchecked")
    private long roundOrTrouble() {
        try {
            return round();
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            LOG.warn("Cannot follow stream '{}'; trying again", stream, e);
            trouble = Optional.of(Trouble.UNREADABLE);
            return TROUBLE_MILLIS;
        }
    }

    private synchronized boolean isOver() {
        running = !tails.isEmpty();
        return !running;
    }

    /** Reads what is new, and returns how long to wait before the next round, in milliseconds. */
    private long round() throws IOException {
        try {
            Optional<LogEnds> end = hotTier.end(stream);
            if (end.isEmpty()) {
                trouble = Optional.of(Trouble.NO_TOPIC);
                return TROUBLE_MILLIS;
            }
            boolean isRead = read(end.get());
            trouble = Optional.empty();
            return isRead ? 0 : IDLE_MILLIS;
        } catch (QueryException e) {
            return failed(e);
        }
    }

    private long failed(QueryException failure) {
        switch (failure.error()) {
            case HOT_TIER_TOO_LARGE -> {
                roundOffsets = Math.max(1, roundOffsets / 4);
                return 0;
            }
            case KAFKA_ERROR -> skipWhatIsGone();
            default -> {}
        }
        LOG.debug("Cannot follow stream '{}'; trying again", stream, failure);
        trouble = Optional.of(Trouble.UNAVAILABLE);
        return TROUBLE_MILLIS;
    }

    private void skipWhatIsGone() {
        try {
            long skipped = hotTier.begin(stream)
                    .filter(begin -> positions.isOf(begin.topicId()))
                    .map(begin -> positions.skipTo(begin.offsets()))
                    .orElse(0L);
            if (skipped > 0) {
                tails.forEach(tail -> tail.skip(skipped));
            }
        } catch (QueryException e) {
            LOG.debug("The beginning of stream '{}' is not known; the next round asks again", stream, e);
        }
    }

    private boolean read(LogEnds end) throws IOException {
        List<Tail> current = List.copyOf(tails);
        Set<String> tenants = current.stream().map(Tail::tenantId).collect(Collectors.toSet());
        // The same for the whole round: the rows are read with the columns that they were decoded for
        Map<String, Followed> followed = tables.current(tenants);
        if (!positions.isOf(end.topicId())) {
            positions = new TailPositions(new LogOffsets(end.topicId(), Map.of()));
        }
        List<OffsetSpan> spans = positions.next(end.ends(), roundOffsets);
        if (spans.isEmpty()) {
            return false;
        }
        Map<String, List<HotLogBlock>> read =
                read(end, spans, TIMEOUT, tenantId -> Optional.ofNullable(followed.get(tenantId)));
        positions.advance(spans);
        roundOffsets = Math.min(MAX_OFFSETS, 2 * roundOffsets);
        give(read, followed, current);
        return true;
    }

    /** The records of these spans, by tenant. */
    private Map<String, List<HotLogBlock>> read(
            LogEnds end, List<OffsetSpan> spans, Duration timeout, Function<String, Optional<Followed>> followed)
            throws IOException {
        Map<String, List<HotLogBlock>> read = new HashMap<>();
        try (HotScan scan = hotTier.scan(
                stream,
                end.log(),
                spans.stream().map(HotSpan::unknown).toList(),
                HotTables.many(tenantId -> followed.apply(tenantId).map(Followed::table)),
                new ReadLimits(roundOffsets == 1 ? Long.MAX_VALUE : MAX_BYTES, timeout),
                false,
                new HotReadMetrics())) {
            while (!scan.isDone()) {
                HotFailures.translated(scan::next)
                        .forEach(logBlock -> read.computeIfAbsent(logBlock.tenantId(), any -> new ArrayList<>())
                                .add(logBlock));
            }
        }
        return read;
    }

    /**
     * Reads the last record of before, and drops it: the first one loads a thousand classes in a young process, and the
     * first row of a tail should not wait for that.
     */
    @SuppressWarnings("CatchingUnchecked") // as in a round
    private void warmUp() {
        try {
            Optional<LogEnds> end = hotTier.end(stream);
            Optional<OffsetSpan> last = end.stream()
                    .flatMap(of -> of.ends().entrySet().stream())
                    .filter(partition -> partition.getValue() > 0)
                    .map(partition ->
                            new OffsetSpan(partition.getKey(), partition.getValue() - 1, partition.getValue()))
                    .findAny();
            if (last.isEmpty()) {
                return;
            }
            Map<String, List<HotLogBlock>> read = read(
                    end.get(),
                    List.of(last.get()),
                    WARM_UP_TIMEOUT,
                    tenantId -> Optional.of(tables.withoutTable(tenantId)));
            for (Map.Entry<String, List<HotLogBlock>> tenant : read.entrySet()) {
                Followed table = tables.withoutTable(tenant.getKey());
                RowValues.read(rows(tenant.getValue(), table, ScanFilter.ANY), table.columns());
                isWarm = true;
            }
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            LOG.debug("The last record of stream '{}' cannot be read; rounds tell why", stream, e);
        }
    }

    private record Question(String tenantId, ScanFilter filter) {}

    /** Gives rows to the tails; those that ask the same share one search. */
    private void give(Map<String, List<HotLogBlock>> read, Map<String, Followed> followed, List<Tail> current) {
        Map<Question, List<Tail>> questions = new LinkedHashMap<>();
        for (Tail tail : current) {
            if (read.containsKey(tail.tenantId())) {
                questions
                        .computeIfAbsent(new Question(tail.tenantId(), tail.filter()), any -> new ArrayList<>())
                        .add(tail);
            }
        }
        questions.forEach((question, asking) ->
                give(question, read.get(question.tenantId()), followed.get(question.tenantId()), asking));
    }

    /** The rows of this round are not read again: those that cannot be read are counted as dropped. */
    private void give(Question question, List<HotLogBlock> logBlocks, Followed table, List<Tail> asking) {
        try {
            List<FoundRow> rows = rows(logBlocks, table, question.filter());
            for (int from = 0; from < rows.size(); from += CHUNK_ROWS) {
                RowChunk chunk =
                        RowValues.read(rows.subList(from, Math.min(rows.size(), from + CHUNK_ROWS)), table.columns());
                asking.forEach(tail -> tail.add(table.columns(), chunk));
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("Rows of stream '{}' of tenant '{}' cannot be given to tails", stream, question.tenantId(), e);
            long rows = logBlocks.stream().mapToLong(HotLogBlock::rowCount).sum();
            asking.forEach(tail -> tail.drop(rows));
        }
    }

    private static List<FoundRow> rows(List<HotLogBlock> logBlocks, Followed table, ScanFilter filter)
            throws IOException {
        List<FoundRow> rows = new ArrayList<>();
        for (HotLogBlock logBlock : logBlocks) {
            LogBlockReader reader =
                    HotScans.reader(logBlock, table.binding(), ROWS, filter, TableReads.ALL_OPTIMISATIONS);
            reader.open(ScanFilter.ANY);
            Optional<RowSource> source = RowSource.of(reader, () -> {});
            if (source.isPresent()) {
                rows.addAll(source.get().positions());
            }
        }
        rows.sort(Comparator.comparing(FoundRow::position));
        return rows;
    }
}
