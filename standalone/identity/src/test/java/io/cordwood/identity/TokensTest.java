package io.cordwood.identity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens are signed, verified, and refused when they are not this lake's, or not good any more. */
final class TokensTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Token WRITER = new Token(
            "id-1",
            "anna",
            Audience.RECORDS,
            NOW,
            NOW.plusSeconds(3600),
            Optional.of(new Token.Scope("acme", TenantRole.WRITER, Set.of("logs"))),
            Optional.empty(),
            Optional.of("parent-1"));

    private final SigningKeys keys = SigningKeys.create();

    @Test
    void claimsSurviveTheWay() throws Exception {
        assertThat(keys.publicKeys().verify(keys.sign(WRITER), Audience.RECORDS))
                .isEqualTo(WRITER);
        Token service = new Token(
                "id-2",
                "ingest",
                Audience.REQUESTS,
                NOW,
                NOW.plusSeconds(1),
                Optional.empty(),
                Optional.of(ServiceRole.INGEST),
                Optional.empty());
        assertThat(keys.publicKeys().verify(keys.sign(service), Audience.REQUESTS))
                .isEqualTo(service);
    }

    @Test
    void aTokenOfAnotherKeyIsRefused() {
        assertRefused(SigningKeys.create().sign(WRITER), "key that is not known");
    }

    @Test
    void aTokenOfAnOlderKeyIsGoodAfterRotation() throws Exception {
        String old = keys.sign(WRITER);
        SigningKeys rotated = keys.withNext().rotated(NOW);
        assertThat(rotated.publicKeys().verify(old, Audience.RECORDS)).isEqualTo(WRITER);
        assertThat(rotated.publicKeys().verify(rotated.sign(WRITER), Audience.RECORDS))
                .isEqualTo(WRITER);
        assertThatThrownBy(() -> keys.publicKeys().verify(rotated.sign(WRITER), Audience.RECORDS))
                .isInstanceOf(InvalidTokenException.class);
    }

    /** Whoever stole the old key would sign with it for ever. */
    @Test
    void aKeyThatWasReplacedSignsNoLongerTokensThanItDidBefore() throws Exception {
        SigningKeys rotated = keys.withNext().rotated(NOW);
        PublicKeys published = TokenRules.parse(new TokenRules(rotated.publicKeys(), Map.of(), NOW).toJson())
                .keys();
        Instant last = NOW.plusSeconds(60).plus(Token.MAX_LIFE);
        assertThat(published.verify(keys.sign(until(last)), Audience.RECORDS))
                .as("the longest of a service that is late by a minute")
                .isEqualTo(until(last));

        String forged = keys.sign(until(last.plus(Duration.ofDays(1))));
        assertThat(keys.publicKeys().verify(forged, Audience.RECORDS))
                .as("before")
                .isNotNull();
        assertThatThrownBy(() -> published.verify(forged, Audience.RECORDS))
                .isInstanceOf(InvalidTokenException.class)
                .hasMessageContaining("ends after the key that signed it");
    }

    @Test
    void aSecondRotationDoesNotProlongAKey() {
        SigningKeys second = keys.withNext().rotated(NOW);
        SigningKeys third = second.withNext().rotated(NOW.plus(Duration.ofDays(30)));
        String forged = keys.sign(until(NOW.plus(Token.MAX_LIFE).plus(Duration.ofDays(2))));
        assertThatThrownBy(() -> third.publicKeys().verify(forged, Audience.RECORDS))
                .hasMessageContaining("ends after the key that signed it");
    }

    @Test
    void aKeyStaysAsLongAsRecordsWithItsTokensAreReadAgain() throws Exception {
        Token last = until(NOW.plus(Token.MAX_LIFE));
        String first = keys.sign(last);
        SigningKeys second = keys.withNext().rotated(NOW);
        Instant readAgain = last.expires().plus(TokenRules.REPLAYED);
        SigningKeys soon = second.withNext().rotated(readAgain);
        SigningKeys late = second.withNext().rotated(readAgain.plus(Duration.ofDays(1)));

        assertThat(soon.publicKeys().verify(first, Audience.RECORDS)).isEqualTo(last);
        assertThatThrownBy(() -> late.publicKeys().verify(first, Audience.RECORDS))
                .hasMessageContaining("key that is not known");
        assertThat(late.publicKeys().verify(second.sign(WRITER), Audience.RECORDS))
                .isEqualTo(WRITER);
    }

    @Test
    void aNewKeyIsKnownBeforeItSigns() throws Exception {
        SigningKeys announced = keys.withNext();
        SigningKeys rotated = announced.rotated(NOW);

        assertThat(announced.publicKeys().verify(rotated.sign(WRITER), Audience.RECORDS))
                .isEqualTo(WRITER);
        assertThat(keys.publicKeys().verify(announced.sign(WRITER), Audience.RECORDS))
                .as("the old one still signs")
                .isEqualTo(WRITER);
    }

    @Test
    void withoutANewKeyThereIsNoRotation() {
        assertThatThrownBy(() -> keys.rotated(NOW)).isInstanceOf(IllegalStateException.class);
        SigningKeys rotated = keys.withNext().rotated(NOW);
        assertThatThrownBy(() -> rotated.rotated(NOW))
                .as("the last one was replaced")
                .isInstanceOf(IllegalStateException.class);
    }

    private static Token until(Instant end) {
        return new Token(
                "id-1", "anna", Audience.RECORDS, NOW, end, Optional.empty(), Optional.empty(), Optional.empty());
    }

    @Test
    void keysAreReadAgainWhenTheirFileChanges(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("keys.json"), keys.toJson());
        SigningKeyFile read = new SigningKeyFile(file);
        SigningKeys rotated = keys.withNext().rotated(NOW);

        replace(file, rotated.toJson());
        assertThat(rotated.publicKeys().verify(read.get().sign(WRITER), Audience.RECORDS))
                .isEqualTo(WRITER);
        assertThat(read.get()).as("read once").isSameAs(read.get());

        replace(file, "half a fi");
        assertThat(rotated.publicKeys().verify(read.get().sign(WRITER), Audience.RECORDS))
                .as("those from before stay in use")
                .isEqualTo(WRITER);
    }

    private static void replace(Path file, String content) throws Exception {
        Path other = Files.writeString(file.resolveSibling("other"), content);
        Files.move(other, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    void anUnsignedTokenIsRefused() {
        assertRefused(new PlainJWT(claims("cordwood")).serialize(), "not a token");
        String[] parts = keys.sign(WRITER).split("\\.", -1);
        String none = Base64.getUrlEncoder().withoutPadding().encodeToString("{\"alg\":\"none\"}".getBytes(UTF_8));
        assertRefused(none + "." + parts[1] + ".", "not a token");
        assertRefused(parts[0] + "." + parts[1] + ".", "");
    }

    /** A verifier that lets the token choose its algorithm would take the public key as a password. */
    @Test
    void aTokenSignedWithThePublicKeyAsAPasswordIsRefused() throws Exception {
        SignedJWT forged = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.HS256).keyID(keyId()).build(), claims("cordwood"));
        forged.sign(new MACSigner(keys.publicKeys().toJson().getBytes(UTF_8)));
        assertRefused(forged.serialize(), "ES256");
    }

    @Test
    void aChangedClaimIsRefused() {
        String[] parts = keys.sign(WRITER).split("\\.", -1);
        String payload = new String(Base64.getUrlDecoder().decode(parts[1]), UTF_8).replace("acme", "evil");
        String changed = Base64.getUrlEncoder().withoutPadding().encodeToString(payload.getBytes(UTF_8));
        assertRefused(parts[0] + "." + changed + "." + parts[2], "signature is wrong");
    }

    @Test
    void anotherAudienceIsRefused() throws Exception {
        Path file = Files.createTempFile("keys", ".json");
        Files.writeString(file, keys.toJson());
        assertThat(SigningKeys.read(file).publicKeys().verify(keys.sign(WRITER), Audience.RECORDS))
                .isEqualTo(WRITER);
        Files.delete(file);
        ECKey key = (ECKey) JWKSet.parse(keys.toJson()).getKeys().getFirst();
        SignedJWT other = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(keyId()).build(), claims("other"));
        other.sign(new ECDSASigner(key));
        assertRefused(other.serialize(), "another audience");
    }

    /** Who reads a topic must not open a door with the tokens in it. */
    @Test
    void aTokenIsForRequestsOrForRecordsAndNeverForBoth() throws Exception {
        String ofRecord = keys.sign(WRITER);
        String ofRequest = keys.sign(of(Audience.REQUESTS, WRITER.scope(), Optional.empty()));
        TokenRules rules = rules(Map.of());
        rules.verifyOfRecord(ofRecord);
        rules.keys().verify(ofRequest, Audience.REQUESTS);
        assertThatThrownBy(() -> rules.keys().verify(ofRecord, Audience.REQUESTS))
                .hasMessageContaining("another audience");
        assertThatThrownBy(() -> rules.verifyOfRecord(ofRequest)).hasMessageContaining("another audience");
        ECKey key = (ECKey) JWKSet.parse(keys.toJson()).getKeys().getFirst();
        JWTClaimsSet both = new JWTClaimsSet.Builder(claims("cordwood"))
                .audience(List.of("cordwood", "cordwood-records"))
                .build();
        SignedJWT forBoth = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(keyId()).build(), both);
        forBoth.sign(new ECDSASigner(key));
        assertRefused(forBoth.serialize(), "another audience");
        assertThatThrownBy(() -> rules.verifyOfRecord(forBoth.serialize())).hasMessageContaining("another audience");
    }

    @Test
    void keysThatAreReadAgainAreEqual() {
        assertThat(PublicKeys.parse(keys.publicKeys().toJson()))
                .isEqualTo(keys.publicKeys())
                .hasSameHashCodeAs(keys.publicKeys())
                .isNotEqualTo(SigningKeys.create().publicKeys());
        PublicKeys others = SigningKeys.create().publicKeys();
        assertThat(PublicKeys.parse(others.toJson())).as("after these keys").isEqualTo(others);
        assertThatThrownBy(() -> PublicKeys.parse("")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void onlyThisMachineReachesALoopbackAddress() {
        assertThat(List.of("localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]"))
                .allMatch(Loopback::is);
        assertThat(List.of("0.0.0.0", "10.0.0.1", "::", "", " ", "unknown.invalid"))
                .noneMatch(Loopback::is);
    }

    @Test
    void garbageIsRefused() {
        for (String garbage : new String[] {"", ".", "..", "a.b.c", "\u0000", "x".repeat(100_000)}) {
            assertThatThrownBy(() -> keys.publicKeys().verify(garbage, Audience.REQUESTS))
                    .isInstanceOf(InvalidTokenException.class);
        }
    }

    @Test
    void aFileWithoutPrivateKeysIsNoFileOfSigningKeys(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(
                directory.resolve("keys.json"), keys.publicKeys().toJson());
        assertThatThrownBy(() -> SigningKeys.read(file)).hasMessageContaining("holds no private key");
        Files.writeString(file, "secret");
        assertThatThrownBy(() -> SigningKeys.read(file))
                .hasMessageContaining("not a JWK set")
                .hasMessageNotContaining("secret");
    }

    @Test
    void theTokenOfARequestIsRefusedOnceItIsRevokedOrExpired() throws Exception {
        Token reader = of(Audience.REQUESTS, Optional.empty(), Optional.empty());
        TokenRules good = rules(Map.of());
        good.requireGood(reader, NOW);
        assertThatThrownBy(() -> good.requireGood(reader, NOW.plusSeconds(3600)))
                .hasMessageContaining("expired");
        TokenRules revoked = rules(Map.of("id", NOW.plusSeconds(10)));
        assertThatThrownBy(() -> revoked.requireGood(reader, NOW)).hasMessageContaining("revoked");
    }

    @Test
    void aRevocationBeginsAtItsTime() {
        TokenRules rules = rules(Map.of("id-1", NOW.plusSeconds(10)));
        assertThat(rules.goodUntil(WRITER)).isEqualTo(NOW.plusSeconds(10));
        assertThat(rules(Map.of()).goodUntil(WRITER)).isEqualTo(NOW.plusSeconds(3600));
    }

    @Test
    void rulesSurviveTheWay() throws Exception {
        TokenRules rules = TokenRules.parse(rules(Map.of("id-2", NOW)).toJson());
        assertThat(rules.completeUntil()).isEqualTo(NOW.plusSeconds(7200));
        assertThat(rules.verifyOfRecord(keys.sign(WRITER))).isEqualTo(WRITER);
        for (String garbage : new String[] {"", "{}", "[]", "{\"keys\":{}}"}) {
            assertThatThrownBy(() -> TokenRules.parse(garbage)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void onlyAWriterOfTheTenantShipsItsRows() {
        assertThat(WRITER.ships("acme", "logs")).isTrue();
        assertThat(WRITER.ships("acme", "audit")).isFalse();
        assertThat(WRITER.ships("globex", "logs")).isFalse();
        assertThat(with(Optional.of(new Token.Scope("acme", TenantRole.READER, Set.of())), Optional.empty())
                        .ships("acme", "logs"))
                .isFalse();
        assertThat(with(Optional.empty(), Optional.empty()).ships("acme", "logs"))
                .isFalse();
        assertThat(with(Optional.empty(), Optional.of(ServiceRole.INGEST)).ships("acme", "logs"))
                .isFalse();
        assertThat(with(Optional.empty(), Optional.of(ServiceRole.GATEWAY)).ships("acme", "logs"))
                .isTrue();
        assertThat(of(Audience.REQUESTS, WRITER.scope(), Optional.empty()).ships("acme", "logs"))
                .isFalse();
        assertThat(of(Audience.REQUESTS, Optional.empty(), Optional.of(ServiceRole.GATEWAY))
                        .ships("acme", "logs"))
                .isFalse();
    }

    @Test
    void aChangedTokenFileIsReadAgain(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("token"), "one\n");
        TokenFile token = new TokenFile(file);
        assertThat(token.get()).isEqualTo("one");
        Files.writeString(file, "two");
        Files.setLastModifiedTime(file, FileTime.fromMillis(1));
        assertThat(token.get()).isEqualTo("two");
        Files.writeString(file, " ");
        Files.setLastModifiedTime(file, FileTime.fromMillis(2));
        assertThatThrownBy(token::get).hasMessageContaining("is empty");
    }

    private static Token with(Optional<Token.Scope> scope, Optional<ServiceRole> service) {
        return of(Audience.RECORDS, scope, service);
    }

    private static Token of(Audience audience, Optional<Token.Scope> scope, Optional<ServiceRole> service) {
        return new Token("id", "user", audience, NOW, NOW.plusSeconds(3600), scope, service, Optional.empty());
    }

    private TokenRules rules(Map<String, Instant> revoked) {
        return new TokenRules(keys.publicKeys(), revoked, NOW.plusSeconds(7200));
    }

    private String keyId() {
        return keys.publicKeys().toJson().replaceAll("(?s).*\"kid\":\"([^\"]+)\".*", "$1");
    }

    private static JWTClaimsSet claims(String audience) {
        return new JWTClaimsSet.Builder()
                .issuer("cordwood")
                .audience(audience)
                .jwtID("id")
                .subject("anna")
                .issueTime(Date.from(NOW))
                .expirationTime(Date.from(NOW.plusSeconds(10)))
                .build();
    }

    private void assertRefused(String compact, String message) {
        assertThatThrownBy(() -> keys.publicKeys().verify(compact, Audience.REQUESTS))
                .isInstanceOf(InvalidTokenException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining(compact.isEmpty() ? "\u0000" : compact);
    }
}
