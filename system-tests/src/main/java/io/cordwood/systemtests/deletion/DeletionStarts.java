package io.cordwood.systemtests.deletion;

import io.cordwood.systemtests.lab.Lab;
import io.cordwood.systemtests.ledger.Ledger;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.io.input.Tailer;
import org.apache.commons.io.input.TailerListenerAdapter;

/**
 * Records how many rows each producer had sent when each {@code DELETE} began. Trino's log shows that time; a thread
 * follows the log until this is closed. Thread-safe.
 */
public final class DeletionStarts implements AutoCloseable {
    private static final Pattern BEGAN =
            Pattern.compile("DELETE of query (\\w+) leaves rows that Kafka acknowledges later");
    private static final Duration POLL = Duration.ofMillis(100);
    /** Time from the statement's end until its log line has been read, on a busy machine. */
    private static final Duration READ_WITHIN = Duration.ofSeconds(10);

    private final Ledger ledger;
    private final Map<String, int[]> sentBelow = new ConcurrentHashMap<>();
    private final Tailer log;

    public DeletionStarts(Lab lab, Ledger ledger) {
        this.ledger = ledger;
        log = Tailer.builder()
                .setPath(lab.home().resolve("log/trino.log"))
                .setTailFromEnd(false)
                .setDelayDuration(POLL)
                .setTailerListener(new Lines())
                .get();
    }

    /**
     * A row number below which a producer had sent all rows when the statement began; waits for the log.
     *
     * @return empty if the statement did not begin
     */
    Optional<Integer> sentBelow(String queryId, int producer) throws InterruptedException {
        long deadline = System.nanoTime() + READ_WITHIN.toNanos();
        while (!sentBelow.containsKey(queryId) && System.nanoTime() < deadline) {
            Thread.sleep(POLL);
        }
        return Optional.ofNullable(sentBelow.get(queryId)).map(numbers -> numbers[producer]);
    }

    @Override
    public void close() {
        log.close();
    }

    private final class Lines extends TailerListenerAdapter {
        @Override
        public void handle(String line) {
            Matcher matcher = BEGAN.matcher(line);
            if (matcher.find()) {
                sentBelow.putIfAbsent(matcher.group(1), ledger.sentBelow());
            }
        }

        @Override
        public void handle(Exception failure) {
            throw new UncheckedIOException("Trino's log cannot be followed", new IOException(failure));
        }
    }
}
