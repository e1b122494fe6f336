package io.cordwood.record.decode;

import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.buffer.MemberName;
import io.cordwood.record.buffer.ValueKind;

/** A sink of flattened members. */
interface MemberSink {
    /** Adds a value that is kept as text, in well-formed UTF-8. */
    void text(MemberName name, ValueKind kind, byte[] source, int from, int to) throws UndecodableRecordException;

    void integer(MemberName name, long value) throws UndecodableRecordException;

    void bool(MemberName name, boolean value);

    void emptyObject(MemberName name);
}
