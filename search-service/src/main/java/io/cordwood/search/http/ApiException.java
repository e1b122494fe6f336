package io.cordwood.search.http;

import java.util.Optional;
import java.util.OptionalInt;

/** A request that gets an error. The message says what is wrong, where, and what to do. */
public final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;
    private final String code;
    private final OptionalInt position;
    private final Optional<String> sql;

    /**
     * @param status HTTP status
     * @param code the error's name for programs
     */
    public ApiException(int status, String code, String message) {
        this(status, code, message, OptionalInt.empty(), Optional.empty(), null);
    }

    private ApiException(
            int status, String code, String message, OptionalInt position, Optional<String> sql, Throwable cause) {
        super(message, cause);
        this.status = status;
        this.code = code;
        this.position = position;
        this.sql = sql;
    }

    /** An error in the text of a query, at a character of it. */
    public static ApiException inQuery(String message, int position, Throwable cause) {
        return new ApiException(400, "invalid_query", message, OptionalInt.of(position), Optional.empty(), cause);
    }

    /** A request that is malformed. */
    public static ApiException invalid(String message) {
        return new ApiException(400, "invalid_request", message);
    }

    /** A question that exceeds a limit, with the SQL that asks Trino the same. */
    public static ApiException beyondLimit(int status, String message, String sql, Throwable cause) {
        return new ApiException(status, "limit_exceeded", message, OptionalInt.empty(), Optional.of(sql), cause);
    }

    public int status() {
        return status;
    }

    public String code() {
        return code;
    }

    /** The character of the query's text that is wrong, counted from 0. */
    public OptionalInt position() {
        return position;
    }

    /** SQL that asks the same without this limit. */
    public Optional<String> sql() {
        return sql;
    }
}
