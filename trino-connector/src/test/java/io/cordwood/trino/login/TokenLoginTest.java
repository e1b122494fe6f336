package io.cordwood.trino.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.identity.Audience;
import io.cordwood.identity.ServiceRole;
import io.cordwood.identity.SigningKeys;
import io.cordwood.identity.TenantRole;
import io.cordwood.identity.Token;
import io.cordwood.identity.TokenRules;
import io.trino.spi.security.AccessDeniedException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class TokenLoginTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final SigningKeys KEYS = SigningKeys.create();

    private final TokenLogin login = login(Map.of());

    private static TokenLogin login(Map<String, Instant> revoked) {
        TokenRules rules = new TokenRules(KEYS.publicKeys(), revoked, NOW);
        return new TokenLogin(() -> Optional.of(rules), Clock.fixed(NOW, ZoneOffset.UTC));
    }

    private static Token token(String user, Optional<Token.Scope> scope, Optional<ServiceRole> service) {
        return new Token("t1", user, Audience.REQUESTS, NOW, NOW.plusSeconds(60), scope, service, Optional.empty());
    }

    private static Token of(String user) {
        return token(user, Optional.empty(), Optional.empty());
    }

    @Test
    void aTokenStandsForItsUser() {
        String alice = KEYS.sign(of("alice"));
        assertThat(login.login(alice).toString()).isEqualTo("alice");
        assertThat(login.login("alice", alice).getName()).isEqualTo("alice");
    }

    @Test
    void aTokenIsNoPasswordOfAnotherUser() {
        String alice = KEYS.sign(of("alice"));
        for (String other : List.of("bob", "ALICE", "", "alice ")) {
            assertThatThrownBy(() -> login.login(other, alice))
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessageContaining("another user");
        }
    }

    @Test
    void whatIsNoTokenOrNotGoodIsRefused() {
        assertThatThrownBy(() -> login.login("alice", "secret")).isInstanceOf(AccessDeniedException.class);
        assertThatThrownBy(() -> login.login("")).isInstanceOf(AccessDeniedException.class);
        assertThatThrownBy(() -> login.login(SigningKeys.create().sign(of("alice"))))
                .isInstanceOf(AccessDeniedException.class)
                .hasMessageContaining("not known");
        Token expired = new Token(
                "t2",
                "alice",
                Audience.REQUESTS,
                NOW.minus(Duration.ofHours(1)),
                NOW,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        assertThatThrownBy(() -> login.login(KEYS.sign(expired))).hasMessageContaining("expired");
    }

    /** Who reads a topic would log in as its producers. */
    @Test
    void aTokenOfARecordIsNoLogin() {
        Token.Scope acme = new Token.Scope("acme", TenantRole.WRITER, Set.of());
        for (Optional<Token.Scope> scope : List.of(Optional.<Token.Scope>empty(), Optional.of(acme))) {
            Token ofRecord = new Token(
                    "t3",
                    "alice",
                    Audience.RECORDS,
                    NOW,
                    NOW.plusSeconds(60),
                    scope,
                    Optional.empty(),
                    Optional.empty());
            assertThatThrownBy(() -> login.login(KEYS.sign(ofRecord)))
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessageContaining("another audience");
        }
    }

    @Test
    void aRevokedTokenIsRefusedAlthoughItsRevocationHasNotBegun() {
        TokenLogin revoking = login(Map.of("t1", NOW.plusSeconds(10)));
        assertThatThrownBy(() -> revoking.login(KEYS.sign(of("alice"))))
                .isInstanceOf(AccessDeniedException.class)
                .hasMessageContaining("revoked");
    }

    @Test
    void aTokenThatWasTakenBeforeIsRefusedOnceItIsRevokedOrItsKeyIsGone() {
        AtomicReference<TokenRules> rules = new AtomicReference<>(new TokenRules(KEYS.publicKeys(), Map.of(), NOW));
        TokenLogin changing = new TokenLogin(() -> Optional.of(rules.get()), Clock.fixed(NOW, ZoneOffset.UTC));
        String alice = KEYS.sign(of("alice"));
        changing.login(alice);

        rules.set(new TokenRules(KEYS.publicKeys(), Map.of("t1", NOW), NOW));
        assertThatThrownBy(() -> changing.login(alice)).hasMessageContaining("revoked");

        rules.set(new TokenRules(SigningKeys.create().publicKeys(), Map.of(), NOW));
        assertThatThrownBy(() -> changing.login(alice)).hasMessageContaining("not known");
    }

    /** Trino would show all that the user sees. */
    @Test
    void aTokenThatIsLimitedToATenantIsNoLogin() {
        for (TenantRole role : TenantRole.values()) {
            Token.Scope acme = new Token.Scope("acme", role, Set.of());
            assertThatThrownBy(() -> login.login(KEYS.sign(token("alice", Optional.of(acme), Optional.empty()))))
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessageContaining("limited to tenant 'acme'");
        }
    }

    @Test
    void aServiceAndTheOwnerOfAViewDoNotLogIn() {
        assertThatThrownBy(() ->
                        login.login(KEYS.sign(token("ingest", Optional.empty(), Optional.of(ServiceRole.INGEST)))))
                .isInstanceOf(AccessDeniedException.class)
                .hasMessageContaining("of a service");
        assertThatThrownBy(() -> login.login(KEYS.sign(of("view of: alice"))))
                .isInstanceOf(AccessDeniedException.class)
                .hasMessageContaining("cannot log in");
    }

    @Test
    void withoutRulesNobodyLogsIn() {
        TokenLogin cut = new TokenLogin(Optional::empty, Clock.fixed(NOW, ZoneOffset.UTC));
        assertThatThrownBy(() -> cut.login(KEYS.sign(of("alice"))))
                .isInstanceOf(AccessDeniedException.class)
                .hasMessageContaining("catalog service does not answer");
    }

    @Test
    void aBearerHasOneHeaderOfItsScheme() {
        assertThat(TokenHeaderAuthenticatorFactory.bearer(List.of("Bearer abc")))
                .isEqualTo("abc");
        assertThat(TokenHeaderAuthenticatorFactory.bearer(List.of("bearer  abc ")))
                .isEqualTo("abc");
        assertThatThrownBy(() -> TokenHeaderAuthenticatorFactory.bearer(null)).hasMessageContaining("No token");
        for (List<String> headers : List.of(
                List.<String>of(),
                List.of(""),
                List.of("Bearer"),
                List.of("Basic abc"),
                List.of("Bearer a", "Bearer b"))) {
            assertThatThrownBy(() -> TokenHeaderAuthenticatorFactory.bearer(headers))
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessageContaining("No token");
        }
    }
}
