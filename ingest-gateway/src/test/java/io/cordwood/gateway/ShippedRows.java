package io.cordwood.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.gateway.send.Payload;
import io.cordwood.gateway.send.Payload.Format;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.decode.Decoding;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** What parsers give to Kafka, looked at as the ingest job will look at it. */
public final class ShippedRows {
    private ShippedRows() {}

    /** Checks that the ingest job reads every row that the payloads count. Returns their number. */
    public static int requireReadable(Collection<Payload> payloads) throws UndecodableRecordException {
        int rows = 0;
        for (Payload payload : payloads) {
            Decoding decoding =
                    new Decoding().add(payload.value(), payload.format().mediaType());
            assertThat(decoding.buffers.getFirst().rowCount()).isEqualTo(payload.rows());
            rows += payload.rows();
        }
        assertThat(payloads).allMatch(each -> each.format() != Format.JSON_LINES || isWholeLines(each));
        return rows;
    }

    private static boolean isWholeLines(Payload payload) {
        String text = new String(payload.value(), ISO_8859_1);
        return text.endsWith("\n") && text.chars().filter(c -> c == '\n').count() == payload.rows();
    }

    /** The rows as they travel, byte for byte. */
    public static List<String> lines(Collection<Payload> payloads) {
        List<String> lines = new ArrayList<>();
        for (Payload payload : payloads) {
            lines.addAll(List.of(new String(payload.value(), ISO_8859_1).split("\n")));
        }
        return lines;
    }

    /** Bytes of all. */
    public static long bytes(Collection<Payload> payloads) {
        return payloads.stream().mapToLong(each -> each.value().length).sum();
    }

    /** Byte strings one after the other. */
    public static byte[] join(byte[]... parts) {
        StringBuilder joined = new StringBuilder();
        for (byte[] part : parts) {
            joined.append(new String(part, ISO_8859_1));
        }
        return joined.toString().getBytes(ISO_8859_1);
    }

    /** The same without ends of lines. */
    public static byte[] withoutLineFeeds(byte[] bytes) {
        return new String(bytes, ISO_8859_1).replace('\n', ' ').getBytes(ISO_8859_1);
    }
}
