package io.cordwood.gateway.splunk;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.record.json.JsonComposer;
import java.util.Optional;

/** Takes lines of text out of a body, each as a row. Not thread-safe. */
final class RawLines {
    private static final byte[] MESSAGE = "message".getBytes(UTF_8);

    private final HecRows rows;
    private final Origin origin;
    private final JsonComposer row = new JsonComposer();

    RawLines(HecRows rows, Origin origin) {
        this.rows = rows;
        this.origin = origin;
    }

    /** Takes all lines that are not blank. */
    void read(byte[] body) {
        String index = origin.index().orElse("");
        for (int start = 0; start < body.length; ) {
            int end = start;
            boolean isBlank = true;
            while (end < body.length && body[end] != '\n') {
                isBlank &= body[end] == ' ' || body[end] == '\t' || body[end] == '\r';
                end++;
            }
            if (!isBlank) {
                row.reset();
                row.open('{');
                row.name(MESSAGE, 0, MESSAGE.length);
                row.string(body, start, body[end - 1] == '\r' ? end - 1 : end);
                write("host", origin.host());
                write("source", origin.source());
                write("sourcetype", origin.sourcetype());
                if (!index.isEmpty() && !rows.isStream(index)) {
                    write("index", origin.index());
                }
                row.close('}');
                rows.add(index, row);
            }
            start = end + 1;
        }
    }

    private void write(String name, Optional<String> value) {
        if (value.isPresent()) {
            byte[] nameBytes = name.getBytes(UTF_8);
            byte[] valueBytes = value.get().getBytes(UTF_8);
            row.name(nameBytes, 0, nameBytes.length);
            row.string(valueBytes, 0, valueBytes.length);
        }
    }
}
