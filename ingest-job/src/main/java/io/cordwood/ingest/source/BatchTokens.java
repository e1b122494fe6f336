package io.cordwood.ingest.source;

import io.cordwood.ingest.serial.Wire;
import io.cordwood.record.token.TokenBytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * The tokens of a batch's records in its serialized form: each once, then its number. Most records of a batch have the
 * token of a few shippers, which is often longer than the row. One instance writes or reads one batch.
 */
final class BatchTokens {
    private static final byte[] NONE = new byte[0];
    /** Instead of the number of an earlier token. */
    private static final int NO_TOKEN = 0;

    private static final int NEW_TOKEN = 1;
    private static final int FIRST = 2;

    private final Map<TokenBytes, Integer> written = new HashMap<>();
    private final List<byte[]> read = new ArrayList<>();
    /** The token that was written last: most often it is also the next. */
    private byte[] last = NONE;

    private int numberOfLast = NO_TOKEN;

    void write(byte[] token, DataOutputView out) throws IOException {
        if (Arrays.equals(token, last)) {
            Wire.writeLength(numberOfLast, out);
            return;
        }
        if (token.length == 0) {
            Wire.writeLength(NO_TOKEN, out);
            return;
        }
        Integer earlier = written.putIfAbsent(new TokenBytes(token), FIRST + written.size());
        last = token;
        numberOfLast = earlier == null ? FIRST + written.size() - 1 : earlier;
        if (earlier == null) {
            Wire.writeLength(NEW_TOKEN, out);
            Wire.writeBytes(token, out);
        } else {
            Wire.writeLength(earlier, out);
        }
    }

    byte[] read(DataInputView in) throws IOException {
        int number = Wire.readLength(in);
        return switch (number) {
            case NO_TOKEN -> NONE;
            case NEW_TOKEN -> {
                byte[] token = Wire.readBytes(in);
                read.add(token);
                yield token;
            }
            default -> {
                if (number - FIRST >= read.size()) {
                    throw new IOException("There is no token %d in this batch".formatted(number - FIRST));
                }
                yield read.get(number - FIRST);
            }
        };
    }
}
