package io.cordwood.ingest.commit;

import io.cordwood.catalog.CatalogClient;
import io.cordwood.catalog.Flush;
import io.cordwood.catalog.LogBlockFile;
import io.cordwood.catalog.Trimmer;
import io.cordwood.logblock.LogBlockOptions;
import java.io.IOException;
import java.util.List;

/** Writes LogBlocks anew without their first offsets. Thread-safe. */
public final class LogBlockTrimmer implements Trimmer {
    private final CatalogClient catalog;
    private final LogBlockOptions options;

    public LogBlockTrimmer(CatalogClient catalog, LogBlockOptions options) {
        this.catalog = catalog;
        this.options = options;
    }

    @Override
    public List<LogBlockFile> trim(String tenantId, String stream, Flush flush, long firstOffset) throws IOException {
        throw new IOException("Not there yet " + catalog + options);
    }
}
