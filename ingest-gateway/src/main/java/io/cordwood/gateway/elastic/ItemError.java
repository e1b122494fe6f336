package io.cordwood.gateway.elastic;

import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.record.UndecodableRecordException;

/**
 * Why a document was not taken, in Elasticsearch's words. Immutable.
 *
 * @param status the HTTP status that says so
 * @param type the name of the error
 * @param reason what is wrong
 */
record ItemError(int status, String type, String reason) {
    static ItemError of(RefusedException refusal) {
        return new ItemError(refusal.reason().status(), type(refusal), refusal.getMessage());
    }

    static ItemError of(UndecodableRecordException malformed) {
        return new ItemError(
                400, "document_parsing_exception", "failed to parse: " + malformed.getMessage() + " of the request");
    }

    private static String type(RefusedException refusal) {
        return switch (refusal.reason()) {
            case MALFORMED, METHOD_NOT_ALLOWED ->
                refusal.getMessage().startsWith("Validation Failed")
                        ? "action_request_validation_exception"
                        : "illegal_argument_exception";
            case UNAUTHENTICATED, FORBIDDEN -> "security_exception";
            case NOT_FOUND -> "resource_not_found_exception";
            case TOO_SLOW -> "timeout_exception";
            case TOO_LARGE -> "content_too_long_exception";
            case UNSUPPORTED -> "media_type_header_exception";
            case OVER_QUOTA, TOO_BUSY -> "es_rejected_execution_exception";
            case FAILED -> "exception";
            case UNAVAILABLE -> "unavailable_shards_exception";
        };
    }
}
