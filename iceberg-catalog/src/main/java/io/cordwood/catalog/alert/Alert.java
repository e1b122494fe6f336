package io.cordwood.catalog.alert;

import static java.util.Objects.requireNonNull;

/**
 * A rule in the registry with its status. Immutable.
 *
 * @param rule the rule
 * @param revision differs for each change of the rule
 * @param status what its evaluations have found
 */
public record Alert(AlertRule rule, String revision, AlertStatus status) {
    public Alert {
        requireNonNull(rule, "rule is null");
        requireNonNull(revision, "revision is null");
        requireNonNull(status, "status is null");
    }

    public Alert with(AlertStatus next) {
        return new Alert(rule, revision, next);
    }
}
