package io.cordwood.trino.page;

import io.cordwood.trino.handle.CordwoodColumnHandle;
import io.trino.spi.Page;
import io.trino.spi.connector.SourcePage;
import java.util.Iterator;
import java.util.List;

/** Combines all rows of a scan before the scan returns its first page. Not thread-safe. */
public interface RowCombiner {
    /** The columns to read. */
    List<CordwoodColumnHandle> columns();

    /** Adds the rows of a page of these columns. */
    void add(SourcePage page);

    /** The retained memory in bytes. */
    long retainedBytes();

    /** The result, as pages that are built on demand; no row may be added afterwards. */
    Iterator<Page> pages();
}
