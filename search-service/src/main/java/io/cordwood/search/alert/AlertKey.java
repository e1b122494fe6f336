package io.cordwood.search.alert;

import io.cordwood.catalog.alert.Alert;

/** What identifies an alert rule. Immutable. */
record AlertKey(String tenantId, String name) {
    static AlertKey of(Alert alert) {
        return new AlertKey(alert.rule().tenantId(), alert.rule().name());
    }
}
