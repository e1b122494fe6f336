package io.cordwood.record.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.record.KafkaRecord;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.UndecodableRecordException.Reason;
import io.cordwood.record.buffer.RowBuffer;
import io.cordwood.record.policy.AcceptanceWindow;
import io.cordwood.record.policy.DecodingPolicy;
import io.cordwood.record.policy.TextColumns;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RecordDecoderTest {
    private static final byte[] NONE = new byte[0];

    private static KafkaRecord record(byte[] key, byte[] header) {
        return new KafkaRecord(5, 0, key, "{}".getBytes(UTF_8), header, NONE);
    }

    private static String tenant(DecodingPolicy policy, byte[] key, byte[] header) throws UndecodableRecordException {
        return new RecordDecoder(policy).namedTenant(record(key, header));
    }

    @Test
    void tenantIsTheHeaderElseTheKeyElseTheDefault() throws Exception {
        DecodingPolicy withDefault = DecodingPolicy.DEFAULT.withDefaultTenant("other");
        byte[] key = "acme".getBytes(UTF_8);
        byte[] header = "größe".getBytes(UTF_8);
        assertThat(tenant(DecodingPolicy.DEFAULT, key, header)).isEqualTo("größe");
        assertThat(tenant(withDefault, key, NONE)).isEqualTo("acme");
        assertThat(tenant(withDefault, NONE, NONE)).isEqualTo("other");
        assertReason(DecodingPolicy.DEFAULT, NONE, NONE, Reason.MISSING_TENANT);
    }

    @Test
    void tenantHas1To128BytesOfUtf8() throws Exception {
        byte[] longest = "x".repeat(128).getBytes(UTF_8);
        assertThat(tenant(DecodingPolicy.DEFAULT, longest, NONE)).hasSize(128);
        assertReason(DecodingPolicy.DEFAULT, "x".repeat(129).getBytes(UTF_8), NONE, Reason.INVALID_TENANT);
        assertReason(DecodingPolicy.DEFAULT, "ä".repeat(65).getBytes(UTF_8), NONE, Reason.INVALID_TENANT);
        assertReason(DecodingPolicy.DEFAULT, new byte[] {'a', (byte) 0xC3}, NONE, Reason.INVALID_TENANT);
        // A bad header is not passed over in favour of the key.
        assertReason(DecodingPolicy.DEFAULT, longest, new byte[] {(byte) 0xFF}, Reason.INVALID_TENANT);
    }

    @Test
    void aRecordThatWasNotUnpackedHasNoTenant() {
        KafkaRecord refused =
                new KafkaRecord(5, 0, "acme".getBytes(UTF_8), NONE, NONE, NONE, NONE, "It unpacks to 2 GB");
        RecordDecoder decoder = new RecordDecoder(DecodingPolicy.DEFAULT.withDefaultTenant("other"));
        assertThatThrownBy(() -> decoder.namedTenant(refused))
                .hasMessage("It unpacks to 2 GB")
                .isInstanceOfSatisfying(
                        UndecodableRecordException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.UNPACKS_TOO_LARGE));
    }

    private static void assertReason(DecodingPolicy policy, byte[] key, byte[] header, Reason reason) {
        RecordDecoder decoder = new RecordDecoder(policy);
        assertThatThrownBy(() -> decoder.namedTenant(record(key, header)))
                .isInstanceOfSatisfying(
                        UndecodableRecordException.class,
                        e -> assertThat(e.reason()).isEqualTo(reason));
    }

    @Test
    void offsetsMustAscend() throws Exception {
        RecordDecoder decoder = new RecordDecoder(DecodingPolicy.DEFAULT);
        RowBuffer buffer = new RowBuffer();
        KafkaRecord record = record("acme".getBytes(UTF_8), NONE);
        assertThat(decoder.decode("acme", record, buffer)).isEqualTo(1);
        assertThatThrownBy(() -> decoder.decode("acme", record, buffer))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Offset 5 does not come after 5, the last one in the buffer");
    }

    @Test
    void policyCanBeSerialized() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DecodingPolicy policy = DecodingPolicy.DEFAULT
                .withDefaultTenant("x")
                .withTenantWindows(Map.of("t", AcceptanceWindow.DEFAULT))
                .withTextColumns(Map.of("logs", TextColumns.withNames(Set.of("note"))));
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(policy);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(in.readObject()).isEqualTo(policy);
        }
    }
}
