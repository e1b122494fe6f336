package io.cordwood.catalog.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.tenant.AccessRules;
import io.cordwood.catalog.tenant.User;
import io.cordwood.identity.Audience;
import io.cordwood.identity.ServiceRole;
import io.cordwood.identity.SigningKeys;
import io.cordwood.identity.TenantRole;
import io.cordwood.identity.Token;
import io.cordwood.identity.TokenRules;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CallersTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final SigningKeys KEYS = SigningKeys.create();
    private static final AccessRules RULES = new AccessRules(
            false,
            List.of(
                    User.operator("root"),
                    User.person(
                            "ann", Map.of("acme", Set.of(TenantRole.READER), "globex", Set.of(TenantRole.WRITER)))));

    private static Callers callers(Map<String, Instant> revoked) {
        TokenRules rules = new TokenRules(KEYS.publicKeys(), revoked, NOW);
        return new Callers(false, () -> Optional.of(rules), () -> RULES, Clock.fixed(NOW, ZoneOffset.UTC));
    }

    private static String token(String user, Optional<Token.Scope> scope, Optional<ServiceRole> service) {
        return KEYS.sign(
                new Token("t1", user, Audience.REQUESTS, NOW, NOW.plusSeconds(60), scope, service, Optional.empty()));
    }

    private static Caller caller(String user, Optional<Token.Scope> scope) {
        return callers(Map.of()).caller(Optional.of("Bearer " + token(user, scope, Optional.empty())));
    }

    private static Optional<Token.Scope> scope(String tenant, TenantRole role, String... streams) {
        return Optional.of(new Token.Scope(tenant, role, Set.of(streams)));
    }

    private static String basic(String pair) {
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(UTF_8));
    }

    @Test
    void aUserReadsWhatItIsGrantedToRead() {
        Caller ann = caller("ann", Optional.empty());
        assertThat(ann.user()).isEqualTo("ann");
        assertThat(ann.isOperator()).isFalse();
        assertThat(ann.reads("acme", "logs")).isTrue();
        assertThat(ann.reads("globex", "logs")).isFalse();
        assertThat(ann.reads("nosuch", "logs")).isFalse();
        assertThat(ann.tenants()).containsExactly("acme");
        assertThat(caller("nobody", Optional.empty()).reads("acme", "logs")).isFalse();
    }

    @Test
    void anOperatorReadsEverything() {
        Caller root = caller("root", Optional.empty());
        assertThat(root.isOperator()).isTrue();
        assertThat(root.reads("any", "logs")).isTrue();
    }

    @Test
    void aLimitedTokenReadsNoMoreThanItsLimitAndItsUser() {
        Caller stream = caller("ann", scope("acme", TenantRole.READER, "logs"));
        assertThat(stream.reads("acme", "logs")).isTrue();
        assertThat(stream.reads("acme", "other")).isFalse();
        assertThat(stream.tenants()).containsExactly("acme");
        // A role that the user does not have, and one that does not read
        assertThat(caller("ann", scope("acme", TenantRole.DELETER)).reads("acme", "logs"))
                .isFalse();
        assertThat(caller("ann", scope("globex", TenantRole.WRITER)).reads("globex", "logs"))
                .isFalse();
        assertThat(caller("ann", scope("globex", TenantRole.READER)).reads("globex", "logs"))
                .isFalse();
        Caller limitedOperator = caller("root", scope("acme", TenantRole.READER));
        assertThat(limitedOperator.isOperator()).isFalse();
        assertThat(limitedOperator.reads("acme", "logs")).isTrue();
        assertThat(limitedOperator.reads("globex", "logs")).isFalse();
    }

    @Test
    void aPasswordIsAToken() {
        String token = token("ann", Optional.empty(), Optional.empty());
        assertThat(callers(Map.of()).caller(Optional.of(basic("ann:" + token))).user())
                .isEqualTo("ann");
    }

    @Test
    void whoHasNoGoodTokenIsRefused() {
        String good = token("ann", Optional.empty(), Optional.empty());
        String ofService = token("search", Optional.empty(), Optional.of(ServiceRole.SEARCH));
        for (String header : List.of(
                "",
                "Bearer ",
                "Bearer nonsense",
                "Basic !!!",
                basic("ann:secret"),
                "Digest " + good,
                "Bearer " + ofService)) {
            assertThatThrownBy(() -> callers(Map.of()).caller(Optional.of(header)))
                    .as(header)
                    .isInstanceOf(NotAuthenticatedException.class);
        }
        assertThatThrownBy(() -> callers(Map.of()).caller(Optional.empty()))
                .isInstanceOf(NotAuthenticatedException.class)
                .hasMessageContaining("Send a token");
        assertThatThrownBy(() -> callers(Map.of("t1", NOW)).caller(Optional.of("Bearer " + good)))
                .isInstanceOf(NotAuthenticatedException.class)
                .hasMessageContaining("revoked");
        Callers withoutRules = new Callers(false, Optional::empty, () -> RULES, Clock.fixed(NOW, ZoneOffset.UTC));
        assertThatThrownBy(() -> withoutRules.caller(Optional.of("Bearer " + good)))
                .isInstanceOf(RulesUnavailableException.class)
                .hasMessageContaining("cannot be checked now");
    }

    @Test
    void withoutAuthenticationEverybodyIsAnOperator() {
        Caller anyone = Callers.open().caller(Optional.empty());
        assertThat(anyone.isOperator()).isTrue();
        assertThat(anyone.reads("any", "logs")).isTrue();
    }

    @Test
    void aPasswordIsPassedOnAsABearersToken() {
        String token = token("ann", Optional.empty(), Optional.empty());
        assertThat(Callers.asBearer(basic("anyone:" + token))).isEqualTo("Bearer " + token);
        assertThat(Callers.asBearer("Bearer " + token)).isEqualTo("Bearer " + token);
        assertThat(Callers.asBearer("Digest x")).isEqualTo("Digest x");
    }
}
