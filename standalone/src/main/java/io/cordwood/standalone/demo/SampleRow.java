package io.cordwood.standalone.demo;

/**
 * One generated log row: the shipped record, and the facts for checking answers.
 *
 * @param tenant the tenant that it belongs to
 * @param micros event time, microseconds since 1970
 * @param level severity
 * @param service the program that wrote it
 * @param path path of the request; empty for a row without one
 * @param traceId the request's trace, unique
 * @param timedOut whether the message says that a connection timed out
 * @param json the record's value
 */
record SampleRow(
        String tenant,
        long micros,
        String level,
        String service,
        String path,
        String traceId,
        boolean timedOut,
        String json) {}
