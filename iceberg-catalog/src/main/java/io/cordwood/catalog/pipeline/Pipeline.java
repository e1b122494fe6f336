package io.cordwood.catalog.pipeline;

import java.util.List;

/**
 * What the ingest gateway does to each of a tenant's rows before it reaches Kafka. The steps run in their order, except
 * for those that redact: they run last, over the whole row. Immutable.
 *
 * @param steps at least one
 */
public record Pipeline(List<Step> steps) {
    /** The most steps that a pipeline can have. */
    public static final int MAX_STEPS = 50;
    /** The most bytes that a pipeline's JSON can have. */
    public static final int MAX_JSON_BYTES = 64 << 10;

    /** @throws IllegalArgumentException with a message for the user, if there are no steps, or too many */
    public Pipeline {
        if (steps.isEmpty() || steps.size() > MAX_STEPS) {
            throw new IllegalArgumentException(
                    "A pipeline has 1 to %d steps; this one has %d".formatted(MAX_STEPS, steps.size()));
        }
        steps = List.copyOf(steps);
    }
}
