package io.cordwood.record.policy;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.util.Map;

/**
 * The operator's decoding settings. The rows of a record are a pure function of the record, of this policy
 * and, if it requires tokens, of their rules.
 * Immutable.
 *
 * @param defaultTenant tenant of records that name none; if empty, such records are refused
 * @param window acceptance window of tenants without one of their own
 * @param tenantWindows acceptance windows by tenant id
 * @param textColumns text columns by stream, for streams that differ from {@link TextColumns#DEFAULT}
 * @param maxFields maximum number of a table's columns for members of a stream; further members go to
 *     {@code attributes}
 * @param requireToken whether a record needs a token that lets it name its tenant
 */
public record DecodingPolicy(
        String defaultTenant,
        AcceptanceWindow window,
        Map<String, AcceptanceWindow> tenantWindows,
        Map<String, TextColumns> textColumns,
        int maxFields,
        boolean requireToken)
        implements Serializable {
    public static final DecodingPolicy DEFAULT =
            new DecodingPolicy("", AcceptanceWindow.DEFAULT, Map.of(), Map.of(), 200, false);

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
        return new DecodingPolicy(tenant, window, tenantWindows, textColumns, maxFields, requireToken);
    }

    public DecodingPolicy withWindow(AcceptanceWindow newWindow) {
        return new DecodingPolicy(defaultTenant, newWindow, tenantWindows, textColumns, maxFields, requireToken);
    }

    public DecodingPolicy withTenantWindows(Map<String, AcceptanceWindow> windows) {
        return new DecodingPolicy(defaultTenant, window, windows, textColumns, maxFields, requireToken);
    }

    public DecodingPolicy withTextColumns(Map<String, TextColumns> columns) {
        return new DecodingPolicy(defaultTenant, window, tenantWindows, columns, maxFields, requireToken);
    }

    public DecodingPolicy withRequireToken(boolean require) {
        return new DecodingPolicy(defaultTenant, window, tenantWindows, textColumns, maxFields, require);
    }

    public AcceptanceWindow window(String tenantId) {
        return tenantWindows.getOrDefault(tenantId, window);
    }

    public TextColumns textColumns(String stream) {
        return textColumns.getOrDefault(stream, TextColumns.DEFAULT);
    }
}
