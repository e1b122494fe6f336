package io.cordwood.record.decode;

import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.UndecodableRecordException.Reason;
import io.cordwood.record.buffer.EventTime;

/**
 * The rows of an OTLP logs export request, one for each log record. Not thread-safe.
 *
 * <p>A row has the record's own fields, then its attributes under their own names, then those of resource and scope
 * under {@code resource.} and {@code scope.}.
 */
final class OtlpRows {
    private final RowSink rows;
    private final OtlpMembers members;
    private final SharedMembers resource = new SharedMembers();
    private final SharedMembers scope = new SharedMembers();
    private long timeNanos;
    private long observedNanos;
    private int ordinal;
    private boolean isInUse;

    OtlpRows(RowSink rows) {
        this.rows = rows;
        this.members = new OtlpMembers(rows);
    }

    /** Where the members of the current resource, scope or row go. */
    OtlpMembers members() {
        return members;
    }

    void startRequest() {
        ordinal = 0;
        isInUse = true;
    }

    /** Forgets the last record, if it was a request. */
    void endRecord() {
        if (!isInUse) {
            return;
        }
        isInUse = false;
        resource.clear();
        scope.clear();
        members.endRecord();
    }

    /** Starts the next resource: its members come next. */
    void startResource() {
        resource.clear();
        scope.clear();
        members.startShared(resource, OtlpNames.RESOURCE);
    }

    /** Starts the next scope: its members come next. */
    void startScope() {
        scope.clear();
        members.startShared(scope, OtlpNames.SCOPE);
    }

    /** Starts the next log record: its fields come next. */
    void startRow() {
        rows.startRow();
        members.startRow();
        timeNanos = 0;
        observedNanos = 0;
    }

    void timeNanos(long nanos) {
        timeNanos = nanos;
    }

    void observedNanos(long nanos) {
        observedNanos = nanos;
    }

    /** Continues with the log record's attributes, which may hold its time if no field does. */
    void startAttributes() {
        rows.timeWanted(timeNanos == 0 && observedNanos == 0);
    }

    /** Adds the row. Its time is the record's time, else the time of observation. */
    void endRow() throws UndecodableRecordException {
        if (observedNanos != 0) {
            members.name(OtlpNames.OBSERVED_TIME);
            members.unsigned(observedNanos);
        }
        resource.writeTo(rows);
        scope.writeTo(rows);
        long nanos = timeNanos != 0 ? timeNanos : observedNanos;
        rows.endRow(nanos == 0 ? EventTime.NONE : EventTime.ofNanos(nanos), ordinal++);
    }

    static UndecodableRecordException malformed(String message) {
        return new UndecodableRecordException(Reason.MALFORMED_OTLP, message);
    }
}
