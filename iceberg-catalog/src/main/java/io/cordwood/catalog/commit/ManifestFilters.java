package io.cordwood.catalog.commit;

import io.cordwood.logblock.sketch.TokenFilter;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.DataFile;

/**
 * Token filters of LogBlocks in Iceberg's manifests. A filter is among the lower bounds of its data file, under the id
 * of a column that no table has. Readers find bounds by the ids of their columns, and bounds of a dropped column stay
 * in the same way. A rewrite of manifests copies the filters; a rewrite of data files drops them. Stateless,
 * thread-safe.
 */
public final class ManifestFilters {
    /** Ids start at 1 and rise; those above 2,147,483,447 are Iceberg's own. */
    public static final int FIELD_ID = 2_147_480_000;

    private ManifestFilters() {}

    static void put(TokenFilter filter, Map<Integer, ByteBuffer> lowerBounds) {
        lowerBounds.put(FIELD_ID, ByteBuffer.wrap(filter.toBytes()));
    }

    /** The filter of a data file; empty if there is none that this version can use. */
    public static Optional<TokenFilter> of(DataFile file) {
        return Optional.ofNullable(file.lowerBounds())
                .map(bounds -> bounds.get(FIELD_ID))
                .flatMap(TokenFilter::parse);
    }

    /** Whether a data file has a filter, usable or not. */
    public static boolean isIn(DataFile file) {
        return file.lowerBounds() != null && file.lowerBounds().containsKey(FIELD_ID);
    }
}
