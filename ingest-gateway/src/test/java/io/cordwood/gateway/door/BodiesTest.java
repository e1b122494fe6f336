package io.cordwood.gateway.door;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.gateway.ShippedRows;
import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Packed bodies as networks cut them. */
class BodiesTest {
    private static final int BUFFER_BYTES = 16 << 10;
    private static final int FIXED_HEADER_BYTES = 10;
    private static final int EMPTY_MEMBERS = 100_000;
    private static final byte[] ROW = "{\"n\":1}\n".getBytes(UTF_8);

    private static byte[] read(InputStream packed) throws IOException {
        return Bodies.read(packed, "gzip", BUFFER_BYTES, new Bodies.Bounds(_ -> {}, _ -> {}));
    }

    private static byte[] read(byte[]... packed) throws IOException {
        return read(new ByteArrayInputStream(ShippedRows.join(packed)));
    }

    private static void assertMalformed(byte[]... packed) {
        assertThatThrownBy(() -> read(packed))
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.reason()).isEqualTo(Reason.MALFORMED))
                .hasMessageStartingWith("The body is not what Content-Encoding says: ");
    }

    /** A row as a member of so many bytes: the file's name in its header is long. */
    private static byte[] memberOf(int bytes) throws IOException {
        byte[] member = Packed.gzip(ROW);
        byte[] header = Arrays.copyOf(member, FIXED_HEADER_BYTES);
        header[3] = 8;
        byte[] name = new byte[bytes - member.length];
        Arrays.fill(name, 0, name.length - 1, (byte) 'n');
        return ShippedRows.join(header, name, Arrays.copyOfRange(member, FIXED_HEADER_BYTES, member.length));
    }

    @Test
    void membersThatEndWhereAReadEnds() throws Exception {
        for (int size = BUFFER_BYTES - 40; size <= BUFFER_BYTES + 40; size++) {
            byte[] member = memberOf(size);
            assertThat(member).hasSize(size);
            assertThat(read(member, Packed.gzip(ROW))).isEqualTo(ShippedRows.join(ROW, ROW));
        }
    }

    @Test
    void membersWhoseBytesComeOneAtATime() throws Exception {
        byte[] packed = ShippedRows.join(Packed.gzip(ROW), Packed.gzip(ROW));
        InputStream slow = new ByteArrayInputStream(packed) {
            @Override
            public synchronized int read(byte[] target, int from, int length) {
                return super.read(target, from, Math.min(length, 1));
            }

            @Override
            public synchronized int available() {
                return 0;
            }
        };
        assertThat(read(slow)).isEqualTo(ShippedRows.join(ROW, ROW));
    }

    @Test
    void manyEmptyMembers() throws Exception {
        byte[] empty = Packed.gzip(new byte[0]);
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        for (int i = 0; i < EMPTY_MEMBERS; i++) {
            packed.writeBytes(empty);
        }
        assertThat(read(packed.toByteArray(), Packed.gzip(ROW))).isEqualTo(ROW);
    }

    /** Else rows would be missing, and the client would hear of a success. */
    @Test
    void everyCutIsNoticed() throws Exception {
        byte[] first = Packed.gzip(ROW);
        byte[] both = ShippedRows.join(first, first);
        for (int length = 0; length < both.length; length++) {
            if (length != first.length) {
                assertMalformed(Arrays.copyOf(both, length));
            }
        }
        assertMalformed(first, "garbage".getBytes(UTF_8));
        assertMalformed(first, new byte[] {0});
    }

    @Test
    void everyFlippedBitIsNoticed() throws Exception {
        byte[] packed = Packed.gzip(ROW);
        for (int at = FIXED_HEADER_BYTES; at < packed.length; at++) {
            byte[] damaged = packed.clone();
            damaged[at] ^= 1;
            assertMalformed(damaged);
        }
    }
}
