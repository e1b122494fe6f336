package io.cordwood.ingest.cluster;

import io.cordwood.ingest.runtime.IngestException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.JobManagerOptions;

/**
 * The address at which task managers find the job manager. Immutable.
 *
 * @param host a name or an address that all of them use: the job manager refuses messages to it under another name
 */
record JobManagerAddress(String host, int port) {
    private static final Pattern TEXT = Pattern.compile("([^:/ ]+):([0-9]{1,5})");
    private static final int HIGHEST_PORT = 65_535;

    /** Reads {@code host:port}. @throws IngestException if it is malformed */
    static JobManagerAddress parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches() || port(matcher) == 0 || port(matcher) > HIGHEST_PORT) {
            throw new IngestException("Option --job-manager: '%s' is not host:port".formatted(text));
        }
        return new JobManagerAddress(matcher.group(1), port(matcher));
    }

    private static int port(Matcher matcher) {
        return Integer.parseInt(matcher.group(2));
    }

    /** The same for Flink. */
    Configuration configuration() {
        Configuration configuration = new Configuration();
        configuration.set(JobManagerOptions.ADDRESS, host);
        configuration.set(JobManagerOptions.PORT, port);
        return configuration;
    }
}
