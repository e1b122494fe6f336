package io.cordwood.gateway.pipeline;

import io.cordwood.catalog.pipeline.Pipeline;
import io.cordwood.gateway.redact.Redaction;
import io.cordwood.gateway.redact.Redactor;
import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.cordwood.gateway.send.LineBatches;
import io.cordwood.gateway.send.Memory;
import io.cordwood.gateway.send.Payload;
import io.cordwood.logblock.encoding.Hashing;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.decode.OtlpJsonLines;
import io.cordwood.record.json.JsonComposer;
import io.cordwood.record.json.Lines;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A tenant's pipeline, ready to run. Rows of OTLP become rows in JSON with the same columns. Immutable, thread-safe.
 */
public final class TenantPipeline {
    /** Rows of OTLP repeat their resource: together they may have so many times the bytes of their request. */
    private static final long MAX_GROWTH = 4;

    private static final long GROWTH_BYTES = 64 << 20;
    private static final long MAX_BYTES = 96 << 20;

    private final List<RowStep> steps;
    /** Those that do not add columns. */
    private final List<RowStep> shrinking;

    private final Redactor redactor;

    public TenantPipeline(Pipeline pipeline) {
        this.steps = pipeline.steps().stream()
                .flatMap(step -> RowSteps.of(step).stream())
                .toList();
        this.shrinking = steps.stream().filter(step -> !step.adds()).toList();
        this.redactor = Redactor.of(pipeline.steps());
    }

    /**
     * Runs over the rows of a request.
     *
     * @param memory counts the rows as the pipeline makes them
     * @throws RefusedException if the rows are too large for Kafka as the pipeline makes them, or cannot be read, or
     *     the gateway holds too much
     */
    public PipedRows run(Map<String, List<Payload>> payloads, Memory memory) {
        Run run = new Run(memory);
        Map<String, LineBatches> lines = new TreeMap<>();
        payloads.forEach((stream, all) -> {
            LineBatches target = lines.computeIfAbsent(stream, any -> new LineBatches(memory));
            all.forEach(payload -> run.payload(payload, target));
        });
        return new PipedRows(LineBatches.finish(lines), run.counts());
    }

    /** The rows of one request. Not thread-safe. */
    private final class Run {
        private final Redaction redaction = redactor.begin();
        private final RowMemory rowMemory;
        private final JsonComposer composer;
        private long number;
        private long dropped;
        private long unparsed;

        Run(Memory memory) {
            rowMemory = new RowMemory(memory);
            composer = new JsonComposer(memory::grow);
        }

        void payload(Payload payload, LineBatches target) {
            byte[] value = payload.value();
            long maxBytes = Math.min(MAX_BYTES, GROWTH_BYTES + MAX_GROWTH * value.length);
            try {
                switch (payload.format()) {
                    case JSON_LINES -> lines(value, target);
                    case OTLP_JSON ->
                        new OtlpJsonLines()
                                .rewriteJson(value, maxBytes, (data, from, to) -> row(data, from, to, target));
                    case OTLP_PROTOBUF ->
                        new OtlpJsonLines()
                                .rewriteProtobuf(value, maxBytes, (data, from, to) -> row(data, from, to, target));
                }
            } catch (UndecodableRecordException e) {
                throw new RefusedException(
                        e.reason() == UndecodableRecordException.Reason.TOO_LARGE ? Reason.TOO_LARGE : Reason.MALFORMED,
                        "The request cannot go through the tenant's pipeline: " + e.getMessage());
            }
        }

        private void lines(byte[] value, LineBatches target) {
            for (int start = 0; start < value.length; ) {
                int end = Lines.end(value, start, value.length);
                if (!Lines.isBlank(value, start, end)) {
                    row(value, start, end, target);
                }
                start = end + 1;
            }
        }

        private void row(byte[] data, int from, int to, LineBatches target) {
            number++;
            if (steps.isEmpty()) {
                redact(data, from, to, target);
                return;
            }
            if (!piped(data, from, to, steps, target)) {
                unparsed++;
                // What only takes away still runs: a column that is removed must not come back
                if (!piped(data, from, to, shrinking, target)) {
                    redact(data, from, to, target);
                }
            }
        }

        /** Adds the row as the steps make it, unless they drop it; false if it cannot be read, or becomes too large. */
        private boolean piped(byte[] data, int from, int to, List<RowStep> applied, LineBatches target) {
            Row row;
            try {
                row = Row.read(data, from, to, rowMemory);
            } catch (UndecodableRecordException e) {
                return false;
            }
            long seed = number << 32 | Integer.toUnsignedLong(Hashing.hash(data, from, to));
            long without = 0;
            for (RowStep step : applied) {
                switch (step.apply(row, seed)) {
                    case DONE -> {
                        // Next step
                    }
                    case UNPARSED -> without++;
                    case DROPPED -> {
                        dropped++;
                        return true;
                    }
                }
            }
            row.write(composer);
            if (composer.length() > LineBatches.MAX_ROW_BYTES) {
                return false;
            }
            unparsed += without;
            redact(composer.array(), 0, composer.length(), target);
            return true;
        }

        private void redact(byte[] data, int from, int to, LineBatches target) {
            if (redactor.isEmpty()) {
                target.add(data, from, to);
                return;
            }
            redaction
                    .redacted(data, from, to)
                    .ifPresentOrElse(
                            redacted -> target.add(redacted, 0, redacted.length), () -> target.add(data, from, to));
        }

        PipelineCounts counts() {
            return new PipelineCounts(dropped, unparsed, redaction.counts());
        }
    }
}
