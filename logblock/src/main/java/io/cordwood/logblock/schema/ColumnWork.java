package io.cordwood.logblock.schema;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * Flight Recorder's event of work for one column of a LogBlock that is written: what the same code takes of one column
 * and of another, no stack tells. Costs nothing unless a recording asks for it. Begun, then committed, by one thread.
 */
@Name(ColumnWork.NAME)
@Label("Column Work")
@Category({"Cordwood", "LogBlock"})
@Description("Work for one column of a LogBlock that is written")
@Enabled(false)
@StackTrace(false)
public final class ColumnWork extends Event {
    public static final String NAME = "io.cordwood.ColumnWork";

    /** Which work. */
    public enum Part {
        /** Its distinct values are found. */
        DICTIONARY,
        /** Its values are encoded, compressed and written. */
        BLOCKS,
        /** The terms of its rows are collected. */
        TERMS,
        /** Its terms are parted into rare ones and others, and sorted. */
        SORT
    }

    @Label("Column")
    String column;

    @Label("Part")
    String part;

    private ColumnWork(String column, Part part) {
        this.column = column;
        this.part = part.name();
    }

    /** Work that begins now; {@link #commit} ends it. */
    public static ColumnWork begin(String column, Part part) {
        ColumnWork work = new ColumnWork(column, part);
        work.begin();
        return work;
    }
}
