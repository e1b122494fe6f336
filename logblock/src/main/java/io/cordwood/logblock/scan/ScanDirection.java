package io.cordwood.logblock.scan;

/** The rows that the caller of a scan needs, which set the scan's direction. */
public enum ScanDirection {
    /** All rows: batches are as large as memory allows. */
    ALL,
    /** The first few rows: the scan begins with a small batch. */
    FIRST,
    /** The last few rows: the scan begins at the end, with a small batch. */
    LAST
}
