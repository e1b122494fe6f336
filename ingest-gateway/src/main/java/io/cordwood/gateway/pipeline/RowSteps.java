package io.cordwood.gateway.pipeline;

import com.google.re2j.Pattern;
import io.cordwood.catalog.pipeline.ColumnPattern;
import io.cordwood.catalog.pipeline.Step;
import java.util.Optional;

/** Makes the steps of a pipeline ready to run. Stateless. */
final class RowSteps {
    private RowSteps() {}

    /** The step; empty for one that redacts, which runs over the whole row. */
    static Optional<RowStep> of(Step step) {
        return switch (step) {
            case Step.Parse parse -> Optional.of(new ParseStep(parse));
            case Step.Rename rename -> Optional.of((row, _) -> rename(row, rename));
            case Step.Remove remove -> Optional.of((row, _) -> remove(row, remove));
            case Step.Sample sample -> Optional.of(sample(sample));
            case Step.Redact _, Step.RedactPattern _ -> Optional.empty();
        };
    }

    private static RowStep.Outcome rename(Row row, Step.Rename rename) {
        if (row.has(rename.from()) && !row.has(rename.to())) {
            row.rename(rename.from(), rename.to());
        }
        return RowStep.Outcome.DONE;
    }

    private static RowStep.Outcome remove(Row row, Step.Remove remove) {
        row.remove(remove.columns());
        return RowStep.Outcome.DONE;
    }

    private static RowStep sample(Step.Sample sample) {
        Pattern pattern = ColumnPattern.compile(sample.matches());
        return (row, seed) -> {
            boolean isMeant = row.text(sample.column())
                    .filter(text -> text.length() <= RowStep.MAX_CHARACTERS
                            && pattern.matcher(text).find())
                    .isPresent();
            return isMeant && share(seed) >= sample.keep() ? RowStep.Outcome.DROPPED : RowStep.Outcome.DONE;
        };
    }

    /** From 0 to 1, evenly. */
    private static double share(long seed) {
        long mixed = (seed ^ (seed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return (double) ((mixed ^ (mixed >>> 31)) >>> 11) * 0x1.0p-53;
    }
}
