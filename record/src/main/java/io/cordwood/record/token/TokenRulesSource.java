package io.cordwood.record.token;

import io.cordwood.identity.TokenRules;

/** Gives rules of tokens for the time of a record. Thread-safe. */
@FunctionalInterface
public interface TokenRulesSource {
    /**
     * Rules that are complete until after a time. Waits for them if need be, and an interrupt ends that.
     *
     * @param timeMicros microseconds since the epoch
     * @throws TokenRulesException if they do not come in time, or the thread was interrupted
     */
    TokenRules completeAt(long timeMicros);
}
