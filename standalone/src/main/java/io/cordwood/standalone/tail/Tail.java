package io.cordwood.standalone.tail;

import io.cordwood.hot.HotTierException;
import io.cordwood.hot.LogEnds;
import io.cordwood.hot.LogOffsets;
import io.cordwood.hot.TailPositions;
import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.standalone.error.CordwoodException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Follows the rows of a tenant. Each round reads the log ends, reads the rows between the printed offsets and these
 * ends, and prints them when the round is complete. Each offset is in one round, so each row is printed once. For one
 * thread; another may call {@link #stop}.
 */
public final class Tail {
    private static final long IDLE_MILLIS = 100;
    /** Offsets per round over all partitions. Bounds the memory for a backlog. */
    private static final int MAX_OFFSETS = 1 << 15;

    private static final long MAX_BYTES = 32 << 20;

    private final TailReader reader;
    private final TailOutput out;
    private final Notes notes;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private TailPositions positions = new TailPositions(new LogOffsets("", Map.of()));
    private int roundOffsets = MAX_OFFSETS;
    private boolean gone;

    /** The result of a round. */
    private enum Round {
        PRINTED,
        IDLE,
        UNREAD
    }

    public Tail(TailReader reader, TailOutput out, Notes notes) {
        this.reader = reader;
        this.out = out;
        this.notes = notes;
    }

    /**
     * Finds the start position, and prints earlier rows if requested.
     *
     * @throws CordwoodException if there is no such stream
     * @throws HotTierException if Kafka does not answer
     */
    public void begin(TailStart start) {
        LogEnds end = there(reader.end());
        switch (start) {
            case TailStart.End() -> positions = at(end);
            case TailStart.Lines(int count) -> {
                LogOffsets begin = there(reader.begin());
                positions = at(end);
                if (!out.print(new LastRows(reader, notes, end, begin, count).find())) {
                    stop();
                }
            }
            case TailStart.Since(var age) ->
                positions = new TailPositions(there(reader.since(Instant.now().minus(age))));
        }
    }

    private static TailPositions at(LogEnds end) {
        return new TailPositions(new LogOffsets(end.topicId(), end.ends()));
    }

    private <T> T there(Optional<T> found) {
        return found.orElseThrow(
                () -> new CordwoodException("there is no stream '%s' in Kafka".formatted(reader.stream())));
    }

    /** Prints new rows until it is stopped or its output is closed. */
    public void follow() throws InterruptedException {
        while (stopped.getCount() > 0) {
            if (round() == Round.IDLE) {
                stopped.await(IDLE_MILLIS, TimeUnit.MILLISECONDS);
            }
        }
    }

    /** Ends {@link #follow} after the current round. */
    public void stop() {
        stopped.countDown();
    }

    private Round round() {
        try {
            if (gone) {
                skipWhatIsGone();
            }
            Optional<LogEnds> end = reader.end();
            notes.over(Notes.Trouble.KAFKA);
            if (end.isEmpty()) {
                notes.trouble(
                        Notes.Trouble.STREAM,
                        "stream '%s' was deleted; waiting until it is created again".formatted(reader.stream()));
                return Round.IDLE;
            }
            notes.over(Notes.Trouble.STREAM);
            return round(end.get());
        } catch (HotTierException e) {
            return failed(e);
        }
    }

    private Round round(LogEnds end) {
        if (!positions.isOf(end.topicId())) {
            notes.say("stream '%s' was created again; continuing from its beginning".formatted(reader.stream()));
            positions = new TailPositions(new LogOffsets(end.topicId(), Map.of()));
        }
        List<OffsetSpan> spans = positions.next(end.ends(), roundOffsets);
        if (spans.isEmpty()) {
            return Round.IDLE;
        }
        TailReader.Part part = reader.read(end.topicId(), spans, roundOffsets == 1 ? Long.MAX_VALUE : MAX_BYTES);
        positions.advance(spans);
        roundOffsets = Math.min(MAX_OFFSETS, 2 * roundOffsets);
        if (!out.print(part.rows())) {
            stop();
        }
        return Round.PRINTED;
    }

    /** The round printed nothing, so the next one reads the same offsets again. */
    private Round failed(HotTierException failure) {
        switch (failure.kind()) {
            case UNAVAILABLE -> notes.trouble(Notes.Trouble.KAFKA, failure.getMessage() + "; trying on");
            case GONE -> gone = true;
            case TOO_LARGE -> {
                roundOffsets = Math.max(1, roundOffsets / 4);
                return Round.UNREAD;
            }
        }
        return Round.IDLE;
    }

    private void skipWhatIsGone() {
        Optional<LogOffsets> begin = reader.begin().filter(found -> positions.isOf(found.topicId()));
        if (begin.isPresent()) {
            long skipped = positions.skipTo(begin.get().offsets());
            if (skipped > 0) {
                notes.say("Kafka's retention removed %,d records of stream '%s' before they were read"
                        .formatted(skipped, reader.stream()));
            }
        }
        gone = false;
    }
}
