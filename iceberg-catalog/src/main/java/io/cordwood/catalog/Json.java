package io.cordwood.catalog;

import com.fasterxml.jackson.databind.ObjectMapper;

/** The JSON mapper of this package. Thread-safe. */
final class Json {
    static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}
}
