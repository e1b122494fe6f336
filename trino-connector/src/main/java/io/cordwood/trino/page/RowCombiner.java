package io.cordwood.trino.page;

import io.cordwood.trino.handle.CordwoodColumnHandle;
import io.trino.spi.Page;
import io.trino.spi.connector.SourcePage;
import java.util.Iterator;
import java.util.List;

/** What is made of all rows of a scan before the first of its own is given. Not thread-safe. */
public interface RowCombiner {
    /** What is read of the rows. */
    List<CordwoodColumnHandle> columns();

    /** Takes the rows of a page of these columns. */
    void add(SourcePage page);

    /** Memory that is held, in bytes. */
    long retainedBytes();

    /** What was made, in pages that are made as they are asked for; no row is added any more. */
    Iterator<Page> pages();
}
