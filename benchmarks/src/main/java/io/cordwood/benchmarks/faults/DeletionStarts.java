package io.cordwood.benchmarks.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many rows each producer had sent when each {@code DELETE} began: when Trino's log says that rows acknowledged later
 * stay. Follows the log in a thread of its own until closed. Thread-safe.
 */
final class DeletionStarts implements AutoCloseable {
    private static final Pattern BEGAN =
            Pattern.compile("DELETE of query (\\w+) leaves rows that Kafka acknowledges later");
    private static final Duration POLL = Duration.ofMillis(100);
    /** From the statement's end until its line has been read, on a busy machine. */
    private static final Duration READ_WITHIN = Duration.ofSeconds(10);

    private final Path log;
    private final Ledger ledger;
    private final Map<String, int[]> sentBelow = new ConcurrentHashMap<>();
    private final Thread thread =
            Thread.ofPlatform().name("deletion-starts").daemon().unstarted(this::follow);
    private long position;
    private String unfinishedLine = "";
    private volatile boolean closed;

    private DeletionStarts(Lab lab, Ledger ledger) {
        this.log = lab.home().resolve("log/trino.log");
        this.ledger = ledger;
    }

    static DeletionStarts follow(Lab lab, Ledger ledger) {
        DeletionStarts starts = new DeletionStarts(lab, ledger);
        starts.thread.start();
        return starts;
    }

    /**
     * A number below which a producer had sent all rows when the statement began; waits for the log.
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

    private void follow() {
        try {
            while (!closed) {
                readOn();
                Thread.sleep(POLL);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void readOn() throws IOException {
        if (!Files.exists(log)) {
            return;
        }
        try (FileChannel channel = FileChannel.open(log)) {
            long size = channel.size();
            if (size < position) {
                position = 0; // Another start of the stack has begun it anew.
                unfinishedLine = "";
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) (size - position));
            while (bytes.hasRemaining() && channel.read(bytes, position + bytes.position()) >= 0) {
                // All that there is.
            }
            position += bytes.position();
            String text = unfinishedLine + new String(bytes.array(), 0, bytes.position(), UTF_8);
            int end = text.lastIndexOf('\n') + 1;
            unfinishedLine = text.substring(end);
            int[] sent = ledger.sentBelow();
            Matcher matcher = BEGAN.matcher(text.substring(0, end));
            while (matcher.find()) {
                sentBelow.putIfAbsent(matcher.group(1), sent);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
