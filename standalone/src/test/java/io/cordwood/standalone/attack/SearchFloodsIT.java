package io.cordwood.standalone.attack;

import static io.cordwood.standalone.attack.SearchDoor.lines;
import static io.cordwood.standalone.attack.SearchDoor.path;
import static io.cordwood.standalone.attack.SearchDoor.statusLine;
import static io.cordwood.standalone.attack.SecuredStack.ACME_DELETER;
import static io.cordwood.standalone.attack.SecuredStack.ACME_READER;
import static io.cordwood.standalone.attack.SecuredStack.GLOBEX_READER;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.services.Waiting;
import io.cordwood.standalone.attack.SecuredStack.Running;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Attacks on the search service's memory and time: the attacker is refused, and the victim is answered meanwhile. */
@ExtendWith(SecuredStack.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.MethodName.class)
final class SearchFloodsIT {
    private static final String SEARCH = path("acme", "search");
    /** A tenant of the attacker's for rows that other tests must not find. */
    private static final String LARGE = "tyrell";

    private static final String LARGE_READER = "tyrell-reader";
    private static final int LARGEST_BODY = 64 << 10;
    private static final Duration SOON = Duration.ofSeconds(5);

    private final Running stack;
    private final SearchDoor door;

    SearchFloodsIT(Running stack) {
        this.stack = stack;
        this.door = new SearchDoor(stack);
    }

    @BeforeAll
    void makeATenantWithALongLine(@TempDir Path directory) throws Exception {
        stack.user(LARGE_READER, LARGE, "reader");
        door.ship(LARGE_READER, LARGE, directory, "{\"message\":\"%s\"}%n".formatted("a".repeat(900_000)), 1);
    }

    /** The victim asks a question, and is answered. */
    private void assertVictimIsAnsweredSoon() throws Exception {
        long asked = System.nanoTime();
        HttpResponse<String> answer = door.post(GLOBEX_READER, path("globex", "search"), "{\"query\":\"row\"}");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).contains(" of globex");
        assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(SOON);
    }

    /** Connections of an attacker, which are closed together. */
    private final class Connections implements AutoCloseable {
        private final List<Socket> sockets = new ArrayList<>();

        Socket send(String head, byte[] body) throws IOException {
            Socket socket = door.connect();
            sockets.add(socket);
            OutputStream out = socket.getOutputStream();
            out.write(head.getBytes(UTF_8));
            out.write(body);
            out.flush();
            return socket;
        }

        @Override
        public void close() throws IOException {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void attack49ManyBodiesThatDoNotEnd() throws Exception {
        String head = door.head(ACME_READER, "POST", SEARCH) + "Content-Length: %d\r\n\r\n".formatted(LARGEST_BODY);
        String withoutToken =
                "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n".formatted(SEARCH);
        byte[] most =
                "{\"query\":\"%s".formatted("x".repeat(LARGEST_BODY - 1_000)).getBytes(UTF_8);
        try (Connections connections = new Connections()) {
            for (int i = 0; i < 150; i++) {
                connections.send(head, most);
                connections.send(withoutToken, new byte[1]);
                connections.send("POST / HTTP/1.1\r\nHost: local", new byte[0]);
            }
            assertVictimIsAnsweredSoon();
            assertThat(door.post(ACME_DELETER, SEARCH, "{}").statusCode()).isEqualTo(200);
        }
        Waiting.until(
                "the attacker may ask again",
                () -> door.post(ACME_READER, SEARCH, "{}").statusCode() == 200);
    }

    @Test
    void attack50ABodyWithoutEnd() throws Exception {
        byte[] chunk = "%x\r\n%s\r\n"
                .formatted(2 * LARGEST_BODY, " ".repeat(2 * LARGEST_BODY))
                .getBytes(UTF_8);
        String chunked = "Transfer-Encoding: chunked\r\n\r\n";
        String withoutToken = "POST %s HTTP/1.1\r\nHost: localhost\r\n".formatted(SEARCH);
        try (Connections connections = new Connections()) {
            Socket known = connections.send(door.head(ACME_READER, "POST", SEARCH) + chunked, chunk);
            assertThat(statusLine(known)).contains(" 413 ");
            Socket unknown = connections.send(withoutToken + chunked, chunk);
            assertThat(statusLine(unknown)).contains(" 401 ");
            assertVictimIsAnsweredSoon();
        }
        assertThat(door.post(ACME_READER, SEARCH, "{}" + " ".repeat(LARGEST_BODY - 2))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void attack51ABodyThatUnpacksToMuch() throws Exception {
        byte[] zipped = zipped("{\"query\":\"%s\"}".formatted(" ".repeat(50 << 20)));
        assertThat(zipped.length).isLessThan(LARGEST_BODY);
        String[] headers = {"Content-Encoding", "gzip", "Content-Type", "application/json"};
        for (String path : List.of(SEARCH, "/loki/api/v1/query_range", "/mcp")) {
            assertThat(door.post(ACME_READER, path, zipped, headers).statusCode())
                    .as(path)
                    .isIn(400, 415);
        }
        try (Connections connections = new Connections()) {
            Socket socket = connections.send(
                    door.webSocket(ACME_READER, "Sec-WebSocket-Extensions: permessage-deflate"), new byte[0]);
            assertThat(statusLine(socket)).contains(" 101 ");
            byte[] frame = frame(new byte[50 << 20]);
            for (int i = 0; i < 4; i++) {
                socket.getOutputStream().write(frame);
            }
            assertVictimIsAnsweredSoon();
        }
        assertThat(door.post(ACME_READER, SEARCH, "{}").statusCode()).isEqualTo(200);
    }

    private static byte[] zipped(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(text.getBytes(UTF_8));
        }
        return bytes.toByteArray();
    }

    /** A compressed message of a WebSocket, in one frame. */
    private static byte[] frame(byte[] content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DeflaterOutputStream deflated =
                new DeflaterOutputStream(bytes, new Deflater(Deflater.BEST_COMPRESSION, true))) {
            deflated.write(content);
        }
        byte[] payload = bytes.toByteArray();
        // Final, compressed, binary; masked by zeros
        return ByteBuffer.allocate(payload.length + 8)
                .put((byte) 0xC2)
                .put((byte) (0x80 | 126))
                .putShort((short) payload.length)
                .putInt(0)
                .put(payload)
                .array();
    }

    @Test
    void attack52TenThousandOpenTails() throws Exception {
        String tail = door.head(ACME_READER, "GET", path("acme", "tail")) + "\r\n";
        try (Connections connections = new Connections()) {
            int open = 0;
            String status = statusLine(connections.send(tail, new byte[0]));
            while (status.contains(" 200 ") && open < 10_000) {
                open++;
                status = statusLine(connections.send(tail, new byte[0]));
            }
            assertThat(status).contains(" 429 ");
            assertThat(open).isBetween(100, 1_000);
            // The rest of them on the connection that was refused
            Socket refused = connections.sockets.getLast();
            refused.setSoTimeout((int) SOON.toMillis());
            for (int i = open; i < 10_000; i++) {
                refused.getOutputStream().write(tail.getBytes(UTF_8));
                readUntil(refused, "HTTP/1.1 429 ");
            }
            assertThat(opensTail(ACME_READER, "acme")).contains(" 429 ");
            assertThat(opensTail(ACME_DELETER, "acme")).as("of a colleague").contains(" 200 ");
            assertThat(opensTail(GLOBEX_READER, "globex")).contains(" 200 ");
            assertVictimIsAnsweredSoon();
        }
        Waiting.until(
                "tails end with their connections",
                () -> opensTail(ACME_READER, "acme").contains(" 200 "));
    }

    private String opensTail(String user, String tenant) throws IOException {
        try (Socket socket = door.connect()) {
            socket.getOutputStream().write((door.head(user, "GET", path(tenant, "tail")) + "\r\n").getBytes(UTF_8));
            return statusLine(socket);
        }
    }

    private static void readUntil(Socket socket, String text) throws IOException {
        int matched = 0;
        while (matched < text.length()) {
            int c = socket.getInputStream().read();
            if (c < 0) {
                throw new IOException("The connection ends before " + text);
            }
            matched = c == text.charAt(matched) ? matched + 1 : c == text.charAt(0) ? 1 : 0;
        }
    }

    @Test
    void attack53AQuestionThatIsTooLarge() throws Exception {
        String large = "x".repeat(1 << 20);
        assertThat(door.post(ACME_READER, SEARCH, "{\"query\":\"%s\"}".formatted(large))
                        .statusCode())
                .isEqualTo(413);
        // Small enough for the answer to arrive before the connection is closed
        assertThat(door.get(ACME_READER, "/loki/api/v1/labels?query=" + "x".repeat(16 << 10))
                        .statusCode())
                .isIn(414, 431);
        int deep = 4_900;
        String open = "(".repeat(deep);
        String closed = ")".repeat(deep);
        for (String query : List.of(open + "row" + closed, "-".repeat(deep) + "row", "row ".repeat(2_400))) {
            assertThat(door.post(ACME_READER, SEARCH, "{\"query\":\"%s\"}".formatted(query))
                            .statusCode())
                    .as(query.substring(0, 10))
                    .isEqualTo(400);
        }
        String regex = open + "row" + closed;
        for (String query : List.of(
                open + "1" + closed,
                "{stream=\"logs\"} |~ \"%s\"".formatted(regex),
                "{stream=~\"%s\"}".formatted(regex),
                "{stream=\"logs\"} | regexp \"(?P<a>%s)\"".formatted(regex),
                "{stream=\"logs\"} | line_format `{{ regexReplaceAll \"%s\" .stream \"\" }}`".formatted(regex),
                "{stream=\"logs\"} |~ \"((((a{1,99}){1,99}){1,99}){1,99})\"",
                "{stream=\"logs\"}" + " !~ \"(.{0,99}x){99}\"".repeat(100),
                "{stream=\"logs\"}" + " | json".repeat(5_000))) {
            HttpResponse<String> answer = door.post(ACME_READER, "/loki/api/v1/query_range", form(query), FORM);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        }
        assertThat(door.post(ACME_READER, SEARCH, "[".repeat(60_000)).statusCode())
                .isEqualTo(400);
        assertThat(door.mcp(ACME_READER, "{\"a\":".repeat(12_000)).statusCode()).isEqualTo(400);
        String ever = "{\"from\":\"1970-01-01\",\"to\":\"now\",\"interval\":\"1ms\"}";
        assertThat(door.post(ACME_READER, path("acme", "histogram"), ever).statusCode())
                .isEqualTo(400);
        assertVictimIsAnsweredSoon();
        assertThat(door.post(ACME_READER, SEARCH, "{\"query\":\"((((row))))\"}").body())
                .contains(" of acme");
        assertThat(door.get(ACME_READER, lines("{stream=\"logs\"} |~ \"((((row))))\""))
                        .body())
                .contains(" of acme");
    }

    private static final String[] FORM = {"Content-Type", "application/x-www-form-urlencoded"};

    private static String form(String query) {
        return "query=" + URLEncoder.encode(query, UTF_8);
    }

    /** All turns of the tenant, each with an expression that takes very long for one line. */
    @Test
    void attack54AQuestionThatTakesVeryLong() throws Exception {
        String query = form("{stream=\"logs\"} !~ \"(.{0,99}x){99}\"");
        String head = door.head(LARGE_READER, "POST", "/loki/api/v1/query_range")
                + "%s: %s\r\nContent-Length: %d\r\n\r\n".formatted(FORM[0], FORM[1], query.length());
        try (Connections connections = new Connections()) {
            for (int i = 0; i < 8; i++) {
                connections.send(head, query.getBytes(UTF_8));
            }
            Socket last = connections.sockets.getLast();
            last.setSoTimeout(2_000);
            assertThat(isAnswered(last)).as("the question takes long").isFalse();
            for (int i = 0; i < 5; i++) {
                assertVictimIsAnsweredSoon();
            }
        }
        // Else the tenant has no turns
        HttpResponse<String> own = door.get(LARGE_READER, lines("{stream=\"logs\"} |~ \"a+x\""));
        assertThat(own.statusCode()).as(own.body()).isEqualTo(200);
    }

    private static boolean isAnswered(Socket socket) throws IOException {
        try {
            return !statusLine(socket).isEmpty();
        } catch (SocketTimeoutException e) {
            return false;
        }
    }
}
