package io.cordwood.logblock.schema;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Registered;
import jdk.jfr.StackTrace;

/**
 * A Flight Recorder event for work on one column of a LogBlock being written. Stack traces do not show which column the
 * same code works on. It costs nothing unless a recording enables it. One thread begins and commits it.
 *
 * <p>It is registered when it is first used while Flight Recorder runs: registered with its class, it would start
 * Flight Recorder in each process that writes a LogBlock, which takes CPU time and memory.
 */
@Registered(false)
@Name(ColumnWork.NAME)
@Label("Column Work")
@Category({"Cordwood", "LogBlock"})
@Description("Work on one column of a LogBlock being written")
@Enabled(false)
@StackTrace(false)
public final class ColumnWork extends Event {
    public static final String NAME = "io.cordwood.ColumnWork";

    /** The kind of work. */
    public enum Part {
        /** Finding its distinct values. */
        DICTIONARY,
        /** Encoding, compressing and writing its values. */
        BLOCKS,
        /** Collecting the terms of its rows. */
        TERMS,
        /** Splitting its terms into rare and other ones, and sorting them. */
        SORT
    }

    private static volatile boolean isRegistered;

    @Label("Column")
    String column;

    @Label("Part")
    String part;

    private ColumnWork(String column, Part part) {
        this.column = column;
        this.part = part.name();
    }

    /** Begins an event; {@link #commit} ends it. */
    public static ColumnWork begin(String column, Part part) {
        if (!isRegistered && FlightRecorder.isInitialized()) {
            FlightRecorder.register(ColumnWork.class);
            isRegistered = true;
        }
        ColumnWork work = new ColumnWork(column, part);
        work.begin();
        return work;
    }
}
