package io.cordwood.standalone.attack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.identity.Audience;
import io.cordwood.identity.SigningKeys;
import io.cordwood.services.Waiting;
import io.cordwood.standalone.Program.Outcome;
import io.cordwood.standalone.attack.SecuredStack.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What users and operators do at a stack of {@code up --auth}, by the commands. */
@ExtendWith(SecuredStack.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class SecuredStackIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String COUNT = "SELECT count(*) AS n FROM cordwood.umbrella.logs";

    private final Running stack;

    @TempDir
    Path files;

    SecuredStackIT(Running stack) {
        this.stack = stack;
    }

    @Test
    void endpointsAreEncryptedAndStatusAsksThem() throws Exception {
        JsonNode endpoints = JSON.readTree(stack.home().endpoints().toFile());
        for (String service : List.of("catalog", "flink", "compaction", "balancer", "trino", "search")) {
            assertThat(endpoints.path(service).asText()).as(service).startsWith("https://");
        }
        assertThat(endpoints.path("redis").asText()).startsWith("rediss://").doesNotContain("@");
        assertThat(endpoints.path("ca").asText()).isEqualTo(stack.authorities().toString());

        assertThat(stack.ok("status"))
                .contains("ingest job running for ")
                .contains("stream logs: ")
                .doesNotContain("without authentication");
    }

    @Test
    @Order(1)
    void personsShipAndReadTheirOwnTenantByOneCommandEach() throws Exception {
        Path loader = user("umbrella-loader", "reader,writer");
        Path reader = user("umbrella-reader", "reader");
        Path stranger = token(stack.token(SecuredStack.GLOBEX_READER), "stranger");

        assertThat(stack.ok("produce", "--tenant=umbrella", as(loader), lines("one", "two")))
                .contains("2 records acknowledged");
        Waiting.until("both rows are there", () -> sql(reader, COUNT).out().contains("\"n\":2"));

        Outcome others = sql(stranger, COUNT);
        assertThat(others.code()).isNotZero();
        assertThat(others.err()).containsIgnoringCase("denied");
        Outcome shipped = stack.call("produce", "--tenant=umbrella", as(reader), lines("x"));
        assertThat(shipped.code()).as("a reader ships nothing").isNotZero();
    }

    @Test
    @Order(2)
    void tokensForOneTenantAndStreamShipAndDoNothingElse() throws Exception {
        Path agent = token(
                stack.createToken(stack.operator(), "--tenant=umbrella", "--role=writer", "--stream=logs"), "agent");

        assertThat(stack.ok("produce", "--tenant=umbrella", as(agent), lines("three")))
                .contains("1 records acknowledged");
        Waiting.until("the row is there", () -> stack.ok("sql", "--json", COUNT).contains("\"n\":3"));
        assertThat(stack.call("tenant", "list", as(agent)).code()).isNotZero();
    }

    @Test
    @Order(3)
    void commandsOfTheOperatorNeedNoFurtherOptions() throws Exception {
        stack.ok("tenant", "set", "umbrella", "--retention", "30");
        assertThat(stack.ok("tenant", "list")).contains("umbrella");
        Process tail = stack.begin("tail", "--tenant=umbrella", "--lines=3", "--json");
        try {
            for (String row : List.of("one", "two", "three")) {
                assertThat(tail.inputReader().readLine()).contains(row);
            }
        } finally {
            tail.destroy();
            tail.waitFor();
        }
        Outcome compacted = stack.run("compact", "--tenant=umbrella");
        assertThat(compacted.code()).as(compacted.err()).isZero();
    }

    @Test
    @Order(4)
    void secretsAndUsersOutliveARestart() throws Exception {
        List<String> before = secrets();
        String revoked = stack.secretText("compactor.token");
        stack.ok(
                "token",
                "revoke",
                SigningKeys.read(stack.secret("signing-keys.json"))
                        .publicKeys()
                        .verify(revoked, Audience.REQUESTS)
                        .id());
        assertThat(stack.run("down").code()).isZero();
        assertThat(stack.run("up", "--detach").err()).contains("is a home with authentication: give --auth");
        stack.up();
        assertThat(secrets()).isEqualTo(before);
        assertThat(stack.secretText("compactor.token"))
                .as("a token that was revoked is replaced")
                .isNotEqualTo(revoked);
        Waiting.until(
                "all rows are there", () -> stack.ok("sql", "--json", COUNT).contains("\"n\":3"));
    }

    private List<String> secrets() throws IOException {
        List<String> secrets = new ArrayList<>();
        for (String name :
                List.of("ca.pem", "kafka.pem", "signing-keys.json", "operator.token", "ingest.token", "query.token")) {
            secrets.add(stack.secretText(name));
        }
        return secrets;
    }

    /** Makes a user with this role of the tenant umbrella. @return a file with its token */
    private Path user(String name, String role) throws IOException {
        stack.ok("tenant", "set", "umbrella", "--quota", "0");
        stack.ok("user", "add", name);
        stack.ok("user", "grant", name, "--tenant=umbrella", "--role=" + role);
        return token(stack.createToken(name), name);
    }

    private Path token(String token, String name) throws IOException {
        return Files.writeString(files.resolve(name + ".token"), token);
    }

    private static String as(Path token) {
        return "--token-file=" + token;
    }

    private String lines(String... lines) throws IOException {
        return Files.write(Files.createTempFile(files, "", ".log"), List.of(lines))
                .toString();
    }

    private Outcome sql(Path token, String sql) {
        return stack.call("sql", "--json", as(token), sql);
    }
}
