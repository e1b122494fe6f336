package io.cordwood.gateway.syslog;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.record.decode.Decoding;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class SyslogMessageTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final SyslogMessage parser =
            new SyslogMessage(Clock.fixed(Instant.parse("2026-01-05T12:00:00Z"), ZoneOffset.UTC));

    private Map<String, Object> row(String text) throws IOException {
        byte[] message = text.getBytes(UTF_8);
        parser.read(message, 0, message.length);
        return JSON.readValue(parser.row(), 0, parser.rowLength(), new TypeReference<>() {});
    }

    /** The first examples of RFC 5424, section 6.5. */
    @Test
    void messagesOfRfc5424() throws Exception {
        assertThat(row("<34>1 2003-10-11T22:14:15.003Z mymachine.example.com su - ID47 - "
                        + "\uFEFF'su root' failed for lonvick on /dev/pts/8"))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "facility", "auth",
                        "level", "crit",
                        "ts", "2003-10-11T22:14:15.003Z",
                        "host", "mymachine.example.com",
                        "app", "su",
                        "msgid", "ID47",
                        "message", "'su root' failed for lonvick on /dev/pts/8"));
        assertThat(row("<165>1 2003-08-24T05:14:15.000003-07:00 192.0.2.1 myproc 8710 - - %% It's time"))
                .containsEntry("procid", "8710")
                .containsEntry("facility", "local4")
                .containsEntry("level", "notice")
                .containsEntry("ts", "2003-08-24T05:14:15.000003-07:00")
                .containsEntry("message", "%% It's time");
        assertThat(row("<165>1 2003-10-11T22:14:15.003Z h app - ID47 [exampleSDID@32473 iut=\"3\" eventSource="
                        + "\"App \\\"x\\] \\\\ \\n\"][examplePriority@32473 class=\"high\"] An event"))
                .containsEntry("exampleSDID@32473.iut", "3")
                .containsEntry("exampleSDID@32473.eventSource", "App \"x] \\ \\n")
                .containsEntry("examplePriority@32473.class", "high")
                .containsEntry("message", "An event");
        assertThat(row("<0>1 - - - - - -"))
                .containsExactlyInAnyOrderEntriesOf(Map.of("facility", "kern", "level", "emerg", "message", ""));
    }

    @Test
    void messagesOfRfc3164() throws Exception {
        assertThat(row("<34>Oct 11 22:14:15 mymachine su: 'su root' failed"))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "facility", "auth",
                        "level", "crit",
                        "ts", "2025-10-11T22:14:15Z",
                        "host", "mymachine",
                        "app", "su",
                        "message", "'su root' failed"));
        assertThat(row("<13>Jan  5 11:00:00 box sshd[42]: session opened\n"))
                .containsEntry("ts", "2026-01-05T11:00:00Z")
                .containsEntry("app", "sshd")
                .containsEntry("procid", "42")
                .containsEntry("message", "session opened");
        assertThat(row("<13>2026-01-05T11:00:00.123456+01:00 box sshd[42]: session opened"))
                .containsEntry("ts", "2026-01-05T11:00:00.123456+01:00")
                .containsEntry("host", "box")
                .containsEntry("procid", "42");
        assertThat(row("<13>2026-01-05T11:00:00Z box sshd[42] as rsyslog writes what came as RFC 5424"))
                .containsEntry("app", "sshd")
                .containsEntry("procid", "42")
                .containsEntry("message", "as rsyslog writes what came as RFC 5424");
        assertThat(row("<13>2026-01-05T11:00:00Z box list[a] is empty")).containsEntry("message", "list[a] is empty");
        assertThat(row("<13>no header at all"))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("facility", "user", "level", "notice", "message", "no header at all"));
        assertThat(row("<13>Feb 30 11:00:00 box x: y")).containsEntry("message", "Feb 30 11:00:00 box x: y");
    }

    /** Else a message could become many thousand times its size. */
    @Test
    void namesThatAreTooLongAreNoElement() throws Exception {
        String id = "i".repeat(32);
        assertThat(row("<13>1 - h a - - [%s b=\"c\"] x".formatted(id))).containsEntry(id + ".b", "c");
        String text = "[%si%s] x".formatted(id, " b=\"\"".repeat(100));
        assertThat(row("<13>1 - h a - - " + text)).containsEntry("message", text);
    }

    @Test
    void bytesThatAreNotUtf8StayVisible() throws Exception {
        byte[] message = "<13>1 - h\u00FF app - - [a@1 b=\"x\u00C3\\\"\"] \u00E9".getBytes(ISO_8859_1);
        parser.read(message, 0, message.length);
        assertThat(new Decoding()
                        .add(Arrays.copyOf(parser.row(), parser.rowLength()), "application/x-ndjson")
                        .members())
                .containsEntry("host", "h\\xff")
                .containsEntry("a@1.b", "x\\xc3\"")
                .containsEntry("message", "\\xe9");
    }

    @Test
    void whatIsNoSyslogIsAMessage() throws Exception {
        for (String text : new String[] {"", "plain", "<", "<>x", "<999>1 a", "<192>1 - - - - - - x", "<1"}) {
            assertThat(row(text)).containsExactlyInAnyOrderEntriesOf(Map.of("message", text));
        }
        assertThat(row("<13>1 - h a - - [broken x] rest")).containsEntry("message", "[broken x] rest");
    }

    @Test
    void theElementOfTheGatewayIsNoColumn() throws Exception {
        assertThat(row("<13>1 - h a - - [cordwood@32473 key=\"abc.def\" tenant=\"acme\"] hello"))
                .doesNotContainKey("cordwood@32473.key")
                .doesNotContainValue("abc.def")
                .containsEntry("message", "hello");
        assertThat(parser.key()).contains("abc.def");
        assertThat(parser.tenant()).contains("acme");
        row("<13>1 - h a - - - hello");
        assertThat(parser.key()).isEmpty();
    }

    /** Whatever comes is one row, for the decoder of the ingest job. */
    @Property
    void anyBytesAreARow(@ForAll byte[] bytes) throws Exception {
        parser.read(bytes, 0, bytes.length);
        byte[] row = Arrays.copyOf(parser.row(), parser.rowLength());
        assertThat(new Decoding().add(row, "application/x-ndjson").rows())
                .singleElement()
                .satisfies(read -> assertThat(read).containsKey("message"));
    }

    @Property
    void anyTextAfterAPriorityIsARow(@ForAll String text) throws Exception {
        assertThat(row("<13>1 " + text)).containsKey("message");
        assertThat(row("<13>" + text)).containsKey("message");
        assertThat(row("<13>1 - h a - - [" + text)).containsKey("message");
    }
}
