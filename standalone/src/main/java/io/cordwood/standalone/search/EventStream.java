package io.cordwood.standalone.search;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Server-sent events as they arrive. The server sends at least a comment each second; if nothing comes for long, the
 * connection is dead, and the stream ends. For one thread.
 */
public final class EventStream implements AutoCloseable {
    private final InputStream body;
    private final BufferedReader lines;
    private final Duration silence;
    private final Thread watch;
    private volatile long lastLine = System.nanoTime();
    private volatile boolean isSilent;

    /**
     * An event, or a comment.
     *
     * @param name its name; empty for a comment
     * @param data its lines of data; the text of a comment
     */
    public record Event(String name, List<String> data) {
        boolean isComment() {
            return name.isEmpty();
        }
    }

    /** @param silence time without a line after which it ends */
    public EventStream(InputStream body, Duration silence) {
        this.body = body;
        this.silence = silence;
        lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
        watch = Thread.ofVirtual().name("watch-events").start(this::watch);
    }

    private void watch() {
        try {
            long left = silence.toNanos();
            while (left > 0) {
                Thread.sleep(Duration.ofNanos(left));
                left = silence.toNanos() - (System.nanoTime() - lastLine);
            }
            isSilent = true;
            body.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            // The reader fails, too
        }
    }

    /**
     * The next event or comment; empty at the end.
     *
     * @throws IOException if the stream breaks off, or nothing came for long
     */
    public Optional<Event> next() throws IOException {
        String name = "message";
        List<String> data = new ArrayList<>();
        for (Optional<String> line = line(); line.isPresent(); line = line()) {
            String text = line.get();
            if (text.startsWith(":") && data.isEmpty()) {
                return Optional.of(new Event("", List.of(text.substring(1).strip())));
            }
            if (text.isEmpty()) {
                if (!data.isEmpty()) {
                    return Optional.of(new Event(name, List.copyOf(data)));
                }
            } else if (text.startsWith("event:")) {
                name = text.substring("event:".length()).strip();
            } else if (text.startsWith("data:")) {
                data.add(text.substring("data:".length()).strip());
            }
        }
        return Optional.empty();
    }

    private Optional<String> line() throws IOException {
        try {
            Optional<String> line = Optional.ofNullable(lines.readLine());
            lastLine = System.nanoTime();
            if (line.isPresent() || !isSilent) {
                return line;
            }
        } catch (IOException e) {
            if (!isSilent) {
                throw e;
            }
        }
        throw new IOException("nothing came for %d s".formatted(silence.toSeconds()));
    }

    @Override
    public void close() throws IOException {
        watch.interrupt();
        body.close();
    }
}
