package io.cordwood.gateway.pipeline;

import java.util.Map;

/**
 * What a pipeline did to the rows of a request. Immutable.
 *
 * @param dropped rows that were left out
 * @param unparsed parse steps that left a row as it was, as its text is of another form or too long
 * @param redacted values that were taken out, by kind
 */
public record PipelineCounts(long dropped, long unparsed, Map<String, Long> redacted) {
    public static final PipelineCounts NONE = new PipelineCounts(0, 0, Map.of());

    public PipelineCounts {
        redacted = Map.copyOf(redacted);
    }
}
