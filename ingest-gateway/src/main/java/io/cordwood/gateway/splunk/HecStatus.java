package io.cordwood.gateway.splunk;

import io.cordwood.gateway.refusal.RefusedException;

/** Answers of Splunk's HTTP Event Collector, with its texts and codes. */
enum HecStatus {
    SUCCESS(200, 0, "Success"),
    TOKEN_REQUIRED(401, 2, "Token is required"),
    INVALID_TOKEN(403, 4, "Invalid token"),
    NO_DATA(400, 5, "No data"),
    INVALID_FORMAT(400, 6, "Invalid data format"),
    INCORRECT_INDEX(400, 7, "Incorrect index"),
    FAILED(500, 8, "Internal server error"),
    BUSY(503, 9, "Server is busy"),
    CHANNEL_MISSING(400, 10, "Data channel is missing"),
    INVALID_CHANNEL(400, 11, "Invalid data channel"),
    EVENT_REQUIRED(400, 12, "Event field is required"),
    EVENT_BLANK(400, 13, "Event field cannot be blank"),
    INVALID_FIELDS(400, 15, "Error in handling indexed fields"),
    TOKEN_IN_QUERY(400, 16, "Query string authorization is not enabled"),
    HEALTHY(200, 17, "HEC is healthy"),
    TOO_LARGE(413, 27, "Request entity too large"),
    NOT_FOUND(404, 404, "The requested URL was not found on this server."),
    METHOD_NOT_ALLOWED(405, 405, "Method Not Allowed");

    private final int http;
    private final int code;
    private final String text;

    HecStatus(int http, int code, String text) {
        this.http = http;
        this.code = code;
        this.text = text;
    }

    /** The HTTP status. */
    int http() {
        return http;
    }

    int code() {
        return code;
    }

    String text() {
        return text;
    }

    /** What says the same as a refusal. Splunk has one answer for all that may be sent again later. */
    static HecStatus of(RefusedException refusal) {
        return switch (refusal.reason()) {
            case MALFORMED, UNSUPPORTED, TOO_SLOW -> INVALID_FORMAT;
            case UNAUTHENTICATED -> TOKEN_REQUIRED;
            case FORBIDDEN -> INVALID_TOKEN;
            case NOT_FOUND -> NOT_FOUND;
            case METHOD_NOT_ALLOWED -> METHOD_NOT_ALLOWED;
            case TOO_LARGE -> TOO_LARGE;
            case OVER_QUOTA, TOO_BUSY, UNAVAILABLE -> BUSY;
            case FAILED -> FAILED;
        };
    }
}
