package io.cordwood.gateway.splunk;

import io.cordwood.record.json.JsonComposer;
import io.cordwood.record.json.Lines;
import java.util.Optional;

/** Takes lines of text out of a body, each as a row. Not thread-safe. */
final class RawLines {
    private final HecRows rows;
    private final Origin origin;
    private final JsonComposer row;

    RawLines(HecRows rows, Origin origin) {
        this.rows = rows;
        this.origin = origin;
        this.row = new JsonComposer(rows.memory()::grow);
    }

    /** Takes all lines that are not blank. */
    void read(byte[] body) {
        String index = origin.index().orElse("");
        for (int start = 0; start < body.length; ) {
            int end = Lines.end(body, start, body.length);
            if (!Lines.isBlank(body, start, end)) {
                row.reset();
                row.open('{');
                row.name("message");
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
            row.name(name);
            row.string(value.get());
        }
    }
}
