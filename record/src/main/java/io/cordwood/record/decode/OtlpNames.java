package io.cordwood.record.decode;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** The members of the fields that OTLP defines. */
final class OtlpNames {
    static final byte[] DROPPED_ATTRIBUTES_COUNT = ascii("dropped_attributes_count");
    static final byte[] EVENT_NAME = ascii("event_name");
    static final byte[] FLAGS = ascii("flags");
    static final byte[] LEVEL = ascii("level");
    static final byte[] MESSAGE = ascii("message");
    static final byte[] NAME = ascii("name");
    static final byte[] OBSERVED_TIME = ascii("observed_time_unix_nano");
    static final byte[] RESOURCE = ascii("resource");
    static final byte[] SCHEMA_URL = ascii("schema_url");
    static final byte[] SCOPE = ascii("scope");
    static final byte[] SEVERITY_NUMBER = ascii("severity_number");
    static final byte[] SPAN_ID = ascii("span_id");
    static final byte[] TRACE_ID = ascii("trace_id");
    static final byte[] VERSION = ascii("version");

    private OtlpNames() {}

    private static byte[] ascii(String name) {
        return name.getBytes(US_ASCII);
    }
}
