package io.cordwood.record.decode;

import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.UndecodableRecordException.Reason;
import io.cordwood.record.buffer.RowBuffer;
import io.cordwood.record.json.Lines;

/**
 * Decodes a batch of JSON objects, one a line, into a row each, whose ordinal is the number of its line. A line that
 * cannot be decoded costs only itself. Blank lines are skipped. Not thread-safe.
 */
final class JsonLinesDecoder {
    private final JsonRowDecoder json;

    JsonLinesDecoder(JsonRowDecoder json) {
        this.json = json;
    }

    /**
     * Adds the rows of all lines.
     *
     * @param from where the first line begins
     * @throws UndecodableRecordException if all lines are blank
     */
    void decode(byte[] value, int from, RowBuffer target, BadLines badLines) throws UndecodableRecordException {
        boolean isBlank = true;
        int line = 0;
        for (int start = from; start < value.length; line++) {
            int end = Lines.end(value, start, value.length);
            if (!Lines.isBlank(value, start, end)) {
                isBlank = false;
                decodeLine(value, start, end, line, target, badLines);
            }
            start = end + 1;
        }
        if (isBlank) {
            throw new UndecodableRecordException(Reason.EMPTY_VALUE, "The record has no line that is not blank");
        }
    }

    private void decodeLine(byte[] value, int start, int end, int line, RowBuffer target, BadLines badLines) {
        int before = target.rowCount();
        try {
            json.decode(value, start, end, line);
        } catch (UndecodableRecordException e) {
            target.rollback(before);
            badLines.add(line, start, end, e);
        } catch (RuntimeException e) {
            // A defect of the decoder must cost one line, not the others
            target.rollback(before);
            badLines.add(line, start, end, RecordDecoder.defect(e));
        }
    }
}
