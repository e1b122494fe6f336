package io.cordwood.ingest;

import io.cordwood.catalog.option.StreamName;
import io.cordwood.catalog.option.TenantId;
import io.cordwood.ingest.builder.DeclaredColumns;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say what is read and what its tables look like: those that a stack passes on. */
public final class StreamFlags {
    private static final String COLUMNS = "--columns";
    private static final String TEXT = "--text";
    private static final Pattern NAMES = Pattern.compile("[^,:=]+(,[^,:=]+)*");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--streams",
            split = ",",
            paramLabel = "NAME",
            defaultValue = "logs",
            converter = StreamName.class,
            description = "the streams; each is a Kafka topic (default: ${DEFAULT-VALUE})")
    private List<String> streams;

    @Option(
            names = COLUMNS,
            split = ";",
            paramLabel = "STREAM=NAME:TYPE,...",
            description = "declares columns; types: varchar, bigint, double, boolean, timestamp")
    private List<String> columns = List.of();

    @Option(
            names = TEXT,
            split = ";",
            paramLabel = "STREAM=NAME,...",
            description = "the stream's text columns besides the usual names")
    private List<String> text = List.of();

    @Option(
            names = "--default-tenant",
            paramLabel = "T",
            converter = TenantId.class,
            description = "the tenant of records that name none (default: such records go to the dead-letter topic)")
    private String defaultTenant;

    /** The values. @throws ParameterException if they contradict each other or are malformed */
    public StreamOptions options() {
        return new StreamOptions(streams, columns(), text(), Optional.ofNullable(defaultTenant));
    }

    private DeclaredColumns columns() {
        try {
            DeclaredColumns declared = DeclaredColumns.parse(String.join(";", columns));
            requireStreams(COLUMNS, declared.byStream().keySet());
            return declared;
        } catch (IllegalArgumentException e) {
            throw wrong(COLUMNS, e.getMessage());
        }
    }

    private Map<String, Set<String>> text() {
        Map<String, Set<String>> byStream = new LinkedHashMap<>();
        for (String list : text) {
            String[] parts = list.split("=", 2);
            if (parts.length != 2
                    || parts[0].isEmpty()
                    || !NAMES.matcher(parts[1]).matches()) {
                throw wrong(TEXT, "'%s' is not STREAM=name,...".formatted(list));
            }
            byStream.computeIfAbsent(parts[0], stream -> new TreeSet<>())
                    .addAll(Arrays.asList(parts[1].toLowerCase(Locale.ROOT).split(",")));
        }
        requireStreams(TEXT, byStream.keySet());
        return byStream;
    }

    private void requireStreams(String option, Collection<String> named) {
        for (String stream : named) {
            if (!streams.contains(stream)) {
                throw wrong(option, "there is no stream " + stream);
            }
        }
    }

    private ParameterException wrong(String option, String message) {
        return new ParameterException(spec.commandLine(), "%s: %s".formatted(option, message));
    }
}
