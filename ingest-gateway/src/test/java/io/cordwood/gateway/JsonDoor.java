package io.cordwood.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.stream.Collectors.joining;

import java.util.Arrays;

/**
 * A door that takes JSON, with requests in its client's form. Text stands for bytes: each character is one of them.
 */
enum JsonDoor {
    PLAIN("/api/v1/ingest/logs", "application/x-ndjson", "", "", "\n") {
        @Override
        String row(String members) {
            return "{%s}".formatted(members);
        }
    },
    ELASTICSEARCH("/_bulk", "application/x-ndjson", "", "\n", "\n") {
        @Override
        String row(String members) {
            return bad("{%s}".formatted(members));
        }

        @Override
        String bad(String row) {
            return "{\"create\":{\"_index\":\"logs\"}}\n" + row;
        }
    },
    SPLUNK("/services/collector/event", "application/json", "", "", "") {
        @Override
        String row(String members) {
            return "{\"event\":{%s}}".formatted(members);
        }
    },
    LOKI("/loki/api/v1/push", "application/json", "{\"streams\":[{\"stream\":{},\"values\":[", "]}]}", ",") {
        @Override
        String row(String members) {
            return "[\"1795168800000000000\",\"x\",{%s}]".formatted(members);
        }
    },
    OTLP("/v1/logs", "application/json", "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[", "]}]}]}", ",") {
        @Override
        String row(String members) {
            return "{\"attributes\":[%s]}".formatted(members);
        }

        @Override
        String member(String name, String text) {
            return "{\"key\":\"%s\",\"value\":{\"stringValue\":\"%s\"}}".formatted(name, text);
        }

        @Override
        String json(String name, String value) {
            return "{\"key\":\"%s\",\"value\":%s}".formatted(name, value);
        }
    };

    private final String path;
    private final String contentType;
    private final String before;
    private final String after;
    private final String between;

    JsonDoor(String path, String contentType, String before, String after, String between) {
        this.path = path;
        this.contentType = contentType;
        this.before = before;
        this.after = after;
        this.between = between;
    }

    String path() {
        return path;
    }

    String contentType() {
        return contentType;
    }

    /** A row with columns. */
    abstract String row(String members);

    /** A column. */
    String member(String name, String text) {
        return "\"%s\":\"%s\"".formatted(name, text);
    }

    /** Something else where a column should be. */
    String json(String name, String value) {
        return "\"%s\":%s".formatted(name, value);
    }

    /** What stands where a row should. */
    String bad(String row) {
        return row;
    }

    String good() {
        return row(member("good", "1"));
    }

    byte[] body(String... rows) {
        return Arrays.stream(rows).collect(joining(between, before, after)).getBytes(ISO_8859_1);
    }
}
