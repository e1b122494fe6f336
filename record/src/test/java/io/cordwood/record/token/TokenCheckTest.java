package io.cordwood.record.token;

import static io.cordwood.record.token.Issuer.START;
import static io.cordwood.record.token.Issuer.micros;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cordwood.identity.ServiceRole;
import io.cordwood.identity.TenantRole;
import io.cordwood.identity.TokenRules;
import io.cordwood.record.KafkaRecord;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.UndecodableRecordException.Reason;
import io.cordwood.record.decode.RecordDecoder;
import io.cordwood.record.policy.DecodingPolicy;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A record without a good token for its tenant and stream is refused, and the same record always gets one verdict. */
class TokenCheckTest {
    private static final Instant EXPIRY = START.plusSeconds(3600);
    private static final byte[] NONE = new byte[0];
    private static final DecodingPolicy POLICY = DecodingPolicy.DEFAULT.withRequireToken(true);

    private final Issuer issuer = new Issuer();
    private final RecordDecoder decoder = decoder(issuer);

    private static RecordDecoder decoder(TokenRulesSource rules) {
        return new RecordDecoder(POLICY, Optional.of(new TokenCheck(rules)));
    }

    private static KafkaRecord record(Instant appended, String key, String header, byte[] token) {
        return new KafkaRecord(
                        0, micros(appended), key.getBytes(UTF_8), "{}".getBytes(UTF_8), header.getBytes(UTF_8), NONE)
                .withToken(token);
    }

    private String tenant(Instant appended, String key, byte[] token) throws UndecodableRecordException {
        return decoder.tenant("logs", record(appended, key, "", token));
    }

    private void assertRefused(Instant appended, String key, byte[] token, String why) {
        assertRefused("logs", record(appended, key, "", token), why);
    }

    private void assertRefused(String stream, KafkaRecord record, String why) {
        UndecodableRecordException refusal =
                catchThrowableOfType(UndecodableRecordException.class, () -> decoder.tenant(stream, record));
        assertThat(refusal).isNotNull();
        assertThat(refusal.reason()).isEqualTo(Reason.FORBIDDEN_TENANT);
        assertThat(refusal).hasMessageContaining(why);
        if (record.token().length > 0) {
            assertThat(refusal.getMessage()).doesNotContain(new String(record.token(), UTF_8));
        }
    }

    @Test
    void aTokenShipsRecordsOfItsTenant() throws Exception {
        byte[] token = issuer.writer("acme", EXPIRY);
        assertThat(tenant(START, "acme", token)).isEqualTo("acme");
        assertThat(decoder.tenant("logs", record(START, "x", "acme", token)))
                .as("by the header")
                .isEqualTo("acme");
        assertThat(decoder.tenant("logs", record(START, "acme", "", issuer.writer("acme", EXPIRY, "audit", "logs"))))
                .isEqualTo("acme");
    }

    @Test
    void aRecordWithoutATokenIsRefused() {
        assertRefused(START, "acme", NONE, "no header cordwood.token");
    }

    @Test
    void whatIsNoTokenIsRefused() {
        assertRefused(START, "acme", "secret".getBytes(UTF_8), "not a token");
        assertRefused(START, "acme", "a.b.c".getBytes(UTF_8), "not a token");
        assertRefused(START, "acme", new byte[] {-1, 0, 46, 46}, "not a token");
        assertRefused(START, "acme", new byte[TokenCheck.MAX_TOKEN_BYTES + 1], "at most 4096");
    }

    @Test
    void aTokenThatWasChangedIsRefused() {
        byte[] token = issuer.writer("acme", EXPIRY);
        token[token.length - 10] ^= 1;
        assertRefused(START, "acme", token, "");
    }

    @Test
    void aTokenOfAnotherLakeIsRefused() {
        assertRefused(START, "acme", new Issuer().writer("acme", EXPIRY), "key that is not known");
    }

    @Test
    void aTokenThatWasTakenBeforeIsRefusedOnceItsKeyIsGone() throws Exception {
        byte[] token = issuer.writer("acme", EXPIRY);
        assertThat(tenant(START, "acme", token)).isEqualTo("acme");
        issuer.replaceKeys();
        assertRefused(START.plus(TokenRules.REVOCATION_LEAD), "acme", token, "key that is not known");
    }

    @Test
    void attack34TheTokenOfOneTenantShipsNoRecordOfAnother() throws Exception {
        byte[] token = issuer.writer("acme", EXPIRY);
        assertRefused(START, "globex", token, "not for records of this tenant");
        assertRefused("logs", record(START, "acme", "globex", token), "not for records of this tenant");
        assertThat(tenant(START, "acme", token)).as("its twin").isEqualTo("acme");
    }

    @Test
    void aTokenShipsNoRecordOfAnotherStream() {
        byte[] token = issuer.writer("acme", EXPIRY, "audit");
        assertRefused(START, "acme", token, "stream");
    }

    @Test
    void aTokenToReadOrDeleteShipsNothing() {
        assertRefused(START, "acme", issuer.scoped("acme", TenantRole.READER, EXPIRY), "not for records");
        assertRefused(START, "acme", issuer.scoped("acme", TenantRole.DELETER, EXPIRY), "not for records");
    }

    /** Else whoever gets hold of a token of an engine could ship rows with it. */
    @Test
    void aWritersTokenForRequestsShipsNothing() {
        assertRefused(START, "acme", issuer.ofRequests("acme"), "another audience");
    }

    @Test
    void ofTheServicesOnlyTheGatewayShips() throws Exception {
        for (ServiceRole role : ServiceRole.values()) {
            if (role != ServiceRole.GATEWAY) {
                assertRefused(START, "acme", issuer.service(role), "not for records");
            }
        }
        byte[] gateway = issuer.service(ServiceRole.GATEWAY);
        assertThat(tenant(START, "acme", gateway)).isEqualTo("acme");
        assertThat(tenant(START, "globex", gateway)).isEqualTo("globex");
    }

    @Test
    void attack35ATokenIsGoodUntilItExpires() throws Exception {
        byte[] token = issuer.writer("acme", EXPIRY);
        assertRefused(EXPIRY, "acme", token, "had expired");
        assertThat(tenant(EXPIRY.minusNanos(1000), "acme", token))
                .as("its twin")
                .isEqualTo("acme");
        assertRefused(EXPIRY.plusSeconds(9), "acme", token, "had expired");
    }

    @Test
    void attack35ATokenIsGoodUntilItsRevocationBegins() throws Exception {
        byte[] token = issuer.writer("acme", EXPIRY);
        assertThat(tenant(START, "acme", token)).isEqualTo("acme");
        issuer.at(START.plusSeconds(30));
        Instant from = issuer.revoke(issuer.id());
        assertThat(tenant(from.minusNanos(1000), "acme", token)).as("its twin").isEqualTo("acme");
        assertRefused(from, "acme", token, "revoked");
        assertThat(tenant(START, "acme", token)).as("the old record, again").isEqualTo("acme");
    }

    @Test
    void aRevocationThatIsOrderedAfterTheRulesWereReadIsObeyed() throws Exception {
        byte[] token = issuer.writer("acme", EXPIRY);
        assertThat(tenant(START, "acme", token)).isEqualTo("acme");
        Instant from = issuer.revoke(issuer.id());
        assertRefused(from, "acme", token, "revoked");
    }

    /** The rules at hand cover the record's time, but not a key that came into use since they were made. */
    @Test
    void aTokenOfANewKeyIsGoodAlthoughTheRulesAtHandDoNotKnowTheKey() throws Exception {
        assertThat(tenant(START, "acme", issuer.writer("acme", EXPIRY))).isEqualTo("acme");
        issuer.at(START.plusSeconds(1));
        issuer.rotateKeys();
        byte[] token = issuer.writer("acme", EXPIRY);
        assertThat(tenant(START.plusSeconds(2), "acme", token)).isEqualTo("acme");
    }

    @Test
    void aTokenOfAKeyThatWasUnknownIsGoodOnceTheKeyIsInUse() throws Exception {
        byte[] before = issuer.writer("acme", EXPIRY);
        Issuer behind = new Issuer();
        RecordDecoder other = decoder(behind);
        assertThatThrownBy(() -> other.tenant("logs", record(START, "acme", "", before)))
                .hasMessageContaining("key that is not known");
        issuer.at(START.plusSeconds(60));
        RecordDecoder now = decoder(
                time -> time < micros(START.plusSeconds(30)) ? behind.completeAt(time) : issuer.completeAt(time));
        assertThatThrownBy(() -> now.tenant("logs", record(START, "acme", "", before)))
                .hasMessageContaining("key that is not known");
        assertThat(now.tenant("logs", record(START.plusSeconds(40), "acme", "", before)))
                .isEqualTo("acme");
    }

    @Test
    void theDefaultTenantNeedsATokenToo() throws Exception {
        RecordDecoder withDefault =
                new RecordDecoder(POLICY.withDefaultTenant("acme"), Optional.of(new TokenCheck(issuer)));
        assertThatThrownBy(() -> withDefault.tenant("logs", record(START, "", "", NONE)))
                .hasMessageContaining("no header cordwood.token");
        assertThat(withDefault.tenant("logs", record(START, "", "", issuer.writer("acme", EXPIRY))))
                .isEqualTo("acme");
    }

    @Test
    void withoutThePolicyNoTokenIsAskedFor() throws Exception {
        assertThat(new RecordDecoder(DecodingPolicy.DEFAULT).tenant("logs", record(START, "acme", "", NONE)))
                .isEqualTo("acme");
    }

    @Test
    void aPolicyThatRequiresTokensNeedsACheck() {
        assertThatThrownBy(() -> new RecordDecoder(POLICY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nothing checks them");
    }

    @Test
    void aKnownTokenIsNotVerifiedAgainAndTheRulesAreAskedForOnlyWhenTheyEnd() throws Exception {
        byte[] token = issuer.writer("acme", EXPIRY);
        assertThat(tenant(START, "acme", token)).isEqualTo("acme");
        int asked = issuer.asked();
        for (int i = 0; i < 100; i++) {
            assertThat(tenant(START.plusMillis(i), "acme", token.clone())).isEqualTo("acme");
        }
        assertThat(issuer.asked()).isEqualTo(asked);
        assertThat(tenant(START.plusSeconds(11), "acme", token)).isEqualTo("acme");
        assertThat(issuer.asked()).isEqualTo(asked + 1);
    }

    @Test
    void aForgedTokenIsVerifiedOnce() {
        byte[] forged = forged(issuer.writer("acme", EXPIRY), new Random(1));
        assertRefused(START, "acme", forged, "signature is wrong");
        int asked = issuer.asked();
        for (int i = 0; i < 100; i++) {
            assertRefused(START, "acme", forged, "signature is wrong");
        }
        assertThat(issuer.asked()).isEqualTo(asked);
    }

    /** They would fill memory, or displace the tokens of others, if they were kept with these. */
    @Test
    void aFloodOfForgedTokensDisplacesNoGoodOne() throws Exception {
        byte[] token = issuer.writer("globex", EXPIRY);
        assertThat(tenant(START, "globex", token)).isEqualTo("globex");
        byte[] model = issuer.writer("acme", EXPIRY);
        Random random = new Random(2);
        for (int i = 0; i < 2000; i++) {
            assertRefused(START, "acme", forged(model, random), "");
        }
        int asked = issuer.asked();
        assertThat(tenant(START, "globex", token)).isEqualTo("globex");
        assertThat(issuer.asked()).as("globex's token was kept").isEqualTo(asked);
    }

    @Test
    void verifiedTokensAreKeptWithinTheirMemory() throws Exception {
        TokenCheck check = new TokenCheck(issuer, 10_000);
        RecordDecoder small = new RecordDecoder(POLICY, Optional.of(check));
        for (int i = 0; i < 50; i++) {
            assertThat(small.tenant("logs", record(START, "acme", "", issuer.writer("acme", EXPIRY))))
                    .isEqualTo("acme");
        }
        assertThat(check.kept()).isBetween(5L, 12L);
    }

    @Test
    void anyBytesAreRefused() {
        Random random = new Random(3);
        byte[] model = issuer.writer("acme", EXPIRY);
        for (int i = 0; i < 500; i++) {
            byte[] bytes = model.clone();
            for (int change = random.nextInt(1, 4); change > 0; change--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            // The last character of a signature has bits without meaning
            if (!Arrays.equals(bytes, 0, bytes.length - 1, model, 0, model.length - 1)) {
                assertRefused(START, "acme", Arrays.copyOf(bytes, random.nextInt(20, bytes.length + 1)), "");
            }
        }
        String deep =
                Base64.getUrlEncoder().encodeToString("{\"a\":".repeat(600).getBytes(US_ASCII));
        assertRefused(START, "acme", (deep + ".e30.e30").getBytes(US_ASCII), "");
    }

    private static byte[] forged(byte[] token, Random random) {
        byte[] forged = token.clone();
        // Within the signature, and a character that base64 has
        for (int i = forged.length - 40; i < forged.length - 2; i++) {
            forged[i] = (byte) ('A' + random.nextInt(26));
        }
        return forged;
    }

    @Test
    void aTokenOfAnotherKeyWithTheIdOfOursIsRefused() {
        String[] ours = new String(issuer.writer("acme", EXPIRY), US_ASCII).split("\\.", -1);
        String[] theirs = new String(new Issuer().writer("acme", EXPIRY), US_ASCII).split("\\.", -1);
        assertRefused(START, "acme", (ours[0] + "." + theirs[1] + "." + theirs[2]).getBytes(US_ASCII), "signature");
    }
}
