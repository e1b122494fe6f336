package io.cordwood.catalog.tenant;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * A tenant in the registry. Immutable.
 *
 * @param id the tenant id
 * @param retentionDays how many days rows are kept; empty: for ever
 * @param streamRetentionDays by stream: how many days its rows are kept, instead of the tenant's; 0: for ever
 * @param quota how fast it may send rows
 * @param textColumns by stream: names of tokenised columns, in addition to those that are text columns by their names
 */
public record Tenant(
        String id,
        OptionalInt retentionDays,
        Map<String, Integer> streamRetentionDays,
        Quota quota,
        Map<String, List<String>> textColumns) {
    public Tenant {
        requireNonNull(id, "id is null");
        if (retentionDays.isPresent() && retentionDays.getAsInt() < 1) {
            throw new IllegalArgumentException("Retention of tenant '%s' is %d days; it must be at least 1"
                    .formatted(id, retentionDays.getAsInt()));
        }
        streamRetentionDays.forEach((stream, days) -> {
            if (days < 0) {
                throw new IllegalArgumentException(
                        "Retention of stream '%s' of tenant '%s' is %d days; it must be at least 1, or 0 for ever"
                                .formatted(stream, id, days));
            }
        });
        requireNonNull(quota, "quota is null");
        streamRetentionDays = Map.copyOf(streamRetentionDays);
        textColumns = Map.copyOf(textColumns);
    }

    /** A tenant with the defaults. */
    public static Tenant of(String id) {
        return new Tenant(id, OptionalInt.empty(), Map.of(), Quota.NONE, Map.of());
    }

    /** The same tenant with another quota. */
    public Tenant withQuota(Quota another) {
        return new Tenant(id, retentionDays, streamRetentionDays, another, textColumns);
    }

    /** How many days rows of this stream are kept; empty: for ever. */
    public OptionalInt retentionDays(String stream) {
        Integer own = streamRetentionDays.get(stream);
        if (own == null) {
            return retentionDays;
        }
        return own == 0 ? OptionalInt.empty() : OptionalInt.of(own);
    }

    /** The tenant's schema name. */
    public String schemaName() {
        return TenantNames.schemaName(id);
    }
}
