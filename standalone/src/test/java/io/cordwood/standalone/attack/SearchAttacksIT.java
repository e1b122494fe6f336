package io.cordwood.standalone.attack;

import static io.cordwood.standalone.attack.SearchDoor.lines;
import static io.cordwood.standalone.attack.SearchDoor.path;
import static io.cordwood.standalone.attack.SecuredStack.ACME_READER;
import static io.cordwood.standalone.attack.SecuredStack.GLOBEX_READER;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.standalone.attack.SecuredStack.Running;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Attacks on the rows of others in the search service, and on people's browsers, each beside what is allowed. */
@ExtendWith(SecuredStack.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SearchAttacksIT {
    private static final String OWN = " of acme";
    private static final String FOREIGN = " of globex";
    private static final String TENANT = "X-Scope-OrgID";
    private static final String SEARCH = path("acme", "search");
    private static final String HOSTILE = "<script>window.ran = true</script>";
    private static final String EVIL = "https://evil.example";
    private static final String LOCALHOST = "Host: localhost";
    private static final int PLACE_AT = 8;

    private final Running stack;
    private final SearchDoor door;

    SearchAttacksIT(Running stack) {
        this.stack = stack;
        this.door = new SearchDoor(stack);
    }

    @BeforeAll
    void makeATenantOfHostileRows(@TempDir Path directory) throws Exception {
        stack.user("cyberdyne-reader", "cyberdyne", "reader");
        door.ship("cyberdyne-reader", "cyberdyne", directory, "{\"message\":\"%s\"}%n".formatted(HOSTILE), 1);
    }

    @Test
    void attack41ThePathOfAnotherTenantWhetherItExistsOrNot() throws Exception {
        for (String operation : List.of("search", "histogram", "values", "context", "patterns", "explain")) {
            assertSameDenial(
                    door.post(ACME_READER, path("globex", operation), "{"),
                    door.post(ACME_READER, path("nobody", operation), "{"));
        }
        for (String operation : List.of("columns", "tail")) {
            assertSameDenial(
                    door.get(ACME_READER, path("globex", operation)), door.get(ACME_READER, path("nobody", operation)));
        }
        assertThat(door.post(ACME_READER, "/api/v1/tenants/globex/streams/nothing/search", "{}")
                        .statusCode())
                .isEqualTo(403);
        for (String hidden : List.of("%67lobex", "acme/../globex", "acme%2F..%2Fglobex", "acme;/globex", "GLOBEX")) {
            HttpResponse<String> answer = door.post(ACME_READER, path(hidden, "search"), "{}");
            assertThat(answer.statusCode()).as(hidden).isIn(403, 404);
            assertThat(answer.body()).doesNotContain(FOREIGN);
        }
        assertThat(door.get(ACME_READER, "/api/v1/tenants").body())
                .contains("acme")
                .doesNotContain("globex");
        assertThat(door.post(ACME_READER, SEARCH, "{}").body()).contains(OWN).doesNotContain(FOREIGN);
        assertThat(door.post(GLOBEX_READER, path("globex", "search"), "{}").body())
                .contains(FOREIGN);
    }

    private static void assertSameDenial(HttpResponse<String> exists, HttpResponse<String> missing) {
        assertThat(exists.statusCode()).isEqualTo(403);
        assertThat(missing.statusCode()).isEqualTo(403);
        assertThat(missing.body().replace("nobody", "globex")).isEqualTo(exists.body());
    }

    @Test
    void attack42TheHeaderOfAnotherTenant() throws Exception {
        for (String path : List.of(
                lines("{stream=\"logs\"}"),
                "/loki/api/v1/labels",
                "/loki/api/v1/label/stream/values",
                "/loki/api/v1/series",
                "/loki/api/v1/index/stats?query=%7B%7D",
                "/loki/api/v1/patterns?query=%7B%7D",
                "/loki/api/v1/detected_fields?query=%7B%7D",
                "/loki/api/v1/tail?query=%7B%7D")) {
            assertSameDenial(
                    door.get(ACME_READER, path, TENANT, "globex"), door.get(ACME_READER, path, TENANT, "nobody"));
        }
        String query = lines("{stream=\"logs\"}");
        for (String several : List.of("acme|globex", "globex|acme", "acme,globex", "acme/../globex", "acme globex")) {
            assertThat(door.get(ACME_READER, query, TENANT, several).statusCode())
                    .as(several)
                    .isEqualTo(403);
        }
        for (HttpResponse<String> answer : List.of(
                door.get(ACME_READER, query, TENANT, "acme", TENANT, "globex"),
                door.get(ACME_READER, query + "&X-Scope-OrgID=globex&tenant=globex"),
                door.get(ACME_READER, query))) {
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).contains(OWN).doesNotContain(FOREIGN);
        }
        assertThat(door.get(GLOBEX_READER, query, TENANT, "globex").body()).contains(FOREIGN);
    }

    @Test
    void attack43AQueryThatNamesAnotherTenant() throws Exception {
        for (String query : List.of(
                "{stream=\"logs\", tenant_id=\"globex\"}",
                "{stream=\"logs\", tenant=\"globex\"}",
                "{stream=\"globex/logs\"}",
                "{stream=~\".*\", tenant_id=~\"acme|globex\"}",
                "{stream=\"logs\"} | tenant_id=\"globex\"",
                "{stream=\"logs\"} | tenant_id!=\"acme\"")) {
            assertThat(door.get(ACME_READER, lines(query), TENANT, "acme").body())
                    .as(query)
                    .doesNotContain(FOREIGN);
        }
        assertThat(door.get(ACME_READER, "/loki/api/v1/label/tenant_id/values").body())
                .doesNotContain("globex");
        for (String query : List.of("tenant_id:globex", "tenant_id:globex OR row", "-tenant_id:acme")) {
            assertThat(door.post(ACME_READER, SEARCH, "{\"query\":\"%s\"}".formatted(query))
                            .body())
                    .as(query)
                    .doesNotContain(FOREIGN);
        }
        assertThat(door.post(ACME_READER, path("acme", "values"), "{\"column\":\"tenant_id\"}")
                        .body())
                .contains("acme")
                .doesNotContain("globex");
        assertThat(door.get(ACME_READER, lines("{stream=\"logs\"}"), TENANT, "acme")
                        .body())
                .contains(OWN);
        assertThat(door.post(ACME_READER, SEARCH, "{\"query\":\"tenant_id:acme\"}")
                        .body())
                .contains(OWN);
    }

    @Test
    void attack44ACursorOfAnotherTenantOrAForgedOne() throws Exception {
        String foreign = cursor(GLOBEX_READER, "globex");
        String own = cursor(ACME_READER, "acme");
        assertThat(door.post(ACME_READER, path("acme", "context"), "{\"row\":\"%s\"}".formatted(foreign))
                        .statusCode())
                .isEqualTo(404);
        // Offsets of this stack are small: not encrypted, they would begin with zeros
        assertThat(ByteBuffer.wrap(Base64.getUrlDecoder().decode(foreign)).getLong(PLACE_AT) >>> 32)
                .isNotZero();
        byte[] forged = Base64.getUrlDecoder().decode(own);
        ByteBuffer.wrap(forged).putLong(PLACE_AT, 0);
        for (String after :
                List.of(foreign, Base64.getUrlEncoder().withoutPadding().encodeToString(forged))) {
            HttpResponse<String> page = door.post(ACME_READER, SEARCH, "{\"after\":\"%s\"}".formatted(after));
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.body()).doesNotContain(FOREIGN);
        }
        assertThat(door.post(ACME_READER, SEARCH, "{\"after\":\"AAAA\"}").statusCode())
                .isEqualTo(400);
        assertThat(door.post(ACME_READER, path("acme", "context"), "{\"row\":\"%s\"}".formatted(own))
                        .body())
                .contains(OWN);
    }

    private String cursor(String reader, String tenant) throws Exception {
        HttpResponse<String> found = door.post(reader, path(tenant, "search"), "{\"query\":\"row\",\"limit\":1}");
        return SearchDoor.firstRow(found).path("_cursor").textValue();
    }

    @Test
    void attack45AToolForAnotherTenant() throws Exception {
        for (String tool : List.of("describe", "search", "histogram", "top_values", "patterns", "context")) {
            String exists = door.tool(ACME_READER, tool, Map.of("tenant", "globex"));
            assertThat(exists).startsWith("forbidden: ");
            assertThat(door.tool(ACME_READER, tool, Map.of("tenant", "nobody")).replace("nobody", "globex"))
                    .isEqualTo(exists);
        }
        assertThat(door.tool(ACME_READER, "list_streams", Map.of()))
                .contains("acme")
                .doesNotContain("globex");
        assertThat(door.tool(ACME_READER, "context", Map.of("tenant", "acme", "row", cursor(GLOBEX_READER, "globex"))))
                .doesNotContain(FOREIGN);
        assertThat(door.tool(ACME_READER, "sql", Map.of("sql", "SELECT message FROM cordwood.globex.logs")))
                .contains("Access Denied");
        assertThat(door.tool(ACME_READER, "search", Map.of("tenant", "acme"))).contains(OWN);
    }

    @Test
    void attack46ATokenInAUrl() throws Exception {
        String token = stack.createToken(ACME_READER);
        String bearer = URLEncoder.encode("Bearer " + token, UTF_8);
        for (String path : List.of(
                "/api/v1/tenants?token=" + token,
                "/api/v1/tenants?Authorization=" + bearer,
                path("acme", "columns") + "?access_token=" + token,
                path("acme", "tail") + "?token=" + token,
                "/loki/api/v1/labels?access_token=" + token,
                "/mcp?token=" + token,
                "/api/v1/tenants/%s/streams/logs/columns".formatted(token))) {
            for (String version : List.of("HTTP/1.1", "HTTP/9.9")) {
                String answer = door.answer("", "GET %s %s".formatted(path, version), LOCALHOST);
                assertThat(answer).as(path).matches("(?s)HTTP/1.1 (401|400|505) .*");
                assertThat(answer).doesNotContain(token);
            }
        }
        assertThat(door.answer(
                        "token=" + token,
                        "POST /loki/api/v1/labels HTTP/1.1",
                        LOCALHOST,
                        "Content-Type: application/x-www-form-urlencoded"))
                .startsWith("HTTP/1.1 401 ");
        // Beside a good one, too
        assertThat(door.get(ACME_READER, path("acme", "columns") + "?token=" + token)
                        .body())
                .doesNotContain(token);
        String signature = token.substring(token.lastIndexOf('.') + 1);
        try (Stream<Path> logs = Files.walk(stack.home().logs())) {
            for (Path log : logs.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(log, ISO_8859_1)).as("%s", log).doesNotContain(signature);
            }
        }
        assertThat(door.answer("", "GET /api/v1/tenants HTTP/1.1", LOCALHOST, "Authorization: Bearer " + token))
                .startsWith("HTTP/1.1 200 ");
    }

    @Test
    void attack47ThePageOfAnotherSite() throws Exception {
        String preflight = door.answer(
                "",
                "OPTIONS %s HTTP/1.1".formatted(SEARCH),
                "Host: " + door.uri().getAuthority(),
                "Origin: " + EVIL,
                "Access-Control-Request-Method: POST",
                "Access-Control-Request-Headers: authorization");
        assertThat(preflight).startsWith("HTTP/1.1 401 ");
        assertThat(preflight).doesNotContainIgnoringCase("access-control-");
        // What a page can send without asking before, also by a name of its own that leads here
        for (String host : List.of(door.uri().getAuthority(), "evil.example")) {
            String simple = door.answer(
                    "{}",
                    "POST %s HTTP/1.1".formatted(SEARCH),
                    "Host: " + host,
                    "Origin: " + EVIL,
                    "Content-Type: text/plain",
                    "Cookie: token=" + stack.token(ACME_READER));
            assertThat(simple).startsWith("HTTP/1.1 401 ");
            assertThat(simple).doesNotContainIgnoringCase("set-cookie").doesNotContain("Basic realm");
        }
        HttpResponse<String> unreadable = door.post(ACME_READER, SEARCH, "{}", "Origin", EVIL);
        assertThat(unreadable.headers().map())
                .noneSatisfy((name, any) -> assertThat(name).startsWithIgnoringCase("access-control-"));
        try (var socket = door.connect()) {
            socket.getOutputStream()
                    .write(door.webSocket(ACME_READER, "Origin: " + EVIL).getBytes(UTF_8));
            assertThat(SearchDoor.statusLine(socket)).contains(" 403 ");
        }
        String list = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}";
        assertThat(door.mcp(ACME_READER, list, "Origin", EVIL).statusCode()).isEqualTo(403);

        String ownOrigin = door.uri().toString();
        assertThat(door.mcp(ACME_READER, list, "Origin", ownOrigin).statusCode())
                .isEqualTo(200);
        assertThat(door.post(ACME_READER, SEARCH, "{}", "Origin", ownOrigin).body())
                .contains(OWN);
        try (var socket = door.connect()) {
            socket.getOutputStream()
                    .write(door.webSocket(ACME_READER, "Origin: " + ownOrigin).getBytes(UTF_8));
            assertThat(SearchDoor.statusLine(socket)).contains(" 101 ");
        }
    }

    /** That the page shows it as text, a browser shows in PageIT of the search service. */
    @Test
    void attack48AScriptInALine() throws Exception {
        String reader = "cyberdyne-reader";
        List<HttpResponse<String>> answers = List.of(
                door.post(reader, path("cyberdyne", "search"), "{}"),
                door.post(reader, path("cyberdyne", "patterns"), "{}"),
                door.post(reader, path("cyberdyne", "values"), "{\"column\":\"message\"}"),
                door.get(reader, lines("{stream=\"logs\"}")),
                door.get(reader, lines("{stream=\"logs\"} " + HOSTILE)),
                door.post(reader, path("cyberdyne", "search"), "{\"query\":\"x (%s\"}".formatted(HOSTILE)),
                door.post(reader, path(URLEncoder.encode(HOSTILE, UTF_8), "search"), "{}"));
        for (HttpResponse<String> answer : answers) {
            assertThat(answer.headers().firstValue("content-type").orElseThrow())
                    .as(answer.body())
                    .matches("(application/(json|x-ndjson)|text/plain; charset=utf-8)(;.*)?");
            assertThat(answer.headers().firstValue("x-content-type-options")).contains("nosniff");
        }
        assertThat(answers.getFirst().body()).contains("window.ran");
        String page = door.answer("", "GET /?tenant=cyberdyne&query=%3Cscript%3E HTTP/1.1", LOCALHOST);
        assertThat(page)
                .contains("Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; ")
                .contains("X-Content-Type-Options: nosniff")
                .doesNotContain("unsafe-inline")
                .doesNotContain("%3Cscript", "window.ran");
        assertThat(page).as("all its scripts are files").doesNotContainPattern("<script(?![^>]*src=)");
    }
}
