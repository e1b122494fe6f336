package io.cordwood.logblock.scan;

/** Which of the rows that a scan finds its caller wants. */
public enum ScanDirection {
    /** All: a scan looks at as many rows at once as its memory allows. */
    ALL,
    /** The first few: a scan begins with few rows. */
    FIRST,
    /** The last few: a scan begins with few rows, at the end. */
    LAST
}
