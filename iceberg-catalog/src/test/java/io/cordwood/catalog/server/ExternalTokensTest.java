package io.cordwood.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.protocol.AccessToken;
import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.TokenStore;
import io.cordwood.catalog.tenant.User;
import io.cordwood.identity.Audience;
import io.cordwood.identity.OpenIdProvider;
import io.cordwood.identity.ServiceRole;
import io.cordwood.identity.TenantRole;
import io.cordwood.identity.Token;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens of an OpenID provider are exchanged for those of the lake, for persons alone. */
class ExternalTokensTest {
    private static final String EXCHANGE = "grant_type=urn:ietf:params:oauth:grant-type:token-exchange&subject_token=";

    @TempDir
    private Path directory;

    private ECKey key;
    private HttpServer provider;
    private String issuer;
    private SecuredService service;

    @BeforeEach
    void start() throws Exception {
        key = new ECKeyGenerator(Curve.P_256).keyID("k1").generate();
        provider = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        issuer = "http://127.0.0.1:" + provider.getAddress().getPort();
        serve(
                "/.well-known/openid-configuration",
                "{\"issuer\":\"%s\",\"jwks_uri\":\"%s/keys\"}".formatted(issuer, issuer));
        serve("/keys", new JWKSet(key).toString(true));
        provider.start();
        service = new SecuredService(
                "jdbc:sqlite:" + directory.resolve("catalog.db"),
                directory,
                new OpenIdProvider.Settings(URI.create(issuer), "cordwood", "sub"));
        service.admin.putUser(User.person("ann", Map.of("acme", Set.of(TenantRole.WRITER))));
    }

    private void serve(String path, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        provider.createContext(path, exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, bytes.length);
                exchange.getResponseBody().write(bytes);
            }
        });
    }

    @AfterEach
    void stop() {
        service.close();
        provider.stop(0);
    }

    private String external(String user, Duration life) throws Exception {
        SignedJWT jwt = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("k1").build(),
                new JWTClaimsSet.Builder()
                        .issuer(issuer)
                        .audience("cordwood")
                        .subject(user)
                        .expirationTime(Date.from(Instant.now().plus(life)))
                        .build());
        jwt.sign(new ECDSASigner(key));
        return jwt.serialize();
    }

    private String external(String user) throws Exception {
        return external(user, Duration.ofMinutes(5));
    }

    private void refused(String token, String why) throws Exception {
        HttpResponse<String> answer = service.form(EXCHANGE + token);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains("invalid_grant", why).doesNotContain(token);
    }

    @Test
    void aTokenIsExchangedForOneOfTheRegisteredUser() throws Exception {
        AccessToken own = CatalogClient.exchange(service.server.uri(), Map.of(), external("ann"));
        assertThat(own.life()).isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
        try (CatalogClient ann =
                CatalogClient.connect(service.server.uri(), Map.of(CatalogClient.TOKEN, own.token()))) {
            assertThat(ann.whoami().user().name()).isEqualTo("ann");
            Token ofRecords = service.keys
                    .publicKeys()
                    .verify(ann.recordToken("acme", Set.of()).token(), Audience.RECORDS);
            assertThat(ofRecords.ships("acme", "logs")).isTrue();
            assertThat(ofRecords.expires())
                    .as("no line of tokens outlives the login")
                    .isBeforeOrEqualTo(Instant.now().plus(own.life()));
        }
        for (String type : Set.of("id_token", "access_token", "jwt")) {
            assertThat(service.form(EXCHANGE + external("ann") + "&subject_token_type=urn:ietf:params:oauth:token-type:"
                                    + type)
                            .statusCode())
                    .isEqualTo(200);
        }
        assertThat(service.form(EXCHANGE + external("ann")
                                + "&subject_token_type=urn:ietf:params:oauth:token-type:saml2")
                        .statusCode())
                .isEqualTo(400);
        JsonNode ofRecords =
                Json.parse(service.form(EXCHANGE + external("ann") + "&audience=cordwood-records&tenant=acme")
                        .body()
                        .getBytes(StandardCharsets.UTF_8));
        service.keys.publicKeys().verify(Json.text(ofRecords, "access_token"), Audience.RECORDS);
    }

    @Test
    void aTokenOfTheProviderItselfOpensNoDoorAndIsToldTheWay() throws Exception {
        HttpResponse<String> answer = service.get("/v1/config", external("ann"));
        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.body()).contains("exchange it at /cordwood/v1/oauth2/token");
    }

    @Test
    void nobodyIsMadeByTheProvider() throws Exception {
        refused(external("mallory"), "No user 'mallory' is registered");
        assertThat(service.admin.user("mallory")).isEmpty();
    }

    /** Who may choose a name at the provider must not become the operator of the lake. */
    @Test
    void aTokenNamesNoOperatorAndNoService() throws Exception {
        service.service(ServiceRole.INGEST);
        refused(external("admin"), "these have API keys only");
        refused(external("ingest"), "these have API keys only");
    }

    @Test
    void whoBecomesAnOperatorOrAServiceKeepsNoTokenOfTheProvider() throws Exception {
        String own = CatalogClient.exchange(service.server.uri(), Map.of(), external("ann"))
                .token();
        String next =
                CatalogClient.exchange(service.server.uri(), Map.of(), own).token();
        String apiKey = service.admin.createToken("ann").token();
        service.admin.putUser(User.operator("ann"));
        for (String token : List.of(own, next)) {
            assertThat(service.get("/cordwood/v1/users", token).statusCode()).isEqualTo(401);
            refused(token, "revoked");
        }
        assertThat(service.get("/cordwood/v1/users", apiKey).statusCode()).isEqualTo(200);

        service.admin.putUser(User.person("ben", Map.of()));
        String ofBen = CatalogClient.exchange(service.server.uri(), Map.of(), external("ben"))
                .token();
        service.admin.putUser(new User("ben", false, Optional.of(ServiceRole.INGEST), Map.of()));
        assertThat(service.get("/v1/config", ofBen).statusCode()).isEqualTo(401);
    }

    @Test
    void aTokenThatIsNotGoodIsRefused() throws Exception {
        refused(external("ann", Duration.ofMinutes(-5)), "Expired");
        String[] parts = external("ann").split("\\.", -1);
        String[] other = external("admin").split("\\.", -1);
        refused(parts[0] + "." + other[1] + "." + parts[2], "");
    }

    @Test
    void tokensEndWithTheirUser() throws Exception {
        String own = CatalogClient.exchange(service.server.uri(), Map.of(), external("ann"))
                .token();
        assertThat(service.get("/v1/config", own).statusCode()).isEqualTo(200);
        service.admin.deleteUser("ann");
        assertThat(service.get("/v1/config", own).statusCode()).isEqualTo(401);
        refused(external("ann"), "No user 'ann' is registered");
    }

    /** The line begins with no registered token. */
    @Test
    void allTokensOfOneUsersLineAreCountedTogether() throws Exception {
        String own = CatalogClient.exchange(service.server.uri(), Map.of(), external("ann"))
                .token();
        String first = service.keys.publicKeys().verify(own, Audience.REQUESTS).id();
        Instant ends = Instant.now().plusSeconds(600);
        try (Database database = Database.open("jdbc:sqlite:" + directory.resolve("catalog.db"))) {
            database.write(connection -> {
                String root = TokenStore.bearer(connection, first).orElseThrow().rootId();
                for (int i = 0; i < 1998; i++) {
                    TokenStore.put(
                            connection,
                            new Token(
                                    "loop-" + i,
                                    "ann",
                                    Audience.REQUESTS,
                                    ends.minusSeconds(3600),
                                    ends,
                                    Optional.empty(),
                                    Optional.empty(),
                                    Optional.of(first)),
                            root);
                }
                return null;
            });
        }
        assertThat(service.form(EXCHANGE + own).statusCode()).isEqualTo(200);
        for (String token : List.of(own, external("ann"))) {
            HttpResponse<String> refusal = service.form(EXCHANGE + token);
            assertThat(refusal.statusCode()).isEqualTo(400);
            assertThat(refusal.body()).contains("2000 tokens");
        }
    }

    @Test
    void whileTheProviderIsDownOnlyItsTokensWait() throws Exception {
        provider.stop(0);
        HttpResponse<String> answer = service.form(EXCHANGE + external("ann"));
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).hasValue("30");
        assertThat(answer.body()).contains("cannot be checked now", issuer);
        String own = service.admin.createToken("ann").token();
        assertThat(service.form(EXCHANGE + own).statusCode()).isEqualTo(200);
        assertThat(service.get("/v1/config", own).statusCode()).isEqualTo(200);
    }
}
