package io.cordwood.identity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens of another provider stand for a user, and are refused when they are not its, not for us, or not good. */
final class OpenIdProviderTest {
    private static final Duration OFTEN = Duration.ofNanos(1);

    private Provider remote;
    private OpenIdProvider provider;

    @BeforeEach
    void start() throws Exception {
        remote = new Provider();
        provider = provider("sub");
    }

    @AfterEach
    void stop() {
        remote.close();
    }

    private OpenIdProvider provider(String claim) {
        return new OpenIdProvider(
                new OpenIdProvider.Settings(remote.issuer(), "cordwood", claim), InstantSource.system());
    }

    private void assertRefused(String token, String why) {
        assertThatThrownBy(() -> provider.user(token))
                .isInstanceOf(InvalidTokenException.class)
                .hasMessageContaining(why)
                .hasMessageNotContaining(token);
    }

    private void assertRefused(JWTClaimsSet.Builder claims, String why) throws Exception {
        assertRefused(remote.token(claims.build()), why);
    }

    @Test
    void aTokenStandsForTheUserOfItsClaim() throws Exception {
        assertThat(provider.user(remote.token(remote.claims().build()))).isEqualTo("ann");
        assertThat(provider("preferred_username")
                        .user(remote.token(remote.claims()
                                .claim("preferred_username", "Ann B")
                                .build())))
                .isEqualTo("Ann B");
        JWSHeader ofAccess = new JWSHeader.Builder(JWSAlgorithm.RS512)
                .keyID("k1")
                .type(new JOSEObjectType("at+jwt"))
                .build();
        assertThat(provider.user(Provider.signed(ofAccess, remote.claims().build(), new RSASSASigner(remote.key))))
                .isEqualTo("ann");
        assertThat(provider.user(remote.token(
                        remote.claims().audience(List.of("other", "cordwood")).build())))
                .isEqualTo("ann");
        assertThat(remote.asked).as("the keys are kept").hasValue(2);
    }

    @Test
    void aTokenOfAnEllipticCurveIsGood() throws Exception {
        ECKey key = new ECKeyGenerator(Curve.P_384).keyID("ec").generate();
        remote.publish(new JWKSet(List.<JWK>of(remote.key, key)).toString(true));
        JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.ES384).keyID("ec").build();
        assertThat(provider.user(Provider.signed(header, remote.claims().build(), new ECDSASigner(key))))
                .isEqualTo("ann");
    }

    @Test
    void aTokenIsRefusedThatHasEndedOrNotBegun() throws Exception {
        Date before = Date.from(Instant.now().minusSeconds(120));
        assertRefused(remote.claims().expirationTime(before), "Expired");
        assertRefused(remote.claims().expirationTime(null), "exp");
        assertRefused(remote.claims().notBeforeTime(Date.from(Instant.now().plusSeconds(120))), "before use time");
        assertThat(provider.user(
                        remote.token(remote.claims().notBeforeTime(before).build())))
                .isEqualTo("ann");
    }

    @Test
    void aTokenOfAnotherIssuerOrForAnotherAudienceIsRefused() throws Exception {
        assertRefused(remote.claims().issuer(remote.issuer() + "/"), "iss");
        assertRefused(remote.claims().issuer(null), "iss");
        assertRefused(remote.claims().audience("grafana"), "aud");
        assertRefused(remote.claims().audience((String) null), "aud");
    }

    @Test
    void aTokenThatNamesNoUserIsRefused() throws Exception {
        assertRefused(remote.claims().subject(null), "sub");
        assertRefused(remote.claims().subject(" "), "no name of a user");
        provider = provider("roles");
        assertRefused(remote.claims().claim("roles", List.of("ann")), "no name of a user");
    }

    /** Else whoever registers at the provider with the address of another would be that one here. */
    @Test
    void anEmailAddressCountsOnceTheProviderHasVerifiedIt() throws Exception {
        provider = provider("email");
        JWTClaimsSet.Builder claims = remote.claims().claim("email", "ann@example.org");
        assertRefused(claims, "not verified");
        assertRefused(claims.claim("email_verified", false), "not verified");
        assertThat(provider.user(
                        remote.token(claims.claim("email_verified", true).build())))
                .isEqualTo("ann@example.org");
    }

    @Test
    void anUnsignedTokenIsRefused() {
        assertRefused(new PlainJWT(remote.claims().build()).serialize(), "");
    }

    @Test
    void aTokenSignedWithThePublicKeyAsAPasswordIsRefused() throws Exception {
        JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("k1").build();
        for (byte[] secret : List.of(
                remote.key.toPublicJWK().toJSONString().getBytes(UTF_8),
                remote.key.toRSAPublicKey().getEncoded())) {
            assertRefused(Provider.signed(header, remote.claims().build(), new MACSigner(secret)), "");
        }
    }

    @Test
    void aTokenWithAKeyOfItsOwnIsRefused() throws Exception {
        RSAKey own = Provider.key("own");
        JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.RS256)
                .keyID("own")
                .jwk(own.toPublicJWK())
                .build();
        assertRefused(Provider.signed(header, remote.claims().build(), new RSASSASigner(own)), "");
        JWSHeader ofOurs = new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("k1").build();
        assertRefused(Provider.signed(ofOurs, remote.claims().build(), new RSASSASigner(own)), "");
    }

    @Test
    void garbageIsRefused() {
        for (String garbage : new String[] {"", ".", "..", "a.b.c", "x".repeat(16_000)}) {
            assertThatThrownBy(() -> provider.user(garbage)).isInstanceOf(InvalidTokenException.class);
            assertThat(provider.names(garbage)).isFalse();
        }
    }

    @Test
    void aNewKeyIsReadWhenATokenNamesIt() throws Exception {
        provider.user(remote.token(remote.claims().build()));
        RSAKey next = Provider.key("k2");
        String token = Provider.signed(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("k2").build(),
                remote.claims().build(),
                new RSASSASigner(next));
        remote.publish(new JWKSet(next).toString(true));
        assertThat(provider.user(token)).isEqualTo("ann");
    }

    /** Anyone can name keys that do not exist. */
    @Test
    void unknownKeysAreNotAskedForAgainAndAgain() throws Exception {
        String good = remote.token(remote.claims().build());
        provider.user(good);
        for (int i = 0; i < 100; i++) {
            String token = Provider.signed(
                    new JWSHeader.Builder(JWSAlgorithm.RS256)
                            .keyID("made-up-" + i)
                            .build(),
                    remote.claims().build(),
                    new RSASSASigner(remote.key));
            assertThatThrownBy(() -> provider.user(token))
                    .isInstanceOfAny(InvalidTokenException.class, IOException.class);
        }
        assertThat(remote.asked.get()).isBetween(2, 4);
        assertThat(provider.user(good)).as("known keys are not affected").isEqualTo("ann");
    }

    @Test
    void tokensOfAProviderThatIsDownCannotBeChecked() throws Exception {
        String token = remote.token(remote.claims().build());
        remote.close();
        assertThatThrownBy(() -> provider.user(token))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot be checked now")
                .hasMessageContaining(remote.issuer().toString())
                .hasMessageNotContaining(token);
    }

    /** Whoever reads the keys holds up all others who need them. */
    @Test
    void aProviderThatTricklesItsKeysHoldsNobodyUpForLong() {
        DiscoveredKeys keys = new DiscoveredKeys(remote.issuer(), Duration.ofSeconds(1));
        remote.trickle(Duration.ofMillis(100));
        Instant begin = Instant.now();
        assertThatThrownBy(() -> keys.getJWKSet(null, 0, null))
                .isInstanceOf(KeySourceException.class)
                .hasMessageContaining("has not answered within PT1S");
        assertThat(Duration.between(begin, Instant.now())).isLessThan(Duration.ofSeconds(30));
    }

    /** Each request alone would be in time. */
    @Test
    void bothRequestsForTheKeysShareOneDeadline() throws Exception {
        remote.publish("{\"keys\":[]%s}".formatted(" ".repeat(70)));
        remote.trickle(Duration.ofMillis(20));
        DiscoveredKeys keys = new DiscoveredKeys(remote.issuer(), Duration.ofMillis(2500));
        assertThatThrownBy(() -> keys.getJWKSet(null, 0, null))
                .isInstanceOf(KeySourceException.class)
                .hasMessageContaining("has not answered within PT2.5S");
        assertThat(new DiscoveredKeys(remote.issuer(), Duration.ofMinutes(1))
                        .getJWKSet(null, 0, null)
                        .getKeys())
                .isEmpty();
    }

    @Test
    void tooManyKeysAreNotRead() throws Exception {
        String pad = "x".repeat(1 << 20);
        remote.publish("{\"keys\":[],\"pad\":\"%s\"}".formatted(pad));
        unreadable();
    }

    @Test
    void redirectionsAreNotFollowed() throws Exception {
        try (Provider other = new Provider()) {
            other.publish(new JWKSet(remote.key).toString(true));
            remote.publish(other.issuer() + "/keys");
            unreadable();
            remote.redirect(other.issuer() + "/.well-known/openid-configuration");
            unreadable();
            assertThat(other.asked).hasValue(0);
        }
    }

    @Test
    void aDocumentThatIsOfAnotherIssuerOrNamesUnsafeKeysIsNotUsed() throws Exception {
        remote.describe("https://other.example", remote.issuer() + "/keys");
        unreadable();
        List<String> unsafe = new ArrayList<>(List.of("file:///etc/passwd", "http://198.51.100.1/keys", "/keys"));
        unsafe.add("http://user:password@127.0.0.1/keys");
        for (String keys : unsafe) {
            remote.describe(remote.issuer().toString(), keys);
            unreadable();
        }
    }

    private void unreadable() throws Exception {
        OpenIdProvider fresh = new OpenIdProvider(
                new OpenIdProvider.Settings(remote.issuer(), "cordwood", "sub"), InstantSource.system(), OFTEN);
        String token = remote.token(remote.claims().build());
        assertThatThrownBy(() -> fresh.user(token))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot be read");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://sso.example.org",
                "http://198.51.100.1",
                "ftp://127.0.0.1",
                "file:///tmp",
                "sso.example.org",
                "https://sso.example.org?realm=a",
                "https://sso.example.org#a",
                "https://user@sso.example.org",
            })
    void anIssuerIsHttpsOrOnThisMachine(String issuer) {
        URI uri = URI.create(issuer);
        assertThatThrownBy(() -> new OpenIdProvider.Settings(uri, "cordwood", "sub"))
                .isInstanceOf(IllegalArgumentException.class);
        new OpenIdProvider.Settings(URI.create("https://sso.example.org/realms/a"), "cordwood", "sub");
    }

    @Test
    void aTokenSaysWhoseItIs() throws Exception {
        assertThat(provider.names(remote.token(remote.claims().build()))).isTrue();
        assertThat(provider.names(
                        remote.token(remote.claims().issuer("cordwood").build())))
                .isFalse();
    }
}
