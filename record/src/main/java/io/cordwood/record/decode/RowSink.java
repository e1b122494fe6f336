package io.cordwood.record.decode;

import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.json.TextSink;

/** A sink of rows, each of which gets its members between its start and its end. Not thread-safe. */
interface RowSink extends MemberSink {
    /** Memory for one converted value at a time. Values in it are copied where they must outlive the next one. */
    TextSink scratch();

    /** Counts bytes of names and values toward the record's limit. */
    void charge(long bytes) throws UndecodableRecordException;

    void startRow();

    /** Sets whether further members of the row may hold its event time. */
    void timeWanted(boolean wanted);

    /**
     * Ends the row.
     *
     * @param eventMicros the event time if no member holds it; else {@link io.cordwood.record.buffer.EventTime#NONE}
     */
    void endRow(long eventMicros, int ordinal) throws UndecodableRecordException;
}
