package io.cordwood.gateway.syslog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class SyslogFramesTest {
    private static List<String> frames(byte[] bytes) throws IOException {
        SyslogFrames frames = new SyslogFrames(new ByteArrayInputStream(bytes));
        frames.trust();
        List<String> messages = new ArrayList<>();
        Optional<byte[]> next = frames.next();
        while (next.isPresent()) {
            messages.add(new String(next.get(), UTF_8));
            next = frames.next();
        }
        return messages;
    }

    private static List<String> frames(String text) throws IOException {
        return frames(text.getBytes(UTF_8));
    }

    @Test
    void linesAndCountedMessages() throws Exception {
        assertThat(frames("<1>a\n<2>b\r\n\n<3>c")).containsExactly("<1>a", "<2>b", "<3>c");
        assertThat(frames("6 <1>a\nb4 <2>c<3>d\n")).containsExactly("<1>a\nb", "<2>c", "<3>d");
    }

    @Test
    void aLineMayBeginWithANumber() throws Exception {
        assertThat(frames("2026-01-01 started\n12")).containsExactly("2026-01-01 started", "12");
        assertThat(frames("99999999999 x\n")).containsExactly("99999999999 x");
    }

    @Test
    void aMessageThatEndsTooEarlyIsNoMessage() {
        assertThatThrownBy(() -> frames("10 abc")).isInstanceOf(IOException.class);
    }

    @Test
    void aMessageThatIsTooLongIsCut() throws Exception {
        String large = "x".repeat(SyslogFrames.MAX_MESSAGE_BYTES);
        assertThat(frames("<" + large + large + "\nnext\n"))
                .containsExactly(("<" + large).substring(0, large.length()), "next");
        assertThat(frames((large.length() + 3) + " " + large + "abc4 next")).containsExactly(large, "next");
    }

    @Test
    void theFirstMessageIsShortUntilItsSenderIsKnown() throws Exception {
        String large = "x".repeat(SyslogFrames.MAX_MESSAGE_BYTES);
        for (String text : List.of("<" + large + "\n", large.length() + " " + large)) {
            SyslogFrames frames = new SyslogFrames(new ByteArrayInputStream(text.getBytes(UTF_8)));
            assertThat(frames.next())
                    .hasValueSatisfying(message -> assertThat(message).hasSize(SyslogFrames.MAX_FIRST_BYTES));
        }
    }

    @Test
    void saysWhetherTheNextMessageIsAtHand() throws Exception {
        for (String text : List.of("a\nb", "a\n3 b", "a\n300 bcd\n")) {
            SyslogFrames frames = new SyslogFrames(new ByteArrayInputStream(text.getBytes(UTF_8)));
            assertThat(frames.next()).isPresent();
            assertThat(frames.hasNextAtHand()).as(text).isFalse();
        }
        for (String text : List.of("a\nb\n", "a\n1 b", "a\n\n")) {
            SyslogFrames frames = new SyslogFrames(new ByteArrayInputStream(text.getBytes(UTF_8)));
            assertThat(frames.next()).isPresent();
            assertThat(frames.hasNextAtHand()).as(text).isTrue();
        }
    }

    @Property
    void anyBytesEnd(@ForAll byte[] bytes) {
        try {
            frames(bytes);
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("ends inside");
        }
    }
}
