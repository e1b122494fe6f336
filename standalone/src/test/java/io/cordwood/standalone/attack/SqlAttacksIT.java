package io.cordwood.standalone.attack;

import static io.cordwood.standalone.attack.SecuredStack.ACME_DELETER;
import static io.cordwood.standalone.attack.SecuredStack.ACME_READER;
import static io.cordwood.standalone.attack.SecuredStack.GLOBEX_READER;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.services.Waiting;
import io.cordwood.standalone.attack.SecuredStack.Running;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Attacks on Trino, each beside what is allowed. */
@ExtendWith(SecuredStack.class)
final class SqlAttacksIT {
    private static final String COUNT = "SELECT count(n) FROM cordwood.acme.logs";
    /** A tenant whose rows are deleted. */
    private static final String DELETED = "hooli";

    private static final String AUTHORIZATION = "Authorization";

    private final Running stack;

    SqlAttacksIT(Running stack) {
        this.stack = stack;
    }

    @Test
    void attack21SqlWithoutPassword() throws Exception {
        assertThat(stack.statement("SELECT 1", Map.of("X-Trino-User", ACME_READER))
                        .statusCode())
                .isEqualTo(401);
        assertThat(login(ACME_READER, "wrong", ACME_READER).statusCode()).isEqualTo(401);
        assertThat(login(ACME_READER, stack.token(GLOBEX_READER), ACME_READER).statusCode())
                .isEqualTo(401);
        assertThat(login(ACME_READER, stack.token(ACME_READER), ACME_READER).statusCode())
                .isEqualTo(200);
        assertThat(stack.statement(
                                "SELECT 1",
                                Map.of(
                                        AUTHORIZATION,
                                        "Bearer " + stack.token(ACME_READER),
                                        "X-Trino-User",
                                        ACME_READER))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void attack22TheNameOfAnotherUser() throws Exception {
        try (Connection connection = stack.connect(ACME_READER, GLOBEX_READER);
                Statement statement = connection.createStatement()) {
            assertThat(failure(statement, "SELECT 1"))
                    .contains(
                            "Access Denied: User %s cannot impersonate user %s".formatted(ACME_READER, GLOBEX_READER));
        }
        assertThat(login(GLOBEX_READER, stack.token(GLOBEX_READER), GLOBEX_READER)
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void attack23TheAuthorizationOfAnotherUser() throws Exception {
        assertThat(stack.denied(ACME_READER, "SET SESSION AUTHORIZATION \"%s\"".formatted(GLOBEX_READER)))
                .contains("Access Denied");
        assertThat(stack.sql(ACME_READER, "SELECT current_user")).containsExactly(ACME_READER);
    }

    @Test
    void attack24ARogueWorker() throws Exception {
        HttpRequest.Builder announcement = HttpRequest.newBuilder(URI.create(stack.endpoint("trino") + "/v1/announce"))
                // The answer comes before the body is read, which HTTP/2 would report as a reset
                .version(HttpClient.Version.HTTP_1_1)
                .header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString("http://127.0.0.1:1"));
        assertThat(stack.send(announcement.build()).statusCode()).isEqualTo(403);
        HttpRequest withASecret =
                announcement.header("X-Trino-Internal-Bearer", "guessed").build();
        assertThat(stack.send(withASecret).statusCode()).isEqualTo(401);
        assertThat(stack.sql(stack.operator(), "SELECT count(*) FROM system.runtime.nodes WHERE state = 'active'"))
                .containsExactly("1");
    }

    @Test
    void attack25TheTableOfAnotherTenantWhetherItExistsOrNot() throws Exception {
        String exists = stack.denied(ACME_READER, "SELECT * FROM cordwood.globex.logs");
        assertThat(exists).contains("Access Denied");
        assertThat(stack.denied(ACME_READER, "SELECT * FROM cordwood.globex.nothing")
                        .replace("nothing", "logs"))
                .isEqualTo(exists);
        assertThat(stack.denied(ACME_READER, "SELECT * FROM cordwood.nobody.logs")
                        .replace("nobody", "globex"))
                .isEqualTo(exists);
        assertThat(stack.sql(ACME_READER, COUNT)).containsExactly("100");
        assertThat(stack.sql(GLOBEX_READER, "SELECT count(*) FROM cordwood.globex.logs"))
                .containsExactly("100");
    }

    @Test
    void attack26AnUnknownColumnOfAnotherTenant() throws Exception {
        String known = stack.denied(ACME_READER, "SELECT message FROM cordwood.globex.logs");
        String unknown = stack.denied(ACME_READER, "SELECT nothing FROM cordwood.globex.logs");
        assertThat(known).contains("Access Denied");
        assertThat(unknown).isEqualTo(known);
        assertThat(stack.sql(ACME_READER, "SELECT count(message) FROM cordwood.acme.logs"))
                .containsExactly("100");
    }

    @Test
    void attack27OtherWaysToTheRowsOfAnotherTenant() throws Exception {
        assertThat(stack.denied(
                        ACME_READER, "SELECT * FROM TABLE(cordwood.system.tail(tenant => 'globex', stream => 'logs'))"))
                .contains("Access Denied");
        for (String view : List.of("logs$first", "logs$last", "logs$numbered")) {
            assertThat(stack.denied(ACME_READER, "SELECT * FROM cordwood.globex.\"%s\"".formatted(view)))
                    .contains("Access Denied");
        }
        assertThat(stack.sql(ACME_READER, "SELECT DISTINCT tenant_id FROM cordwood.all_tenants.logs"))
                .containsExactly("acme");
        assertThat(stack.sql(ACME_READER, "SHOW SCHEMAS FROM cordwood"))
                .contains("acme")
                .doesNotContain("globex");
        assertThat(stack.sql(ACME_READER, "SELECT DISTINCT table_schema FROM cordwood.information_schema.columns"))
                .contains("acme")
                .doesNotContain("globex");
        assertThat(stack.denied(ACME_READER, "SHOW TABLES FROM cordwood.globex"))
                .contains("Access Denied");
        assertThat(stack.sql(
                        ACME_READER,
                        "SELECT count(n) FROM TABLE(cordwood.system.tail(tenant => 'acme', stream => 'logs'))"))
                .containsExactly("100");
    }

    @Test
    void attack28TheQueriesOfOthers() throws Exception {
        try (Connection victim = stack.connect(GLOBEX_READER);
                Statement statement = victim.createStatement()) {
            // Runs until the statement is closed
            statement.executeQuery("SELECT count(*) FROM cordwood.globex.logs a, UNNEST(sequence(1, 1000000))");
            String id = stack.sql(
                            stack.operator(),
                            "SELECT max(query_id) FROM system.runtime.queries WHERE \"user\" = '%s'"
                                    .formatted(GLOBEX_READER))
                    .getFirst();
            assertThat(id).isNotEqualTo("null");
            assertThat(stack.sql(ACME_READER, "SELECT DISTINCT \"user\" FROM system.runtime.queries"))
                    .containsExactly(ACME_READER);
            assertThat(stack.denied(
                            ACME_READER,
                            "CALL system.runtime.kill_query(query_id => '%s', message => 'x')".formatted(id)))
                    .contains("Access Denied");
            HttpResponse<String> look =
                    stack.send(HttpRequest.newBuilder(URI.create(stack.endpoint("trino") + "/v1/query/" + id))
                            .header(AUTHORIZATION, Running.basic(ACME_READER, stack.token(ACME_READER)))
                            .build());
            assertThat(look.statusCode()).isEqualTo(403);
        }
    }

    @Test
    void attack29RaisingTheLimitsOfHotReads() throws Exception {
        for (String property : List.of("hot_max_size = '100TB'", "hot_read_timeout = '10h'")) {
            assertThat(stack.denied(ACME_READER, "SET SESSION cordwood." + property))
                    .contains("Access Denied: Cannot set catalog session property "
                            + property.substring(0, property.indexOf(' ')));
            assertThat(stack.sql(stack.operator(), "SET SESSION cordwood." + property))
                    .isEmpty();
        }
        assertThat(stack.sql(ACME_READER, "SET SESSION cordwood.use_index = false"))
                .isEmpty();
    }

    /** The message of a statement that fails. */
    private static String failure(Statement statement, String sql) {
        try {
            statement.execute(sql);
            throw new AssertionError("It works: " + sql);
        } catch (SQLException e) {
            return e.getMessage();
        }
    }

    @Test
    void attack30AReaderDeletesRows() throws Exception {
        assertThat(stack.denied(ACME_READER, "DELETE FROM cordwood.acme.logs WHERE n = 1"))
                .contains("Access Denied");
        assertThat(stack.denied(ACME_DELETER, "DELETE FROM cordwood.globex.logs WHERE n = 1"))
                .contains("Access Denied");
        stack.ok("tenant", "set", DELETED, "--quota", "0");
        stack.ok("user", "grant", ACME_DELETER, "--tenant", DELETED, "--role", "deleter");
        stack.ship(DELETED, 2);
        String count = "SELECT count(*) FROM cordwood.%s.logs".formatted(DELETED);
        Waiting.until("the rows are there", () -> stack.sql(ACME_DELETER, count).equals(List.of("2")));
        stack.sql(ACME_DELETER, "DELETE FROM cordwood.%s.logs WHERE n = 1".formatted(DELETED));
        assertThat(stack.sql(ACME_DELETER, count)).containsExactly("1");
        assertThat(stack.sql(ACME_READER, COUNT)).containsExactly("100");
    }

    @Test
    void attack31TheOperatorsIcebergCatalog() throws Exception {
        assertThat(stack.sql(ACME_READER, "SHOW CATALOGS")).contains("cordwood").doesNotContain("iceberg");
        assertThat(stack.denied(ACME_READER, "SELECT * FROM iceberg.acme.logs")).isNotEmpty();
        assertThat(stack.sql(stack.operator(), COUNT)).containsExactly("100");
    }

    @Test
    void attack32WhatTellsOfNeighbours() throws Exception {
        for (String column : List.of("$kafka_offset", "$kafka_partition")) {
            assertThat(stack.denied(ACME_READER, "SELECT max(\"%s\") FROM cordwood.acme.logs".formatted(column)))
                    .contains("Access Denied: Cannot select from columns [%s]".formatted(column));
            assertThat(stack.sql(stack.operator(), "SELECT count(\"%s\") FROM cordwood.acme.logs".formatted(column)))
                    .containsExactly("100");
        }
        String plan = String.join("\n", stack.sql(ACME_READER, "EXPLAIN ANALYZE VERBOSE " + COUNT));
        assertThat(plan)
                .doesNotContain("hot chunks")
                .doesNotContain("hot partitions")
                .doesNotContain("hot records");
        assertThat(String.join("\n", stack.sql(stack.operator(), "EXPLAIN ANALYZE VERBOSE " + COUNT)))
                .contains("hot chunks considered");
    }

    private HttpResponse<String> login(String user, String password, String claimed) throws Exception {
        return stack.statement(
                "SELECT 1", Map.of(AUTHORIZATION, Running.basic(user, password), "X-Trino-User", claimed));
    }
}
