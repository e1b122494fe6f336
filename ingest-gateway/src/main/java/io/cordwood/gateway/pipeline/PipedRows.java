package io.cordwood.gateway.pipeline;

import io.cordwood.gateway.send.Payload;
import java.util.List;
import java.util.Map;

/**
 * Rows that went through a pipeline. Immutable.
 *
 * @param payloads by stream
 * @param counts what the pipeline did
 */
public record PipedRows(Map<String, List<Payload>> payloads, PipelineCounts counts) {
    public PipedRows {
        payloads = Map.copyOf(payloads);
    }
}
