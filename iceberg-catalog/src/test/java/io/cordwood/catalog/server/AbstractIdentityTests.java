package io.cordwood.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.protocol.AuditEntry;
import io.cordwood.catalog.protocol.IssuedToken;
import io.cordwood.catalog.protocol.RegisteredToken;
import io.cordwood.catalog.protocol.TokenRequest;
import io.cordwood.catalog.server.identity.Audit;
import io.cordwood.catalog.server.identity.BootstrapToken;
import io.cordwood.catalog.server.identity.Revocations;
import io.cordwood.catalog.server.identity.TokenAuthenticator;
import io.cordwood.catalog.server.identity.TokenIssuer;
import io.cordwood.catalog.server.identity.TokenRegistry;
import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.RevocationClock;
import io.cordwood.catalog.server.store.TokenStore;
import io.cordwood.catalog.tenant.User;
import io.cordwood.identity.Audience;
import io.cordwood.identity.InvalidTokenException;
import io.cordwood.identity.ServiceRole;
import io.cordwood.identity.TenantRole;
import io.cordwood.identity.Token;
import io.cordwood.identity.TokenRules;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Users, tokens and their revocation, run on every database. */
abstract class AbstractIdentityTests extends AbstractSecuredServiceTests {
    private static final String EXCHANGE = "grant_type=urn:ietf:params:oauth:grant-type:token-exchange&subject_token=";

    private int status(String token) throws Exception {
        return service.get("/v1/config", token).statusCode();
    }

    private JsonNode exchanged(String token) throws Exception {
        HttpResponse<String> answer = service.form(EXCHANGE + token);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Json.parse(answer.body().getBytes(StandardCharsets.UTF_8));
    }

    private String accessToken(String token) throws Exception {
        return Json.text(exchanged(token), "access_token");
    }

    @Test
    void anApiKeyBuysATokenForAnHour() throws Exception {
        String key = service.person("alice", "acme", TenantRole.READER);
        HttpResponse<String> byForm =
                service.form("grant_type=client_credentials&scope=catalog&client_id=alice&client_secret=" + key);
        assertThat(byForm.statusCode()).isEqualTo(200);
        assertThat(byForm.headers().firstValue("Cache-Control")).hasValue("no-store");
        JsonNode token = Json.parse(byForm.body().getBytes(StandardCharsets.UTF_8));
        assertThat(Json.text(token, "token_type")).isEqualTo("bearer");
        assertThat(Json.text(token, "issued_token_type")).isEqualTo("urn:ietf:params:oauth:token-type:access_token");
        assertThat(Json.number(token, "expires_in")).isBetween(3590L, 3600L);
        assertThat(service.client(Json.text(token, "access_token"))
                        .whoami()
                        .user()
                        .name())
                .isEqualTo("alice");
        String basic = Base64.getEncoder().encodeToString(("alice:" + key).getBytes(StandardCharsets.UTF_8));
        assertThat(service.form("grant_type=client_credentials", "Authorization", "Basic " + basic)
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void theTokenEndpointRefusesAsTheStandardSays() throws Exception {
        String key = service.person("alice", "acme", TenantRole.READER);
        String credentials = "grant_type=client_credentials&client_id=%s&client_secret=%s";
        for (String form : List.of(credentials.formatted("admin", key), credentials.formatted("alice", "guessed"))) {
            HttpResponse<String> answer = service.form(form);
            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(answer.body()).contains("\"error\":\"invalid_client\"");
        }
        assertThat(service.form(credentials.formatted("alice", key)).statusCode())
                .isEqualTo(200);
        assertThat(service.form("grant_type=password").body()).contains("\"error\":\"unsupported_grant_type\"");
        assertThat(service.form("grant_type=client_credentials").body()).contains("\"error\":\"invalid_request\"");
        assertThat(service.form("").body()).contains("\"error\":\"invalid_request\"");
        assertThat(service.form("%zz=%").statusCode()).isEqualTo(400);
        HttpResponse<String> exchange = service.form(EXCHANGE + "guessed");
        assertThat(exchange.statusCode()).isEqualTo(400);
        assertThat(exchange.body()).contains("\"error\":\"invalid_grant\"");
    }

    @Test
    void anExchangedTokenDoesNotOutliveItsKey() throws Exception {
        admin.putUser(User.person("alice", Map.of()));
        IssuedToken key = admin.createToken(
                "alice", TokenRequest.requests(Optional.empty(), Optional.of(Duration.ofMinutes(90))));
        JsonNode first = exchanged(key.token());
        assertThat(Json.number(first, "expires_in")).isBetween(3590L, 3600L);
        String second = accessToken(Json.text(first, "access_token"));
        assertThat(service.client(second).whoami().expires().orElseThrow()).isBeforeOrEqualTo(key.expires());
        IssuedToken brief =
                admin.createToken("alice", TokenRequest.requests(Optional.empty(), Optional.of(Duration.ofMinutes(2))));
        assertThat(Json.number(exchanged(accessToken(brief.token())), "expires_in"))
                .isBetween(60L, 120L);
    }

    @Test
    void aTokenIsRevokedWithThatItWasExchangedFor() throws Exception {
        admin.putUser(User.person("alice", Map.of()));
        IssuedToken key = admin.createToken("alice");
        IssuedToken other = admin.createToken("alice");
        String first = accessToken(key.token());
        String second = accessToken(first);
        String sibling = accessToken(key.token());
        String firstId = id(first);
        admin.revokeToken(firstId);
        assertThat(status(first)).isEqualTo(401);
        assertThat(status(second)).as("a token of the revoked one").isEqualTo(401);
        assertThat(status(sibling)).isEqualTo(200);
        admin.revokeToken(key.id());
        assertThat(status(sibling)).isEqualTo(401);
        assertThat(status(other.token())).isEqualTo(200);
        assertThat(service.form(EXCHANGE + key.token()).statusCode()).isEqualTo(400);
        admin.revokeToken(key.id());
        refused(404, () -> admin.revokeToken("nothing"));
    }

    private String id(String compact) throws Exception {
        return service.keys.publicKeys().verify(compact, Audience.REQUESTS).id();
    }

    @Test
    void aRemovedUsersTokensStayRevokedWhenTheNameReturns() throws Exception {
        String key = service.person("alice", "acme", TenantRole.READER);
        String access = accessToken(key);
        admin.deleteUser("alice");
        assertThat(status(key)).isEqualTo(401);
        String again = service.person("alice", "acme", TenantRole.READER);
        assertThat(status(again)).isEqualTo(200);
        assertThat(status(key)).isEqualTo(401);
        assertThat(status(access)).isEqualTo(401);
        refused(404, () -> admin.deleteUser("bob"));
    }

    @Test
    void aGrantIsRevokedWithTheTokensForIt() {
        admin.putUser(User.person(
                "alice",
                Map.of("acme", Set.of(TenantRole.DELETER, TenantRole.WRITER), "beta", Set.of(TenantRole.WRITER))));
        IssuedToken acme = admin.createToken("alice", TokenRequest.of("acme", TenantRole.WRITER));
        IssuedToken acmeReader = admin.createToken("alice", TokenRequest.of("acme", TenantRole.READER));
        IssuedToken beta = admin.createToken("alice", TokenRequest.of("beta", TenantRole.WRITER));
        IssuedToken any = admin.createToken("alice");
        admin.putUser(
                User.person("alice", Map.of("acme", Set.of(TenantRole.READER), "beta", Set.of(TenantRole.WRITER))));
        assertThat(revoked()).containsExactly(acme.id());
        admin.deleteTenant("beta", Map.of());
        assertThat(revoked()).containsExactlyInAnyOrder(acme.id(), beta.id());
        assertThat(admin.user("alice").orElseThrow().grants()).containsOnlyKeys("acme");
        assertThat(admin.tokens("alice").stream()
                        .filter(token -> token.revoked().isEmpty())
                        .map(RegisteredToken::id))
                .containsExactlyInAnyOrder(acmeReader.id(), any.id());
    }

    private List<String> revoked() {
        return admin.tokens().stream()
                .filter(token -> token.revoked().isPresent())
                .map(RegisteredToken::id)
                .toList();
    }

    @Test
    void aServiceThatBecomesAnotherNeedsNewTokens() throws Exception {
        String ingest = service.service(ServiceRole.INGEST);
        admin.putUser(new User("ingest", false, Optional.of(ServiceRole.GATEWAY), Map.of()));
        assertThat(status(ingest)).isEqualTo(401);
        assertThat(status(admin.createToken("ingest").token())).isEqualTo(200);
    }

    @Test
    void tokensAreCreatedWithinWhatTheUserMayDo() throws Exception {
        String key = service.person("alice", "acme", TenantRole.DELETER, TenantRole.WRITER);
        service.person("bob", "beta", TenantRole.READER);
        CatalogClient alice = service.client(key);
        Token.Scope streams = new Token.Scope("acme", TenantRole.WRITER, Set.of("logs", "audit"));
        IssuedToken shipper = alice.createToken("alice", TokenRequest.requests(Optional.of(streams), Optional.empty()));
        Token claims = service.keys.publicKeys().verify(shipper.token(), Audience.REQUESTS);
        assertThat(claims.scope()).hasValue(streams);
        assertThat(Duration.between(claims.issued(), claims.expires())).isEqualTo(Duration.ofDays(30));
        alice.createToken("alice", TokenRequest.of("acme", TenantRole.READER));
        refused(400, () -> alice.createToken("alice", TokenRequest.of("beta", TenantRole.READER)));
        refused(403, () -> alice.createToken("bob"));
        refused(403, () -> alice.createToken("nobody"));
        refused(404, () -> admin.createToken("nobody"));
        refused(400, () -> admin.createToken("bob", TokenRequest.of("beta", TenantRole.WRITER)));
        refused(400, () -> admin.createToken("admin", TokenRequest.of("unregistered", TenantRole.WRITER)));
        admin.createToken("admin", TokenRequest.of("beta", TenantRole.WRITER));
        Duration tooLong = Duration.ofDays(366);
        refused(400, () -> alice.createToken("alice", TokenRequest.requests(Optional.empty(), Optional.of(tooLong))));

        CatalogClient scoped = service.client(shipper.token());
        Token.Scope fewer = new Token.Scope("acme", TenantRole.WRITER, Set.of("logs"));
        refused(403, () -> scoped.createToken("alice", TokenRequest.requests(Optional.of(fewer), Optional.empty())));
        refused(403, () -> scoped.createToken("alice"));
        refused(403, () -> scoped.tokens());
        refused(403, () -> scoped.createToken("alice", TokenRequest.of("acme", TenantRole.WRITER)));
        refused(403, () -> scoped.createToken("alice", TokenRequest.of("acme", TenantRole.READER)));
        CatalogClient brief = service.client(accessToken(key));
        refused(403, () -> brief.createToken("alice"));
    }

    @Test
    void aTokenForRecordsOpensNoDoor() throws Exception {
        String key = service.person("alice", "acme", TenantRole.READER, TenantRole.WRITER);
        IssuedToken shipper = service.client(key).createToken("alice", TokenRequest.records("acme"));
        assertThat(ofRecord(shipper.token()).ships("acme", "logs")).isTrue();
        HttpResponse<String> answer = service.get("/v1/config", shipper.token());
        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.body()).contains("another audience");
        assertThat(service.form(EXCHANGE + shipper.token()).statusCode()).isEqualTo(400);
        assertThat(service.form("grant_type=client_credentials&client_id=alice&client_secret=" + shipper.token())
                        .statusCode())
                .isEqualTo(401);
        assertThat(admin.tokens("alice"))
                .filteredOn(token -> token.audience() == Audience.RECORDS)
                .extracting(RegisteredToken::id)
                .containsExactly(shipper.id());
        refused(400, () -> admin.createToken("alice", records(Optional.empty())));
        Token.Scope reader = new Token.Scope("acme", TenantRole.READER, Set.of());
        refused(400, () -> admin.createToken("alice", records(Optional.of(reader))));
        refused(400, () -> admin.createToken("alice", TokenRequest.records("beta")));
        service.service(ServiceRole.INGEST);
        refused(400, () -> admin.createToken("ingest", records(Optional.empty())));
    }

    private static TokenRequest records(Optional<Token.Scope> scope) {
        return new TokenRequest(Audience.RECORDS, scope, Optional.empty());
    }

    private Token ofRecord(String compact) throws Exception {
        return service.keys.publicKeys().verify(compact, Audience.RECORDS);
    }

    @Test
    void aTokenIsExchangedForOneOfRecordsWithinItsLimits() throws Exception {
        String key = service.person("alice", "acme", TenantRole.READER, TenantRole.WRITER);
        Token any = ofRecord(service.client(key).recordToken("acme", Set.of()).token());
        assertThat(any.scope()).hasValue(new Token.Scope("acme", TenantRole.WRITER, Set.of()));
        assertThat(Duration.between(any.issued(), any.expires())).isEqualTo(Duration.ofHours(1));
        assertThat(any.parent()).hasValue(id(key));
        refused(400, () -> service.client(key).recordToken("beta", Set.of()));
        String reader = service.person("bob", "acme", TenantRole.READER);
        refused(400, () -> service.client(reader).recordToken("acme", Set.of()));

        Token.Scope two = new Token.Scope("acme", TenantRole.WRITER, Set.of("logs", "audit"));
        CatalogClient limited =
                service.client(admin.createToken("alice", TokenRequest.requests(Optional.of(two), Optional.empty()))
                        .token());
        assertThat(ofRecord(limited.recordToken("acme", Set.of()).token()).scope())
                .hasValue(two);
        assertThat(ofRecord(limited.recordToken("acme", Set.of("logs")).token())
                        .scope()
                        .orElseThrow()
                        .streams())
                .containsExactly("logs");
        refused(400, () -> limited.recordToken("acme", Set.of("others")));
        refused(400, () -> limited.recordToken("beta", Set.of()));
        String whole = admin.createToken("alice", TokenRequest.of("acme", TenantRole.WRITER))
                .token();
        for (String token : List.of(key, whole)) {
            HttpResponse<String> answer =
                    service.form(EXCHANGE + token + "&audience=cordwood-records&tenant=acme&stream=logs,audit");
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body()).contains("'logs,audit' cannot be the name of a stream");
        }
        CatalogClient reads = service.client(admin.createToken("alice", TokenRequest.of("acme", TenantRole.READER))
                .token());
        refused(400, () -> reads.recordToken("acme", Set.of()));

        String gateway = service.service(ServiceRole.GATEWAY);
        String form = EXCHANGE + gateway + "&audience=cordwood-records";
        String ofGateway =
                Json.text(Json.parse(service.form(form).body().getBytes(StandardCharsets.UTF_8)), "access_token");
        assertThat(ofRecord(ofGateway).ships("globex", "logs")).isTrue();
        String ingest = service.service(ServiceRole.INGEST);
        assertThat(service.form(EXCHANGE + ingest + "&audience=cordwood-records")
                        .statusCode())
                .isEqualTo(400);
        assertThat(service.form(EXCHANGE + key + "&audience=another").statusCode())
                .isEqualTo(400);
        assertThat(service.form(EXCHANGE + key + "&tenant=acme").body()).contains("go with the audience");
    }

    /** The exchange asks the clock when it has found its caller, before its transaction begins. */
    @Test
    void anExchangeThatWaitsSeesTheGrantsThatWereTakenAwayMeanwhile() throws Exception {
        String key = service.person("alice", "acme", TenantRole.READER, TenantRole.WRITER);
        try (Database database = Database.open(url)) {
            InstantSource clock = InstantSource.system();
            InstantSource late = () -> {
                admin.putUser(User.person("alice", Map.of("acme", Set.of(TenantRole.READER))));
                return clock.instant();
            };
            TokenIssuer issuer = new TokenIssuer(
                    () -> service.keys,
                    BootstrapToken.read(directory.resolve("bootstrap.token")),
                    Optional.empty(),
                    database,
                    new Revocations(new RevocationClock(database, clock)),
                    new TokenAuthenticator(service.keys::publicKeys, Optional.empty(), database, clock),
                    new Audit(database, clock),
                    late);
            TokenIssuer.Purpose records = new TokenIssuer.Purpose(Audience.RECORDS, Optional.of("acme"), Set.of());
            assertThatThrownBy(() -> issuer.exchange(Optional.empty(), key, records))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is no writer of tenant 'acme'");
        }
    }

    @Test
    void aTokenForOneTenantOfAnOperatorIsNoOperator() throws Exception {
        admin.ensureTable("acme", "logs", List.of());
        admin.ensureTable("acme", "audit", List.of());
        admin.ensureTable("beta", "logs", List.of());
        Token.Scope scope = new Token.Scope("acme", TenantRole.READER, Set.of("logs"));
        CatalogClient scoped =
                service.client(admin.createToken("admin", TokenRequest.requests(Optional.of(scope), Optional.empty()))
                        .token());
        assertThat(scoped.whoami().user().operator()).isFalse();
        assertThat(scoped.whoami().scope()).hasValue(scope);
        assertThat(scoped.table("acme", "logs")).isPresent();
        assertThatThrownBy(() -> scoped.table("acme", "audit")).hasMessageContaining("not granted");
        assertThatThrownBy(() -> scoped.table("beta", "logs")).hasMessageContaining("not granted");
        refused(403, scoped::accessRules);
        refused(403, () -> scoped.putUser(User.operator("mallory")));
    }

    @Test
    void aUserListsAndRevokesItsOwnTokensOnly() throws Exception {
        String key = service.person("alice", "acme", TenantRole.READER);
        CatalogClient alice = service.client(key);
        String other = service.person("bob", "acme", TenantRole.READER);
        assertThat(alice.tokens()).extracting(RegisteredToken::user).containsExactly("alice");
        refused(403, () -> alice.tokens("bob"));
        assertThat(admin.tokens()).extracting(RegisteredToken::user).contains("alice", "bob", "admin");
        String path = "/cordwood/v1/tokens/";
        HttpResponse<String> existing = service.send("DELETE", path + id(other), "", key);
        HttpResponse<String> missing = service.send("DELETE", path + "nothing", "", key);
        assertThat(existing.statusCode()).isEqualTo(403);
        assertThat(missing.body()).isEqualTo(existing.body());
        alice.revokeToken(id(key));
        refused(401, alice::tokens);
        assertThat(status(other)).isEqualTo(200);
    }

    @Test
    void anOperatorWithATokenIsLeft() throws Exception {
        refused(400, () -> admin.deleteUser("admin"));
        refused(400, () -> admin.putUser(User.person("admin", Map.of())));
        refused(400, () -> admin.revokeToken(service.adminToken.id()));
        assertThat(status(service.adminToken.token())).isEqualTo(200);
        admin.putUser(User.operator("root"));
        refused(400, () -> admin.deleteUser("admin"));
        CatalogClient root = service.client(admin.createToken("root").token());
        root.deleteUser("admin");
        assertThat(root.whoami().user().operator()).isTrue();
        assertThat(status(service.adminToken.token())).isEqualTo(401);
    }

    @Test
    void theRegistryIsClosedBeforeItsFirstGrant() {
        assertThat(admin.accessRules().open()).isFalse();
        assertThat(admin.accessRules().isOperator("anyone")).isFalse();
        assertThat(admin.accessRules().isOperator("admin")).isTrue();
    }

    @Test
    void theAuditTellsOfChangesAndOfRefusalsOnceAMinute() throws Exception {
        String key = service.person("alice", "acme", TenantRole.READER);
        admin.deleteTenant("acme", Map.of());
        for (int i = 0; i < 50; i++) {
            assertThat(service.get("/cordwood/v1/audit", key).statusCode()).isEqualTo(403);
            assertThat(service.get("/cordwood/v1/users", "").statusCode()).isEqualTo(401);
        }
        admin.revokeToken(id(key));
        List<AuditEntry> entries = admin.audit(100);
        assertThat(entries)
                .filteredOn(entry -> !entry.action().equals("refused"))
                .extracting(AuditEntry::action)
                .containsExactlyInAnyOrder(
                        "bootstrap", "user-changed", "token-created", "tenant-deleted", "token-revoked");
        assertThat(entries)
                .filteredOn(entry -> entry.action().equals("token-revoked"))
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.actor()).isEqualTo("admin");
                    assertThat(entry.subject()).isEqualTo(id(key));
                    assertThat(entry.detail()).isEqualTo("of user 'alice'");
                });
        List<AuditEntry> refusals = entries.stream()
                .filter(entry -> entry.action().equals("refused"))
                .toList();
        assertThat(refusals.size()).as("two users, in at most a few minutes").isBetween(2, 6);
        assertThat(refusals).extracting(AuditEntry::actor).containsOnly("alice", "");
        assertThat(refusals.stream().mapToLong(AuditEntry::count).sum()).isEqualTo(100);
        assertThat(entries.toString()).doesNotContain(key);
        assertThat(admin.audit(1)).hasSize(1);
    }

    @Test
    void theAuditTellsWhereRefusedLoginsCameFrom() throws Exception {
        String key = service.person("alice", "acme", TenantRole.READER);
        assertThat(service.form("grant_type=client_credentials&client_id=admin&client_secret=" + key)
                        .statusCode())
                .isEqualTo(401);
        assertThat(service.form(EXCHANGE + "guessed").statusCode()).isEqualTo(400);
        assertThat(admin.audit(100))
                .filteredOn(entry -> entry.action().equals("refused"))
                .isNotEmpty()
                .allSatisfy(entry -> {
                    assertThat(entry.subject()).isEqualTo("POST /cordwood/v1/oauth2/token");
                    assertThat(entry.detail()).endsWith(", from 127.0.0.1").doesNotContain(key);
                });
    }

    /** Else whoever wants to hide asks for what has a long name. */
    @Test
    void aLongReasonKeepsTheAddressOfWhoWasRefused() throws Exception {
        String key = service.person("alice", "acme", TenantRole.READER);
        assertThat(service.get("/v1/namespaces/%s/tables".formatted("x".repeat(600)), key)
                        .statusCode())
                .isEqualTo(403);
        assertThat(admin.audit(100))
                .filteredOn(entry -> entry.action().equals("refused"))
                .singleElement()
                .satisfies(entry -> assertThat(entry.detail()).endsWith("x..., from 127.0.0.1"));
    }

    /** A copy of a limited token must not keep its user from work. */
    @Test
    void whoExchangesInALoopStopsThatTokenAlone() throws Exception {
        String key = service.person("alice", "acme", TenantRole.READER, TenantRole.WRITER);
        IssuedToken limited = admin.createToken("alice", TokenRequest.of("acme", TenantRole.READER));
        String newest = limited.token();
        try (Database database = Database.open(url)) {
            Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
            database.write(connection -> {
                for (int i = 0; i < 1999; i++) {
                    TokenStore.put(
                            connection,
                            exchanged("loop-" + i, Audience.REQUESTS, limited.id(), now.plusSeconds(600)),
                            limited.id());
                    TokenStore.put(
                            connection, exchanged("old-" + i, Audience.REQUESTS, limited.id(), now), limited.id());
                }
                return null;
            });
        }
        newest = accessToken(newest);
        HttpResponse<String> refusal = service.form(EXCHANGE + newest);
        assertThat(refusal.statusCode()).isEqualTo(400);
        assertThat(refusal.body()).contains("2000 tokens with the audience cordwood were exchanged");
        assertThat(service.form(EXCHANGE + limited.token()).statusCode()).isEqualTo(400);
        assertThat(status(newest)).isEqualTo(200);
        assertThat(status(accessToken(key))).isEqualTo(200);
        service.client(key).createToken("alice");
    }

    /** They are in the rules of every reader for more than a year. */
    @Test
    void whoExchangesAndRevokesInALoopStopsItself() throws Exception {
        String key = service.person("alice", "acme", TenantRole.READER, TenantRole.WRITER);
        String other = service.person("bob", "acme", TenantRole.WRITER);
        CatalogClient alice = service.client(key);
        IssuedToken one = alice.createToken("alice");
        Instant ended = Instant.now().truncatedTo(ChronoUnit.SECONDS).minusSeconds(60);
        putRevoked("one", one.id(), 2000, ended);
        refused(400, () -> service.client(one.token()).recordToken("acme", Set.of()));
        assertThat(status(accessToken(one.token()))).as("for requests").isEqualTo(200);
        alice.recordToken("acme", Set.of());
        for (int round = 1; round < 10; round++) {
            putRevoked("round-" + round, "key-" + round, 2000, ended);
        }
        assertThatThrownBy(() -> alice.recordToken("acme", Set.of()))
                .hasMessageContaining("User 'alice' has 20000 exchanged tokens with the audience cordwood-records");
        assertThat(status(accessToken(key))).as("for requests").isEqualTo(200);
        service.client(other).recordToken("acme", Set.of());
    }

    private void putRevoked(String name, String root, int count, Instant ended) {
        try (Database database = Database.open(url)) {
            database.write(connection -> {
                String first = name + "-0";
                for (int i = 0; i < count; i++) {
                    String parent = i == 0 ? root : first;
                    TokenStore.put(connection, exchanged(name + "-" + i, Audience.RECORDS, parent, ended), root);
                }
                // With all that came of it
                TokenStore.revoke(connection, first, ended);
                return null;
            });
        }
    }

    private static Token exchanged(String id, Audience audience, String parent, Instant expires) {
        return new Token(
                id,
                "alice",
                audience,
                expires.minusSeconds(3600),
                expires,
                Optional.empty(),
                Optional.empty(),
                Optional.of(parent));
    }

    @Test
    void aRevocationCountsAtOnceAtEveryServiceOfTheDatabase() throws Exception {
        admin.putUser(User.person("alice", Map.of()));
        IssuedToken key = admin.createToken("alice");
        Path bootstrap = directory.resolve("bootstrap.token");
        try (CatalogServer other = CatalogServer.start(new CatalogServerOptions(
                        "127.0.0.1",
                        0,
                        url,
                        directory.resolve("warehouse").toString(),
                        Map.of(),
                        Optional.of(new CatalogServerOptions.Authentication(
                                bootstrap, directory.resolve("signing-keys.json"), Optional.empty())),
                        Optional.empty(),
                        OptionalInt.empty(),
                        Optional.empty()));
                CatalogClient there = CatalogClient.connect(other.uri(), Map.of(CatalogClient.TOKEN, key.token()))) {
            assertThat(there.whoami().user().name()).isEqualTo("alice");
            admin.revokeToken(key.id());
            refused(401, there::whoami);
            refused(401, () -> CatalogClient.bootstrap(other.uri(), Map.of(), "a-wrong-secret-of-some-length", "x"));
            refused(409, () -> CatalogClient.bootstrap(other.uri(), Map.of(), SecuredService.BOOTSTRAP_TOKEN, "x"));
        }
    }

    @Test
    void theRulesHoldEveryRevocationThatBeginsBeforeTheyAreComplete() {
        admin.putUser(User.person("alice", Map.of("acme", Set.of(TenantRole.WRITER))));
        IssuedToken key = admin.createToken("alice", TokenRequest.records("acme"));
        CatalogClient ingest = service.client(service.service(ServiceRole.INGEST));
        TokenRules before = ingest.tokenRules();
        assertThat(Duration.between(Instant.now(), before.completeUntil()))
                .isBetween(Duration.ofSeconds(5), Duration.ofSeconds(15));
        admin.revokeToken(key.id());
        Instant begins = admin.tokens("alice").getFirst().revoked().orElseThrow();
        assertThat(begins).isAfterOrEqualTo(before.completeUntil());
        assertThat(Duration.between(Instant.now(), begins)).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(15));
        TokenRules after = ingest.tokenRules();
        Token token;
        try {
            token = after.verifyOfRecord(key.token());
        } catch (InvalidTokenException e) {
            throw new AssertionError(e);
        }
        assertThat(after.goodUntil(token)).isEqualTo(begins);
        assertThat(after.goodUntil(token)).isAfterOrEqualTo(before.completeUntil());
    }

    /** Two services whose clocks are apart, on one database; SQLite has the clock of the service. */
    @Test
    void aRevocationBeginsNoEarlierThanRulesOfAClockThatIsAhead() {
        try (Database database = Database.open(url)) {
            Instant now = Instant.now();
            RevocationClock ahead = new RevocationClock(database, InstantSource.fixed(now.plusSeconds(60)));
            RevocationClock behind = new RevocationClock(database, InstantSource.fixed(now.minusSeconds(60)));
            Instant complete = database.write(ahead::advance);
            assertThat(database.<Instant>write(behind::advance)).isAfterOrEqualTo(complete);
            if (database.isSqlite()) {
                RevocationClock wrong =
                        new RevocationClock(database, InstantSource.fixed(now.plus(Duration.ofDays(9))));
                database.write(wrong::advance);
                assertThat(database.<Instant>write(ahead::advance))
                        .as("a clock that was wrong once does not put off every revocation")
                        .isEqualTo(complete);
            }
        }
    }

    @Test
    void endedTokensAreForgottenAndRevokedOnesForRecordsAreKept() {
        admin.putUser(User.person("alice", Map.of("acme", Set.of(TenantRole.READER, TenantRole.WRITER))));
        IssuedToken revoked = admin.createToken("alice", TokenRequest.records("acme"));
        IssuedToken revokedWriter = admin.createToken("alice", TokenRequest.of("acme", TenantRole.WRITER));
        admin.createToken("alice", TokenRequest.records("acme"));
        IssuedToken later =
                admin.createToken("alice", TokenRequest.requests(Optional.empty(), Optional.of(Duration.ofDays(300))));
        IssuedToken gateway = issue(Audience.RECORDS, ServiceRole.GATEWAY);
        IssuedToken balancer = issue(Audience.REQUESTS, ServiceRole.BALANCER);
        for (IssuedToken token : List.of(revoked, revokedWriter, gateway, balancer)) {
            admin.revokeToken(token.id());
        }
        try (Database database = Database.open(url)) {
            InstantSource clock = InstantSource.system();
            TokenRegistry registry = new TokenRegistry(
                    service.keys::publicKeys,
                    database,
                    new Revocations(new RevocationClock(database, clock)),
                    new Audit(database, clock),
                    clock);
            registry.forget(Instant.now().plus(Duration.ofDays(100)));
            assertThat(admin.tokens("alice"))
                    .extracting(RegisteredToken::id)
                    .containsExactlyInAnyOrder(revoked.id(), later.id());
            Map<String, Instant> known = database.read(TokenStore::revoked);
            assertThat(known).containsOnlyKeys(revoked.id(), gateway.id());
            registry.forget(Instant.now().plus(Duration.ofDays(500)));
            List<RegisteredToken> left = database.read(connection -> TokenStore.ofUser(connection, "alice"));
            assertThat(left).isEmpty();
            assertThat(database.<Map<String, Instant>>read(TokenStore::revoked)).isEmpty();
        }
    }

    private IssuedToken issue(Audience audience, ServiceRole role) {
        admin.putUser(User.service(role));
        return admin.createToken(role.label(), new TokenRequest(audience, Optional.empty(), Optional.empty()));
    }

    /** Parsed, a body takes many times its size of the memory that all tenants share. */
    @Test
    void bodiesOfPeopleAndLoginsAreSmall() throws Exception {
        String writer = service.person("alice", "acme", TenantRole.WRITER);
        String commit = "/v1/namespaces/acme/tables/logs";
        assertThat(service.send("POST", commit, "x".repeat(5 << 20), writer).statusCode())
                .isEqualTo(413);
        assertThat(service.send("POST", commit, "x".repeat(3 << 20), writer).statusCode())
                .isEqualTo(400);
        assertThat(service.form("x".repeat(17 << 10)).statusCode()).isEqualTo(413);
    }
}
