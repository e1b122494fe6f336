package io.cordwood.standalone.attack;

import static io.cordwood.standalone.attack.SecuredStack.ACME_READER;
import static io.cordwood.standalone.attack.SecuredStack.ACME_WRITER;
import static io.cordwood.standalone.attack.SecuredStack.GLOBEX_READER;
import static io.cordwood.standalone.attack.SecuredStack.GLOBEX_WRITER;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import com.nimbusds.jwt.SignedJWT;
import io.cordwood.services.Waiting;
import io.cordwood.standalone.attack.SecuredStack.Running;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Attacks on the ingest gateway: rows under the name of others, and floods, each beside what is allowed. */
@ExtendWith(SecuredStack.class)
final class GatewayAttacksIT {
    private static final String INGEST = "/api/v1/ingest/logs";
    private static final String TENANT = "X-Scope-OrgID";
    private static final Duration REVOKED = Duration.ofSeconds(5);
    /** On a busy machine, too. */
    private static final Duration SOON = Duration.ofSeconds(10);

    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final int MEGABYTE = 1 << 20;

    private final Running stack;
    private final String mark = UUID.randomUUID().toString().replace("-", "");

    GatewayAttacksIT(Running stack) {
        this.stack = stack;
    }

    private URI uri() {
        return URI.create(stack.endpoint("gateway"));
    }

    private HttpResponse<String> post(String key, String path, byte[] body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(uri() + path))
                .timeout(TIMEOUT)
                .POST(BodyPublishers.ofByteArray(body));
        if (!key.isEmpty()) {
            request.header("Authorization", "Bearer " + key);
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        return stack.sendAlone(request.build());
    }

    private int ship(String key, String message, String... headers) throws Exception {
        return post(key, INGEST, row(message), headers).statusCode();
    }

    private byte[] row(String message) {
        return "{\"message\":\"%s %s\"}".formatted(mark, message).getBytes(UTF_8);
    }

    private String count(String user, String tenant) throws Exception {
        return stack.sql(
                        user, "SELECT count(*) FROM cordwood.%s.logs WHERE message LIKE '%s%%'".formatted(tenant, mark))
                .getFirst();
    }

    private void assertRows(int ofAcme, int ofGlobex) throws Exception {
        Waiting.until("the rows of acme", () -> count(ACME_READER, "acme").equals(Integer.toString(ofAcme)));
        assertThat(count(GLOBEX_READER, "globex")).isEqualTo(Integer.toString(ofGlobex));
    }

    private void assertVictimIsAnsweredSoon() throws Exception {
        long sent = System.nanoTime();
        HttpResponse<String> answer = post(stack.token(GLOBEX_WRITER), INGEST, row("victim"));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(Duration.ofNanos(System.nanoTime() - sent)).isLessThan(SOON);
    }

    @Test
    void attack55TheTenantOfAnother() throws Exception {
        String key = stack.token(ACME_WRITER);
        for (String named : List.of("globex", "acme,globex", "acme|globex", "acme/../globex", "GLOBEX")) {
            assertThat(ship(key, "foreign", TENANT, named)).as(named).isEqualTo(403);
            assertThat(ship(key, "foreign", "X-Cordwood-Tenant", named))
                    .as(named)
                    .isEqualTo(403);
        }
        assertThat(post(key, INGEST + "?tenant=globex", row("foreign")).statusCode())
                .isEqualTo(403);
        HttpResponse<String> exists = post(key, INGEST, row("foreign"), TENANT, "globex");
        HttpResponse<String> missing = post(key, INGEST, row("foreign"), TENANT, "nobody");
        assertThat(missing.body().replace("nobody", "globex")).isEqualTo(exists.body());
        assertThat(ship(key, "own", TENANT, "acme")).isEqualTo(200);
        assertThat(ship(key, "own")).isEqualTo(200);
        assertRows(2, 0);
    }

    @Test
    void attack56ARowThatSaysItIsOfAnother() throws Exception {
        String rows = """
            {"message":"%1$s a","tenant_id":"globex","cordwood.tenant":"globex"}
            {"message":"%1$s b","tenant":"globex","_tenant":"globex","$path":"x"}
            """.formatted(mark);
        assertThat(post(
                                stack.token(ACME_WRITER),
                                INGEST,
                                rows.getBytes(UTF_8),
                                "cordwood.tenant",
                                "globex",
                                "cordwood.token",
                                stack.token(GLOBEX_WRITER))
                        .statusCode())
                .isEqualTo(200);
        assertRows(2, 0);
        assertThat(stack.sql(
                        ACME_READER,
                        "SELECT DISTINCT tenant_id FROM cordwood.acme.logs WHERE message LIKE '%s%%'".formatted(mark)))
                .containsExactly("acme");
    }

    @Test
    void attack57AKeyThatIsNotForThis() throws Exception {
        assertThat(ship("", "none")).isEqualTo(401);
        assertThat(ship("garbage", "garbage")).isEqualTo(401);
        assertThat(ship(stack.token(ACME_READER), "reader", TENANT, "acme")).isEqualTo(403);
        String ofRecords = stack.createToken(ACME_WRITER, "--tenant", "acme", "--for", "records");
        assertThat(ship(ofRecords, "of records")).isEqualTo(401);
        for (String service : List.of("ingest", "query", "gateway", "search")) {
            assertThat(ship(stack.secretText(service + ".token"), service, TENANT, "acme"))
                    .as(service)
                    .isIn(401, 403);
        }
        String otherStream =
                stack.createToken(ACME_WRITER, "--tenant", "acme", "--role", "writer", "--stream", "audit");
        assertThat(ship(otherStream, "other stream")).isEqualTo(403);
        String revoked = stack.createToken(ACME_WRITER, "--tenant", "acme", "--role", "writer");
        String expires = stack.createToken(ACME_WRITER, "--tenant", "acme", "--role", "writer", "--expires", "2s");
        assertThat(ship(revoked, "own")).isEqualTo(200);
        stack.ok("token", "revoke", SignedJWT.parse(revoked).getJWTClaimsSet().getJWTID());
        long ordered = System.nanoTime();
        Waiting.until("the revoked key is refused", () -> ship(revoked, "maybe") == 401);
        assertThat(Duration.ofNanos(System.nanoTime() - ordered)).isLessThan(REVOKED);
        Waiting.until("the key has expired", () -> ship(expires, "maybe") == 401);
        for (int i = 0; i < 3; i++) {
            assertThat(ship(revoked, "revoked")).isEqualTo(401);
            assertThat(ship(expires, "expired")).isEqualTo(401);
        }
    }

    @Test
    void attack58AKeyInAUrl() throws Exception {
        String key = stack.token(ACME_WRITER);
        for (String name : List.of("token", "access_token", "key", "api_key")) {
            assertThat(post("", INGEST + "?tenant=acme&" + name + "=" + key, row("url"))
                            .statusCode())
                    .as(name)
                    .isEqualTo(401);
        }
        assertThat(ship(key, "own")).isEqualTo(200);
        assertRows(1, 0);
        try (Stream<Path> logs = Files.list(stack.home().directory().resolve("log"))) {
            for (Path log : logs.toList()) {
                assertThat(Files.readString(log)).as(log.toString()).doesNotContain(key);
            }
        }
    }

    @Test
    void attack59BombsInEveryPacking() throws Exception {
        String key = stack.token(ACME_WRITER);
        byte[] bomb = Zstd.compress(new byte[512 * MEGABYTE]);
        List<Callable<Integer>> bombs = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            bombs.add(() -> post(key, INGEST, bomb, "Content-Encoding", "zstd").statusCode());
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(bombs.size())) {
            List<Future<Integer>> answers = bombs.stream().map(threads::submit).toList();
            assertVictimIsAnsweredSoon();
            for (Future<Integer> answer : answers) {
                assertThat(answer.get()).isIn(413, 429);
            }
        }
        assertThat(post(key, INGEST, Zstd.compress(row("own")), "Content-Encoding", "zstd")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void attack60BodiesThatDoNotEnd() throws Exception {
        String head = "POST %s HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n";
        String key = "Authorization: Bearer %s\r\n".formatted(stack.token(ACME_WRITER));
        byte[] part = new byte[64 << 10];
        Arrays.fill(part, (byte) 'x');
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < 150; i++) {
                sockets.add(open(head.formatted(INGEST, key, 8 * MEGABYTE), part));
                sockets.add(open(head.formatted(INGEST, "", 8 * MEGABYTE), new byte[1]));
                sockets.add(open("POST / HTTP/1.1\r\nHost: local", new byte[0]));
            }
            assertVictimIsAnsweredSoon();
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
        Waiting.until("the attacker's tenant has room again", () -> ship(stack.token(ACME_WRITER), "own") == 200);
    }

    private Socket open(String head, byte[] body) throws IOException {
        Socket socket = stack.tls(uri());
        OutputStream out = socket.getOutputStream();
        out.write(head.getBytes(UTF_8));
        out.write(body);
        out.flush();
        return socket;
    }

    @Test
    void attack61MoreThanTheGatewayHolds() throws Exception {
        String key = stack.token(ACME_WRITER);
        byte[] large =
                ("{\"m\":\"" + "x".repeat(15 * MEGABYTE) + "\"}\n").repeat(2).getBytes(UTF_8);
        List<Callable<Integer>> floods = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            floods.add(() -> post(key, INGEST, large).statusCode());
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(floods.size())) {
            List<Future<Integer>> answers = floods.stream().map(threads::submit).toList();
            assertVictimIsAnsweredSoon();
            List<Integer> statuses = new ArrayList<>();
            for (Future<Integer> answer : answers) {
                statuses.add(answer.get());
            }
            assertThat(statuses).contains(429).allMatch(status -> status == 200 || status == 429 || status == 503);
        }
        Waiting.until("the gateway has room again", () -> ship(key, "own") == 200);
    }

    @Test
    void attack62SyslogWithoutAKeyOrForAnother() throws Exception {
        String element = "<13>1 - h a - - [cordwood@32473 %s] %s syslog\n";
        syslog("<13>%s syslog\n".formatted(mark));
        syslog(element.formatted("key=\"garbage\"", mark));
        syslog(element.formatted("tenant=\"globex\"", mark));
        syslog(element.formatted("key=\"%s\" tenant=\"globex\"".formatted(stack.token(ACME_WRITER)), mark));
        syslog(element.formatted("key=\"%s\"".formatted(stack.token(ACME_WRITER)), mark));
        assertRows(1, 0);
    }

    private void syslog(String message) throws IOException {
        try (Socket socket = stack.tls(URI.create("syslog://" + stack.endpoint("syslog")))) {
            socket.getOutputStream().write(message.getBytes(UTF_8));
        }
    }
}
