package io.cordwood.record.policy;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.util.Map;

/**
 * The operator's decoding settings. The rows of a record are a pure function of the record and of this policy.
 * Immutable.
 *
 * @param defaultTenant tenant of records that name none; if empty, such records are refused
 * @param window acceptance window of tenants without one of their own
 * @param tenantWindows acceptance windows by tenant id
 * @param textColumns text columns by stream, for streams that differ from {@link TextColumns#DEFAULT}
 * @param maxFields maximum number of a table's columns for members of a stream; further members go to
 *     {@code attributes}
 */
public record DecodingPolicy(
        String defaultTenant,
        AcceptanceWindow window,
        Map<String, AcceptanceWindow> tenantWindows,
        Map<String, TextColumns> textColumns,
        int maxFields)
        implements Serializable {
    public static final DecodingPolicy DEFAULT =
            new DecodingPolicy("", AcceptanceWindow.DEFAULT, Map.of(), Map.of(), 200);

    public DecodingPolicy {
        requireNonNull(defaultTenant, "defaultTenant is null");
        requireNonNull(window, "window is null");
        tenantWindows = Map.copyOf(tenantWindows);
        textColumns = Map.copyOf(textColumns);
        if (maxFields < 0) {
            throw new IllegalArgumentException("maxFields cannot be negative: " + maxFields);
        }
    }

    public DecodingPolicy withDefaultTenant(String tenant) {
        return new DecodingPolicy(tenant, window, tenantWindows, textColumns, maxFields);
    }

    public DecodingPolicy withWindow(AcceptanceWindow newWindow) {
        return new DecodingPolicy(defaultTenant, newWindow, tenantWindows, textColumns, maxFields);
    }

    public DecodingPolicy withTenantWindows(Map<String, AcceptanceWindow> windows) {
        return new DecodingPolicy(defaultTenant, window, windows, textColumns, maxFields);
    }

    public DecodingPolicy withTextColumns(Map<String, TextColumns> columns) {
        return new DecodingPolicy(defaultTenant, window, tenantWindows, columns, maxFields);
    }

    public AcceptanceWindow window(String tenantId) {
        return tenantWindows.getOrDefault(tenantId, window);
    }

    public TextColumns textColumns(String stream) {
        return textColumns.getOrDefault(stream, TextColumns.DEFAULT);
    }
}
