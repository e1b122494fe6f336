package io.cordwood.catalog.commit;

import io.cordwood.logblock.sketch.TokenFilter;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.DataFile;

/**
 * Where the token filter of a LogBlock stands in Iceberg's manifests: among the lower bounds of its data file, under
 * the id of a column that no table has. A reader looks bounds up by the ids of its columns, and those of a dropped
 * column stay behind just so; whoever rewrites manifests copies them, whoever rewrites data files leaves them out.
 * Stateless, thread-safe.
 */
public final class ManifestFilters {
    /** Ids are given out from 1 upwards, and those above 2,147,483,447 are Iceberg's own. */
    public static final int FIELD_ID = 2_147_480_000;

    private ManifestFilters() {}

    static void put(TokenFilter filter, Map<Integer, ByteBuffer> lowerBounds) {
        lowerBounds.put(FIELD_ID, ByteBuffer.wrap(filter.toBytes()));
    }

    /** The filter of a data file; empty if it has none that this version can use. */
    public static Optional<TokenFilter> of(DataFile file) {
        return Optional.ofNullable(file.lowerBounds())
                .map(bounds -> bounds.get(FIELD_ID))
                .flatMap(TokenFilter::parse);
    }

    /** Whether a data file has a filter, be it usable or not. */
    public static boolean isIn(DataFile file) {
        return file.lowerBounds() != null && file.lowerBounds().containsKey(FIELD_ID);
    }
}
