package io.cordwood.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.cordwood.identity.PemFiles;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.secret.Secrets;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code search} asks a search service, and what it prints of its answers. */
final class SearchCommandTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final String NEWER =
            "{\"ts\":\"2026-11-20T12:00:01.000000Z\",\"level\":\"ERROR\",\"message\":\"two\\nlines\",\"n\":2,\"_cursor\":\"c2\"}\n";
    private static final String OLDER =
            "{\"ts\":\"2026-11-20T12:00:00.000001Z\",\"message\":\"first\",\"ok\":true,\"attributes\":{\"ok\":\"no\",\"k\":\"a b\"},"
                    + "\"_cursor\":\"c1\"}\n";
    private static final String LAST = "{\"stats\":{\"elapsed_us\":5}}\n";

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final List<String> requests = new ArrayList<>();
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private HttpServer server;
    private Home home;

    @BeforeEach
    void start() throws IOException {
        home = new Home(directory.resolve("home"));
        home.create();
        answers.put("search", request -> send(request, 200, LAST));
        server = HttpServer.create(ANY_PORT, 0);
        server.createContext("/", this::answer);
        server.start();
        register("http://127.0.0.1:" + server.getAddress().getPort(), "");
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void register(String search, String ca) {
        new Endpoints("", "", "", "", "", "", "", search, "", "", "", "file:///w", ca).write(home);
    }

    /** An answer to a request. */
    @FunctionalInterface
    private interface Answer {
        void send(HttpExchange request) throws IOException;
    }

    private void answer(HttpExchange request) throws IOException {
        try (request) {
            String body = new String(request.getRequestBody().readAllBytes(), UTF_8);
            requests.add("%s %s %s"
                    .formatted(request.getRequestMethod(), request.getRequestURI(), body)
                    .strip());
            String path = request.getRequestURI().getRawPath();
            answers.get(path.substring(path.lastIndexOf('/') + 1)).send(request);
        }
    }

    private static void send(HttpExchange request, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        request.sendResponseHeaders(status, bytes.length);
        request.getResponseBody().write(bytes);
    }

    private int search(String... arguments) {
        String[] all = Stream.concat(
                        Stream.of("search", "--home", home.directory().toString()), Stream.of(arguments))
                .toArray(String[]::new);
        return Cordwood.run(new PrintWriter(out, true), new PrintWriter(err, true), all);
    }

    @Test
    void theNewestRowsArePrintedOldestFirstAsATailPrintsThem() {
        answers.put("search", request -> send(request, 200, NEWER + OLDER + LAST));

        assertThat(search(
                        "level:error \"a b\"",
                        "--tenant=Beta team/\u00e4",
                        "--from=now-15m",
                        "--to=2026-11-21T00:00:00Z",
                        "--limit=2"))
                .as("%s", err)
                .isZero();

        assertThat(requests)
                .containsExactly("POST /api/v1/tenants/Beta%20team%2F%C3%A4/streams/logs/search "
                        + "{\"query\":\"level:error \\\"a b\\\"\",\"from\":\"now-15m\",\"to\":\"2026-11-21T00:00:00Z\","
                        + "\"limit\":2,\"order\":\"desc\"}");
        assertThat(out.toString()).isEqualTo("""
                2026-11-20T12:00:00.000001Z first ok=true k="a b"
                2026-11-20T12:00:01.000000Z ERROR two\\nlines n=2
                """);
        assertThat(err.toString()).isEmpty();
    }

    /** Other commands take what begins with {@code -h} or {@code -V} for options. */
    @ParameterizedTest
    @ValueSource(strings = {"-level:debug", "-host:web-1", "-V:2", "-a b", "-"})
    void aQueryMayBeginLikeAnOption(String query) {
        assertThat(search(query, "--tenant=acme")).as("%s", err).isZero();
        assertThat(requests).singleElement().asString().contains("\"query\":\"%s\"".formatted(query));
    }

    @Test
    void jsonIsWhatTheServiceSends() {
        answers.put("search", request -> send(request, 200, NEWER + OLDER + LAST));

        assertThat(search("", "--tenant=acme", "--stream=request_log", "--json"))
                .isZero();

        assertThat(requests)
                .containsExactly("POST /api/v1/tenants/acme/streams/request_log/search "
                        + "{\"query\":\"\",\"limit\":100,\"order\":\"desc\"}");
        assertThat(out.toString()).isEqualTo(OLDER + NEWER);
    }

    @Test
    void thatThereAreMoreRowsIsSaid() {
        answers.put("search", request -> send(request, 200, NEWER + "{\"stats\":{},\"after\":\"c2\"}\n"));

        assertThat(search("x", "--tenant=acme", "--limit=1")).isZero();

        assertThat(out.toString()).hasLineCount(1).doesNotContain("c2");
        assertThat(err.toString()).hasLineCount(1).startsWith("cordwood search: older rows match, too");
    }

    @Test
    void aMalformedQueryIsShownWithACaretUnderItsError() {
        answers.put(
                "search",
                request -> send(
                        request,
                        400,
                        "{\"error\":{\"code\":\"invalid_query\",\"message\":\"A ) is missing\",\"position\":7}}"));

        assertThat(search("\u00e4\t\uD83D\uDE00 (a b", "--tenant=acme")).isEqualTo(1);

        // One character for each code point, and none that moves the cursor
        assertThat(err.toString()).isEqualToNormalizingNewlines("""
                cordwood search: A ) is missing
                  \u00e4 \uD83D\uDE00 (a b
                        ^
                """);
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "403 | {\"error\":{\"code\":\"forbidden\",\"message\":\"User 'ann' has no grant\"}} | User 'ann' has no grant",
                "400 | {\"error\":{\"code\":\"invalid_request\",\"message\":\"'from' is\\nwrong\",\"position\":1}} | 'from' is\\nwrong",
                "429 | {\"error\":{\"code\":\"too_many_requests\",\"message\":\"Try again\"}} | Try again",
            })
    void anErrorIsOneLine(int status, String body, String message) {
        answers.put("search", request -> send(request, status, body));

        assertThat(search("x", "--tenant=acme")).isEqualTo(1);

        assertThat(err.toString()).isEqualToNormalizingNewlines("cordwood search: %s\n".formatted(message));
    }

    @Test
    void beyondALimitTheSqlIsShown() {
        answers.put(
                "search",
                request -> send(
                        request,
                        422,
                        "{\"error\":{\"code\":\"limit_exceeded\",\"message\":\"Too much\",\"sql\":\"SELECT 1\"}}"));

        assertThat(search("x", "--tenant=acme")).isEqualTo(1);

        assertThat(err.toString()).isEqualToNormalizingNewlines("cordwood search: Too much\n  SELECT 1\n");
    }

    @Test
    void whatIsNoSearchServiceIsNamed() {
        answers.put("search", request -> send(request, 502, "<html>Bad gateway</html>"));

        assertThat(search("x", "--tenant=acme")).isEqualTo(1);

        assertThat(err.toString())
                .hasLineCount(1)
                .startsWith("cordwood search: what answers at http://127.0.0.1:")
                .contains("is no search service: status 502");
    }

    @Test
    void anAnswerThatBreaksOffIsNoAnswer() {
        answers.put("search", request -> send(request, 200, NEWER));
        assertThat(search("x", "--tenant=acme")).isEqualTo(1);
        assertThat(err.toString()).hasLineCount(1).contains("broke off: its last line is missing");
    }

    @Test
    void aConnectionThatBreaksOffIsNoAnswer() {
        answers.put("search", request -> {
            request.sendResponseHeaders(200, 10_000);
            request.getResponseBody().write(NEWER.getBytes(UTF_8));
            request.getResponseBody().flush();
        });
        assertThat(search("x", "--tenant=acme")).isEqualTo(1);
        assertThat(err.toString()).hasLineCount(1).contains("broke off: ");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aServiceThatIsDownIsOneLine() {
        server.stop(0);
        assertThat(search("x", "--tenant=acme")).isEqualTo(1);
        assertThat(err.toString())
                .hasLineCount(1)
                .startsWith("cordwood search: no search service answers at http://127.0.0.1:")
                .contains("`bin/cordwood status` shows what runs");
    }

    @Test
    void aStackOfAnEarlierVersionHasNoSearchService() throws IOException {
        Files.writeString(home.endpoints(), "{\"kafka\":\"k:1\",\"trino\":\"http://t\"}");
        assertThat(search("x", "--tenant=acme")).isEqualTo(1);
        assertThat(err.toString())
                .isEqualToNormalizingNewlines(
                        "cordwood search: no search service runs in this stack: stop it, and start it again with `bin/cordwood up`\n");
    }

    /** It follows first and asks then: the row that both bring is printed once. */
    @Test
    void followedRowsComeAfterThoseFound() {
        answers.put("tail", request -> {
            request.sendResponseHeaders(200, 0);
            request.getResponseBody().write("""
                    : following

                    event: rows
                    data: %sdata: {"ts":"2026-11-20T12:00:02.000000Z","message":"new","_cursor":"c3"}

                    : none

                    event: trouble
                    data: {"message":"Kafka does not answer"}

                    event: trouble
                    data: {"message":"The catalog does not answer"}

                    : none

                    event: trouble
                    data: {"message":"The catalog does not answer"}

                    event: trouble
                    data: {"message":"Kafka does not answer"}

                    : none

                    : none

                    event: dropped
                    data: {"rows":"7"}

                    event: skipped
                    data: {"records":"8"}

                    event: of a later version
                    data: {}

                    event: end
                    data: {"message":"The token has ended"}

                    """.formatted(NEWER).getBytes(UTF_8));
        });
        answers.put("search", request -> send(request, 200, NEWER + OLDER + "{\"stats\":{},\"after\":\"c1\"}\n"));

        assertThat(search("a&b c", "--tenant=acme", "--follow")).isEqualTo(1);

        assertThat(requests.getFirst()).isEqualTo("GET /api/v1/tenants/acme/streams/logs/tail?query=a%26b%20c");
        assertThat(out.toString().lines().map(line -> line.substring(28)))
                .containsExactly("first ok=true k=\"a b\"", "ERROR two\\nlines n=2", "new");
        assertThat(err.toString().lines().map(line -> line.replaceFirst("^cordwood search: ", "")))
                .containsExactly(
                        "Kafka does not answer",
                        "The catalog does not answer",
                        "rows are read again",
                        "7 rows were dropped, since they arrived faster than they were printed",
                        "Kafka's retention removed 8 records before they were read",
                        "The token has ended");
    }

    @Test
    void aTailThatBreaksOffIsAnError() {
        answers.put("tail", request -> {
            request.sendResponseHeaders(200, 0);
            request.getResponseBody().write(": following\n\n".getBytes(UTF_8));
        });
        assertThat(search("x", "--tenant=acme", "--follow")).isEqualTo(1);
        assertThat(err.toString()).hasLineCount(1).contains("broke off: the service ended it");
    }

    /** The service proves itself by a certificate of the stack, and the caller by a token. */
    @Test
    void aClosedServiceGetsTheTokenOverTls() throws IOException {
        Secrets secrets = new Secrets(home.secrets());
        secrets.prepare("127.0.0.1:6379");
        Files.writeString(secrets.operatorToken(), "the-operators\n");
        Path other = Files.writeString(directory.resolve("other.token"), "anns");
        List<String> authorizations = new ArrayList<>();
        HttpsServer closed = HttpsServer.create(ANY_PORT, 0);
        try {
            closed.setHttpsConfigurator(new HttpsConfigurator(PemFiles.serving(secrets.certificate("search"))));
            closed.createContext("/", request -> {
                try (request) {
                    authorizations.add(request.getRequestHeaders().getFirst("Authorization"));
                    send(request, 200, OLDER + LAST);
                }
            });
            closed.start();
            String address = "https://127.0.0.1:" + closed.getAddress().getPort();
            register(address, secrets.authorities().toString());

            assertThat(search("x", "--tenant=acme")).as("%s", err).isZero();
            assertThat(search("x", "--tenant=acme", "--token-file=" + other)).isZero();
            assertThat(authorizations).containsExactly("Bearer the-operators", "Bearer anns");

            Secrets stranger = new Secrets(directory.resolve("stranger"));
            stranger.prepare("127.0.0.1:6379");
            Files.writeString(stranger.operatorToken(), "a-token");
            register(address, stranger.authorities().toString());
            assertThat(search("x", "--tenant=acme")).isEqualTo(1);
            assertThat(err.toString()).hasLineCount(1).contains("cannot ask the search service at " + address);
            assertThat(authorizations).as("no token is sent").hasSize(2);

            Files.writeString(other, "anns\nof Ann\n");
            assertThat(search("x", "--tenant=acme", "--token-file=" + other)).isEqualTo(1);
            assertThat(err.toString())
                    .hasLineCount(2)
                    .contains(other + " is not a token: a token is one line without spaces")
                    .doesNotContain("anns");
        } finally {
            closed.stop(0);
        }
    }
}
