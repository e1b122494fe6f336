package io.cordwood.identity;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/** When a service's certificate ends, in the text format of Prometheus. Stateless. */
public final class CertificateMetrics {
    private static final String NAME = "cordwood_certificate_expiry_timestamp_seconds";

    private CertificateMetrics() {}

    /**
     * The series of a service; none without a certificate. That of a file that cannot be read ended in 1970, which
     * raises the alert.
     *
     * @param own the file with its key and certificates
     */
    public static String toPrometheus(Optional<Path> own) {
        return own.map(file -> """
                # HELP %1$s When the certificate of the service ends, in seconds since 1970.
                # TYPE %1$s gauge
                %1$s %2$d
                """.formatted(NAME, end(file).getEpochSecond())).orElse("");
    }

    private static Instant end(Path file) {
        try {
            return PemFiles.expiry(file);
        } catch (IOException e) {
            // The alert says it
            return Instant.EPOCH;
        }
    }
}
