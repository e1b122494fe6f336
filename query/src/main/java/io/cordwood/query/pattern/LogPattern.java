package io.cordwood.query.pattern;

/**
 * Lines that are the same but for their parameters.
 *
 * @param template the text, with placeholders for parameters; empty for lines without text but white space
 * @param count number of lines
 * @param before number of lines in the time before
 * @param firstMicros time of the first line, in microseconds since the epoch
 * @param lastMicros time of the last line, in microseconds since the epoch
 * @param sample the first line; of a long one its beginning
 */
public record LogPattern(String template, long count, long before, long firstMicros, long lastMicros, String sample) {}
