package io.cordwood.standalone;

import io.cordwood.catalog.tenant.Quota;
import java.util.OptionalLong;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of {@code tenant set} that change a quota. Not thread-safe. */
final class QuotaOptions {
    private static final String BYTES = "--quota";
    private static final String ROWS = "--row-quota";

    @Option(
            names = BYTES,
            paramLabel = "BYTES",
            description = "bytes per second that the tenant may ship through the gateway; 0: unlimited")
    private Long bytes;

    @Option(
            names = ROWS,
            paramLabel = "ROWS",
            description = "rows per second that the tenant may ship through the gateway; 0: unlimited")
    private Long rows;

    /** Checks what was given. */
    void check(CommandLine command) {
        requireNotNegative(command, BYTES, bytes);
        requireNotNegative(command, ROWS, rows);
    }

    private static void requireNotNegative(CommandLine command, String option, Long limit) {
        if (limit != null && limit < 0) {
            throw new ParameterException(command, "%s: %d is below 0".formatted(option, limit));
        }
    }

    /** The quota with the limits that were given. */
    Quota apply(Quota quota) {
        Quota changed = bytes == null ? quota : quota.withBytesPerSecond(limit(bytes));
        return rows == null ? changed : changed.withRowsPerSecond(limit(rows));
    }

    private static OptionalLong limit(long given) {
        return given == 0 ? OptionalLong.empty() : OptionalLong.of(given);
    }
}
