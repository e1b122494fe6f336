package io.cordwood.hot.fetch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * A header that says why a consumed record was not unpacked. It is identified by its class, so that no producer can
 * send it. Immutable.
 */
record Refusal(String why) implements Header {
    private static final String KEY = "cordwood.refused";

    /** The reason why the record with these headers was not unpacked; empty if it was. */
    static Optional<Refusal> of(Headers headers) {
        return headers.lastHeader(KEY) instanceof Refusal refusal ? Optional.of(refusal) : Optional.empty();
    }

    @Override
    public String key() {
        return KEY;
    }

    @Override
    public byte[] value() {
        return why.getBytes(UTF_8);
    }
}
