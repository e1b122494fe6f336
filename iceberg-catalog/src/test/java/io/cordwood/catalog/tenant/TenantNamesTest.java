package io.cordwood.catalog.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TenantNamesTest {
    @ParameterizedTest
    @CsvSource({
        "acme, acme",
        "acme-prod_7, acme-prod_7",
        "12276, 12276",
        "Acme, ~41cme",
        "a.b, a~2eb",
        "~, ~7e",
        "~~, ~7e~7e",
        "é, ~c3~a9",
        "system, ~73~79~73~74~65~6d",
    })
    void writesOtherBytesAsHex(String tenantId, String schemaName) {
        assertThat(TenantNames.schemaName(tenantId)).isEqualTo(schemaName);
        assertThat(TenantNames.tenantId(schemaName)).contains(tenantId);
    }

    @Test
    void reservedIdsDoNotShadowSchemasOfTheSystem() {
        for (String reserved : TenantNames.RESERVED_IDS) {
            assertThat(TenantNames.schemaName(reserved)).startsWith("~").isNotEqualTo(reserved);
            assertThat(TenantNames.tenantId(TenantNames.schemaName(reserved))).contains(reserved);
            assertThatThrownBy(() -> TenantNames.tenantId(reserved)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void hashesWhatWouldPass200Characters() {
        assertThat(TenantNames.schemaName("A".repeat(66))).hasSize(198).startsWith("~41");
        String hashed = TenantNames.schemaName("A".repeat(67));
        // Python: base64.b32encode(hashlib.sha256(b"A" * 67).digest()).decode().lower().rstrip("=")
        assertThat(hashed).isEqualTo("~~6skvi76kljncyqg4z27p4qawb35yxquir2fp55yswclll4sylnca");
        assertThat(TenantNames.tenantId(hashed)).isEqualTo(Optional.empty());
    }

    @Test
    void refusesWhatCannotBeAnId() {
        assertThatThrownBy(() -> TenantNames.schemaName("")).hasMessageContaining("0 bytes");
        assertThatThrownBy(() -> TenantNames.schemaName("a".repeat(129))).hasMessageContaining("129 bytes");
        assertThatThrownBy(() -> TenantNames.schemaName("\ud800")).hasMessageContaining("surrogate");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A", "a~", "a~4", "a~4G", "~61", "~c3", "a b", "~7E", "all_tenants"})
    void refusesWhatNoTenantIsCalled(String schemaName) {
        assertThatThrownBy(() -> TenantNames.tenantId(schemaName)).isInstanceOf(IllegalArgumentException.class);
    }

    @Property(tries = 2000)
    void roundTrip(@ForAll("ids") String tenantId) {
        String schemaName = TenantNames.schemaName(tenantId);
        assertThat(schemaName).matches("[a-z0-9_~-]{1,200}");
        if (schemaName.startsWith("~~")) {
            assertThat(TenantNames.tenantId(schemaName)).isEmpty();
        } else {
            assertThat(TenantNames.tenantId(schemaName)).contains(tenantId);
        }
    }

    @Property(tries = 2000)
    void noTwoIdsShareAName(@ForAll("ids") String one, @ForAll("ids") String other) {
        assertThat(TenantNames.schemaName(one).equals(TenantNames.schemaName(other)))
                .isEqualTo(one.equals(other));
    }

    /** Any Unicode, and much of what looks like an escaped name. */
    @Provide
    Arbitrary<String> ids() {
        Arbitrary<String> anyUnicode = Arbitraries.integers()
                .between(0, Character.MAX_CODE_POINT)
                .filter(codePoint -> codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE)
                .list()
                .ofMinSize(1)
                .ofMaxSize(128)
                .map(codePoints -> codePoints.stream().map(Character::toString).reduce("", String::concat));
        Arbitrary<String> lookalike = Arbitraries.strings()
                .withChars("~0123456789abcdefABCDEF_-.")
                .ofMinLength(1)
                .ofMaxLength(128);
        return Arbitraries.oneOf(anyUnicode, lookalike)
                .filter(id -> id.getBytes(StandardCharsets.UTF_8).length <= TenantNames.MAX_ID_BYTES);
    }
}
