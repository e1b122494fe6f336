package io.cordwood.gateway.syslog;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.cordwood.gateway.ShippedRows;
import io.cordwood.gateway.send.LineBatches;
import io.cordwood.gateway.send.Memory;
import io.cordwood.gateway.send.Payload;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever comes as syslog: each message is one row that can be read, and those around it stay as they are. */
class SyslogFuzzTest {
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-01-05T12:00:00Z"), ZoneOffset.UTC);
    private static final String GOOD = "<13>1 - h a - - - good";
    /** A parameter of four octets becomes a column with the 32 of its element's name. */
    private static final int MAX_GROWTH = 12;

    private static final int ROW_BYTES = 256;

    static Stream<byte[]> streams() {
        return Stream.of(
                        "<1>a\n<2>b\r\n\n<3>c",
                        "6 <1>a\nb4 <2>c<3>d\n",
                        "2026-01-01 started\n12",
                        "99999999999 x\n",
                        "10 abc")
                .map(text -> text.getBytes(UTF_8));
    }

    private static List<String> cut(byte[] bytes) throws IOException {
        SyslogFrames frames = new SyslogFrames(new ByteArrayInputStream(bytes));
        List<String> messages = new ArrayList<>();
        Optional<byte[]> next = frames.next();
        while (next.isPresent()) {
            messages.add(new String(next.get(), UTF_8));
            frames.hasNextAtHand();
            next = frames.next();
        }
        return messages;
    }

    @MethodSource("streams")
    @FuzzTest
    void frames(byte[] bytes) {
        try {
            List<String> messages = cut(bytes);
            assertThat(messages).allMatch(message -> !message.isEmpty());
            assertThat(messages.size()).isLessThanOrEqualTo(bytes.length);
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("ends inside");
        }
    }

    /** A message of any bytes with its length before it, or of any line, does not touch those around it. */
    @MethodSource("streams")
    @FuzzTest
    void aMessageBetweenGoodOnes(byte[] bytes) throws Exception {
        byte[] good = (GOOD + "\n").getBytes(UTF_8);
        byte[] counted = ShippedRows.join((bytes.length + 1 + " <").getBytes(UTF_8), bytes);
        byte[] line = ShippedRows.join("<".getBytes(UTF_8), ShippedRows.withoutLineFeeds(bytes), "\n".getBytes(UTF_8));
        for (byte[] message : List.of(counted, line)) {
            List<String> messages = cut(ShippedRows.join(good, message, good));
            assertThat(messages).hasSize(3).startsWith(GOOD).endsWith(GOOD);
        }
    }

    static Stream<byte[]> messages() {
        return Stream.of(
                        "<34>1 2003-10-11T22:14:15.003Z mymachine.example.com su - ID47 - \uFEFF'su root' failed",
                        "<165>1 2003-10-11T22:14:15.003Z h app - ID47 [exampleSDID@32473 iut=\"3\" eventSource="
                                + "\"App \\\"x\\] \\\\ \\n\"][examplePriority@32473 class=\"high\"] An event",
                        "<34>Oct 11 22:14:15 mymachine su: 'su root' failed",
                        "<13>Jan  5 11:00:00 box sshd[42]: session opened\n",
                        "<13>2026-01-05T11:00:00.123456+01:00 box sshd[42]: session opened",
                        "<13>Feb 30 11:00:00 box x: y",
                        "<13>1 - h a - - [cordwood@32473 key=\"abc.def\" tenant=\"acme\"] hello",
                        "<192>1 - - - - - - x")
                .map(text -> text.getBytes(UTF_8));
    }

    @MethodSource("messages")
    @FuzzTest
    void messages(byte[] bytes) throws Exception {
        SyslogMessage parser = new SyslogMessage(CLOCK);
        LineBatches rows = new LineBatches(Memory.countedElsewhere());
        for (byte[] message : List.of(bytes, GOOD.getBytes(UTF_8))) {
            parser.read(message, 0, message.length);
            rows.add(parser.row(), 0, parser.rowLength());
        }
        List<Payload> payloads = rows.finish();
        assertThat(ShippedRows.requireReadable(payloads)).isEqualTo(2);
        assertThat(ShippedRows.lines(payloads).getFirst()).contains("\"message\":\"");
        String replacement = new String("\uFFFD".getBytes(UTF_8), ISO_8859_1);
        assertThat(ShippedRows.lines(payloads).getFirst().contains(replacement)
                        && !new String(bytes, ISO_8859_1).contains(replacement))
                .as("bytes are lost")
                .isFalse();
        assertThat(ShippedRows.lines(payloads).getLast())
                .isEqualTo(
                        "{\"facility\":\"user\",\"level\":\"notice\",\"host\":\"h\",\"app\":\"a\",\"message\":\"good\"}");
        assertThat(ShippedRows.bytes(payloads)).isLessThanOrEqualTo((long) MAX_GROWTH * bytes.length + ROW_BYTES);
    }
}
