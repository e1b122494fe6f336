package io.cordwood.search;

import static java.util.Objects.requireNonNull;

import io.cordwood.http.HttpSettings;
import io.cordwood.query.QuerySettings;
import io.cordwood.query.search.ScanLimits;
import io.cordwood.search.alert.AlertSettings;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * The operator's settings for the search service. Immutable.
 *
 * @param http where it listens; with TLS it asks callers for tokens
 * @param query settings of the query engine
 * @param limits bounds of one question
 * @param maxQuestions questions that run at once
 * @param maxQuestionsOfTenant the same, about one tenant
 * @param maxQuestionsOfUser the same, of one user
 * @param questionMemoryBytes memory that the questions that run at once may need together
 * @param cursorKey file with the secret that encrypts cursors; empty: they are not encrypted
 * @param allowedHosts names, beside those of loopback, by which requests may call an open service on loopback
 * @param trino the coordinator that answers SQL of agents; empty: none does
 * @param alerts settings for alerts
 */
public record SearchServerOptions(
        HttpSettings http,
        QuerySettings query,
        ScanLimits limits,
        int maxQuestions,
        int maxQuestionsOfTenant,
        int maxQuestionsOfUser,
        long questionMemoryBytes,
        Optional<Path> cursorKey,
        Set<String> allowedHosts,
        Optional<URI> trino,
        AlertSettings alerts) {
    public SearchServerOptions {
        requireNonNull(http, "http is null");
        requireNonNull(query, "query is null");
        requireNonNull(limits, "limits is null");
        requireNonNull(cursorKey, "cursorKey is null");
        requireNonNull(trino, "trino is null");
        requireNonNull(alerts, "alerts is null");
        allowedHosts = Set.copyOf(allowedHosts);
    }

    /** Whether callers need tokens. */
    boolean isClosed() {
        return http.tlsKeystore().isPresent();
    }
}
