package io.cordwood.standalone.search;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.standalone.search.EventStream.Event;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class EventStreamTest {
    private static final Duration LONG = Duration.ofHours(1);

    private static List<Event> events(String text) throws IOException {
        List<Event> events = new ArrayList<>();
        try (EventStream stream = new EventStream(new ByteArrayInputStream(text.getBytes(UTF_8)), LONG)) {
            for (Optional<Event> event = stream.next(); event.isPresent(); event = stream.next()) {
                events.add(event.get());
            }
        }
        return events;
    }

    @Test
    void anEventHasItsNameAndItsLinesOfData() throws IOException {
        assertThat(events(": hello\n\nevent: rows\ndata: {\"a\":1}\ndata: \u00e4\n\ndata:x\r\n\r\n"))
                .containsExactly(
                        new Event("", List.of("hello")),
                        new Event("rows", List.of("{\"a\":1}", "\u00e4")),
                        new Event("message", List.of("x")));
    }

    @Test
    void anEventThatIsNotCompleteIsNone() throws IOException {
        assertThat(events("event: rows\ndata: 1\n")).isEmpty();
    }

    @Test
    void aCommentWithinAnEventIsNoEvent() throws IOException {
        assertThat(events("event: rows\ndata: 1\n: none\ndata: 2\n\n"))
                .containsExactly(new Event("rows", List.of("1", "2")));
    }

    /** A stream of which nobody knows that its other end is gone. */
    private static final class Silent extends InputStream {
        private final CountDownLatch closed = new CountDownLatch(1);

        @Override
        public int read() throws IOException {
            try {
                closed.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new IOException("closed");
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            return read();
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }

    @Test
    void aConnectionOnWhichNothingComesEnds() throws IOException {
        try (EventStream stream = new EventStream(new Silent(), Duration.ofMillis(20))) {
            assertThatThrownBy(stream::next).isInstanceOf(IOException.class).hasMessage("nothing came for 0 s");
        }
    }
}
