package io.cordwood.standalone.attack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.services.Waiting;
import io.cordwood.standalone.Program.Outcome;
import io.cordwood.standalone.attack.SecuredStack.Running;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code search} at the search service of a closed stack. */
@ExtendWith(SecuredStack.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SearchCommandIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TENANT = "--tenant=stark";

    private final Running stack;

    private Path files;
    private Path reader;

    SearchCommandIT(Running stack) {
        this.stack = stack;
    }

    @BeforeAll
    void makeAReader(@TempDir Path directory) throws IOException {
        files = directory;
        stack.ok("tenant", "set", "stark", "--quota", "0");
        stack.ok("user", "add", "stark-reader");
        stack.ok("user", "grant", "stark-reader", TENANT, "--role=reader");
        reader = Files.writeString(files.resolve("reader.token"), stack.createToken("stark-reader"));
    }

    private void ship(String... lines) throws IOException {
        Path file = Files.write(Files.createTempFile(files, "", ".log"), List.of(lines));
        stack.ok("produce", TENANT, file.toString());
    }

    private String[] searching(Path token, String query, String... options) {
        return Stream.concat(Stream.of("search", query, TENANT, "--token-file=" + token), Stream.of(options))
                .toArray(String[]::new);
    }

    private Outcome search(String query, String... options) {
        return stack.call(searching(reader, query, options));
    }

    @Test
    void rowsAreFoundByTheirReader() throws Exception {
        ship(
                "{\"ts\":\"2026-01-01T00:00:00Z\",\"level\":\"error\",\"status\":500,\"message\":\"timeout of payments\"}",
                "{\"ts\":\"2026-01-01T00:00:01Z\",\"level\":\"info\",\"status\":200,\"message\":\"timeout is set\"}",
                "{\"ts\":\"2026-01-01T00:00:02Z\",\"level\":\"error\",\"status\":503,\"message\":\"timeout of carts\"}");
        String[] range = {"--from=2026-01-01T00:00:00Z", "--to=2026-01-02T00:00:00Z"};
        Waiting.until(
                "the columns are declared",
                () -> search("timeout status:>=500", range).out().lines().count() == 2);

        assertThat(search("timeout level:error", range)).isEqualTo(new Outcome(0, """
                2026-01-01T00:00:00.000000Z error timeout of payments status=500
                2026-01-01T00:00:02.000000Z error timeout of carts status=503
                """, ""));
        Outcome newest = search("timeout", "--from=2026-01-01T00:00:00Z", "--to=2026-01-02T00:00:00Z", "--limit=1");
        assertThat(newest.out()).contains("timeout of carts").hasLineCount(1);
        assertThat(newest.err()).contains("older rows match, too").hasLineCount(1);
        assertThat(search("timeout", "--from=2026-01-01T00:00:01Z", "--to=2026-01-01T00:00:02Z")
                        .out())
                .contains("timeout is set")
                .hasLineCount(1);
        List<String> messages = new ArrayList<>();
        for (String line : search("timeout", "--from=2026-01-01T00:00:00Z", "--to=2026-01-02T00:00:00Z", "--json")
                .out()
                .lines()
                .toList()) {
            JsonNode row = JSON.readTree(line);
            assertThat(row.path("_cursor").asText()).isNotEmpty();
            messages.add(row.path("message").asText());
        }
        assertThat(messages).containsExactly("timeout of payments", "timeout is set", "timeout of carts");
    }

    @Test
    void aMalformedQueryIsShownWithACaret() throws Exception {
        ship("any row");
        Waiting.until("the tenant has rows", () -> search("any").code() == 0);

        Outcome outcome = search("timeout (a OR b");

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.err().lines()).hasSize(3);
        assertThat(outcome.err()).startsWith("cordwood search: ").contains("\n  timeout (a OR b\n");
        assertThat(outcome.err().lines().toList().getLast()).matches(" {2,}\\^");
    }

    @Test
    void whoHasNoGrantIsTold() throws Exception {
        ship("any row");
        Waiting.until("the tenant has rows", () -> search("any").code() == 0);
        Path stranger = Files.writeString(files.resolve("stranger.token"), stack.token(SecuredStack.GLOBEX_READER));

        Outcome denied = stack.call(searching(stranger, "any"));
        assertThat(denied.code()).isEqualTo(1);
        assertThat(denied.err())
                .isEqualTo(
                        "cordwood search: User 'globex-reader' has no grant to read stream 'logs' of tenant 'stark'\n");
        Path forged = Files.writeString(files.resolve("forged.token"), "no.token.atall");
        assertThat(stack.call(searching(forged, "any")).err()).hasLineCount(1);
    }

    @Test
    void newRowsAreFollowedUntilTheCommandIsEnded() throws Exception {
        ship("before we follow");
        Waiting.until("the tenant has rows", () -> search("follow").code() == 0);
        Process following = stack.begin(searching(reader, "follow", "--follow", "--limit=1"));
        try (BufferedReader out = following.inputReader(StandardCharsets.UTF_8)) {
            assertThat(out.readLine()).endsWith(" before we follow");
            ship("not that one", "while we follow");
            assertThat(out.readLine()).endsWith(" while we follow");
            // Unlike the process's own method, it leaves the output open
            following.toHandle().destroy();
            assertThat(out.readLine()).isNull();
            assertThat(following.waitFor()).isZero();
        } finally {
            following.destroy();
        }
    }
}
