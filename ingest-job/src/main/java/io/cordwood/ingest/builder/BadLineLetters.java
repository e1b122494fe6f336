package io.cordwood.ingest.builder;

import io.cordwood.ingest.source.LogPartition;
import io.cordwood.record.KafkaRecord;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.decode.BadLines;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Makes dead letters of the bad lines of batches: of each of the first ones of a batch a letter, and of the others one
 * together, because millions of lines fit into a record. Used by the task thread only.
 */
final class BadLineLetters implements BadLines {
    /** The maximum number of letters of one line. */
    static final int MAX_SINGLE_LETTERS = 100;

    private final BuildMetrics metrics;
    private final Consumer<DeadLetter> letters;
    private LogPartition partition;
    private KafkaRecord batch;
    private int lines;
    /** The first failure of the lines that go together. */
    private Optional<UndecodableRecordException> failure = Optional.empty();

    private int failedLine;
    private final ByteArrayOutputStream together = new ByteArrayOutputStream(0);

    /** @param letters takes the letters */
    BadLineLetters(BuildMetrics metrics, Consumer<DeadLetter> letters) {
        this.metrics = metrics;
        this.letters = letters;
    }

    /** Begins a record, which may be a batch. */
    void begin(LogPartition newPartition, KafkaRecord record) {
        partition = newPartition;
        batch = record;
        lines = 0;
    }

    @Override
    public void add(int line, int from, int to, UndecodableRecordException why) {
        metrics.deadLetter(why.reason());
        lines++;
        if (lines <= MAX_SINGLE_LETTERS) {
            byte[] value = Arrays.copyOfRange(batch.value(), from, to);
            letters.accept(letter(value, line, why, "Line %d: %s".formatted(line + 1, why.getMessage())));
            return;
        }
        if (failure.isEmpty()) {
            failure = Optional.of(why);
            failedLine = line;
        }
        together.write(batch.value(), from, to - from);
        together.write('\n');
    }

    /** Ends the record. */
    void end() {
        if (failure.isEmpty()) {
            return;
        }
        letters.accept(letter(
                together.toByteArray(),
                failedLine,
                failure.get(),
                "%d lines; line %d: %s"
                        .formatted(
                                lines - MAX_SINGLE_LETTERS,
                                failedLine + 1,
                                failure.get().getMessage())));
        failure = Optional.empty();
        together.reset();
    }

    private DeadLetter letter(byte[] value, int line, UndecodableRecordException why, String message) {
        return new DeadLetter(
                partition,
                batch.withoutToken().withValue(value),
                OptionalInt.of(line + 1),
                why.reason().name(),
                message);
    }
}
