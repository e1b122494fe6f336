package io.cordwood.standalone.attack;

import static io.cordwood.standalone.attack.SecuredStack.ACME_DELETER;
import static io.cordwood.standalone.attack.SecuredStack.ACME_READER;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.standalone.attack.SecuredStack.Running;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What agents get from a closed stack with the tokens of its users, and what they must not get. */
@ExtendWith(SecuredStack.class)
final class AgentsIT {

    /** The rows of {@link SecuredStack#ROWS}: other tests of this stack write rows whose {@code n} is negative. */
    private static final String COUNT = "SELECT count(n) AS rows FROM cordwood.acme.logs WHERE n >= 0";

    private final Running stack;

    AgentsIT(Running stack) {
        this.stack = stack;
    }

    private HttpResponse<String> post(String token, String method, Map<String, Object> params) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(stack.endpoint("search") + "/mcp"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(SearchDoor.call(method, params)));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return stack.sendAlone(request.build());
    }

    private JsonNode call(String token, String tool, Map<String, Object> arguments) throws Exception {
        HttpResponse<String> response = post(token, "tools/call", Map.of("name", tool, "arguments", arguments));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return stack.json(response).path("result");
    }

    private static String text(JsonNode result) {
        assertThat(result.path("isError").booleanValue()).as(result.toString()).isFalse();
        return result.path("content").path(0).path("text").textValue();
    }

    private static String error(JsonNode result) {
        assertThat(result.path("isError").booleanValue()).as(result.toString()).isTrue();
        return result.path("content").path(0).path("text").textValue();
    }

    private JsonNode sql(String user, String sql) throws Exception {
        return call(stack.token(user), "sql", Map.of("sql", sql));
    }

    @Test
    void agentsNeedAToken() throws Exception {
        for (String token : List.of("", "wrong")) {
            HttpResponse<String> response = post(token, "tools/list", Map.of());
            assertThat(response.statusCode()).isEqualTo(401);
            assertThat(response.headers().firstValue("WWW-Authenticate")).contains("Bearer realm=\"cordwood\"");
        }
        assertThat(stack.json(post(stack.token(ACME_READER), "tools/list", Map.of()))
                        .path("result")
                        .path("tools")
                        .findValuesAsText("name"))
                .contains("search", "sql");
    }

    @Test
    void toolsReadWhatTheUserReads() throws Exception {
        String token = stack.token(ACME_READER);
        assertThat(text(call(token, "list_streams", Map.of()))).startsWith("acme: logs\n-- 1 tenants");
        assertThat(text(call(token, "search", Map.of("tenant", "acme", "query", "\"row 42\""))))
                .contains("row 42 of acme")
                .contains("-- 1 rows of acme/logs.");
        for (String tool : List.of("describe", "search", "histogram", "top_values", "context")) {
            for (String tenant : List.of("globex", "nobody")) {
                assertThat(error(call(token, tool, Map.of("tenant", tenant))))
                        .isEqualTo("forbidden: User 'acme-reader' has no grant to read stream 'logs' of tenant '%s'"
                                .formatted(tenant));
            }
        }
    }

    @Test
    void sqlReadsWhatTheUserReads() throws Exception {
        assertThat(text(sql(ACME_READER, COUNT))).startsWith("[\"rows\"]\n[100]\n-- 1 rows;");
        assertThat(error(sql(ACME_READER, "SELECT count(n) FROM cordwood.globex.logs")))
                .startsWith("invalid_sql: ")
                .contains("Access Denied");
        assertThat(error(sql(ACME_READER, "SELECT nothing FROM cordwood.acme.logs")))
                .contains("Column 'nothing' cannot be resolved");
        String limited = stack.createToken(ACME_READER, "--tenant", "acme", "--role", "reader");
        assertThat(text(call(limited, "search", Map.of("tenant", "acme", "limit", 1))))
                .contains("of acme");
        // Trino may cut the connection when it refuses a login, which must not hide the reason
        for (int times = 0; times < 20; times++) {
            assertThat(error(call(limited, "sql", Map.of("sql", COUNT))))
                    .isEqualTo(
                            "forbidden: Trino does not take this token: a token that is limited to a tenant is no login there");
        }
    }

    @Test
    void resultsOfSqlAreBounded() throws Exception {
        String all = "SELECT n, message FROM cordwood.acme.logs WHERE n >= 0 ORDER BY n";
        String three = text(call(stack.token(ACME_READER), "sql", Map.of("sql", all, "limit", 3)));
        assertThat(three)
                .startsWith("[\"n\",\"message\"]\n[0,\"row 0 of acme\"]\n")
                .contains("-- 3 rows;", "There are more");
        String cut = text(call(stack.token(ACME_READER), "sql", Map.of("sql", all, "max_tokens", 500)));
        assertThat(cut).contains("The result was cut at about 500 tokens");
        assertThat(cut.length()).isLessThan(1_500);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE FROM cordwood.acme.logs WHERE n = 1",
                "EXECUTE IMMEDIATE 'DELETE FROM cordwood.acme.logs WHERE n = 1'",
                "EXPLAIN ANALYZE DELETE FROM cordwood.acme.logs WHERE n = 1",
                "INSERT INTO cordwood.acme.logs (message) VALUES ('x')",
                "CREATE TABLE cordwood.acme.other (n bigint)",
                "DROP TABLE cordwood.acme.logs",
                "CALL system.runtime.kill_query(query_id => '20260101_000000_00000_aaaaa', message => 'x')",
                "COMMIT; DELETE FROM cordwood.acme.logs WHERE n = 1"
            })
    void sqlOnlyReads(String sql) throws Exception {
        assertThat(error(sql(ACME_DELETER, sql))).startsWith("invalid_sql: ");
        assertThat(text(sql(ACME_DELETER, COUNT))).startsWith("[\"rows\"]\n[100]\n");
    }

    @Test
    void theSameStatementDeletesOutsideOfTheTool() throws Exception {
        // What the tool refuses is no lack of a grant
        assertThat(error(sql(ACME_DELETER, "DELETE FROM cordwood.acme.logs WHERE n = 1000000")))
                .contains("READ_ONLY_VIOLATION");
        assertThat(stack.sql(ACME_DELETER, "DELETE FROM cordwood.acme.logs WHERE n = 1000000"))
                .isNotNull();
    }
}
