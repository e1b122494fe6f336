package io.cordwood.standalone;

import io.cordwood.catalog.alert.Alert;
import io.cordwood.catalog.alert.AlertRule;
import io.cordwood.catalog.alert.AlertStatus;
import io.cordwood.catalog.alert.Comparison;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.option.TenantId;
import io.cordwood.options.Time;
import io.cordwood.query.language.SearchParser;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.sql.TextTable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code alert set}, {@code list} and {@code remove}: alert rules of tenants. */
@Command(
        name = "alert",
        description = "Sets, lists and removes alert rules. A search service with --alertmanager evaluates them.",
        synopsisSubcommandLabel = "COMMAND")
final class AlertCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "set, list or remove?");
    }

    @Command(
            name = "set",
            description = "Adds an alert rule to a tenant, or replaces the one of this name.",
            footer = {
                "",
                "Examples:",
                "  cordwood alert set errors --tenant=acme --query='level:error' --when='>100' --window=5min",
                "  cordwood alert set silence --tenant=acme --when='<1' --window=15min --for=5min --label=severity=page"
            })
    int set(
            @Mixin HomeOptions homeOptions,
            @Mixin TokenOptions tokenOptions,
            @Parameters(paramLabel = "NAME", description = "the rule's name, which is the alert's") String name,
            @Option(
                            names = "--tenant",
                            required = true,
                            paramLabel = "T",
                            converter = TenantId.class,
                            description = "whose rows")
                    String tenant,
            @Option(
                            names = "--stream",
                            paramLabel = "S",
                            defaultValue = "logs",
                            description = "the stream (default: logs)")
                    String stream,
            @Option(
                            names = "--query",
                            paramLabel = "QUERY",
                            defaultValue = "",
                            description = "which rows, in the search bar's language (default: all)")
                    String query,
            @Option(
                            names = "--when",
                            required = true,
                            paramLabel = "NUMBER",
                            converter = Condition.class,
                            description =
                                    "the number of rows that is an alert: >, >=, < or <= and a number, as in '>100'")
                    Threshold when,
            @Option(
                            names = "--window",
                            required = true,
                            paramLabel = "TIME",
                            converter = Length.class,
                            description = "the length of time whose rows are counted, as in 5min")
                    Duration window,
            @Option(
                            names = "--every",
                            paramLabel = "TIME",
                            defaultValue = "1min",
                            converter = Length.class,
                            description = "the time between two evaluations (default: ${DEFAULT-VALUE})")
                    Duration every,
            @Option(
                            names = "--for",
                            paramLabel = "TIME",
                            defaultValue = "0s",
                            converter = HoldFor.class,
                            description = "how long that holds before the alert fires (default: fires at once)")
                    Duration holdFor,
            @Option(
                            names = "--label",
                            paramLabel = "NAME=VALUE",
                            description = "a label of the alert, by which Alertmanager routes it; may be repeated")
                    Map<String, String> labels,
            @Option(
                            names = "--annotation",
                            paramLabel = "NAME=TEXT",
                            description = "a text for people, such as a summary or a runbook; may be repeated")
                    Map<String, String> annotations,
            @Option(
                            names = "--samples",
                            paramLabel = "N",
                            defaultValue = "3",
                            description =
                                    "how many of the newest rows the alert shows, 0 to 10 (default: ${DEFAULT-VALUE})")
                    int samples) {
        try (CatalogClient catalog = tokenOptions.connect(homeOptions.home())) {
            // What the columns are is known only where the rows are
            SearchParser.parse(query);
            catalog.putAlert(new AlertRule(
                    tenant,
                    stream,
                    name,
                    query,
                    window,
                    every,
                    holdFor,
                    when.comparison(),
                    when.rows(),
                    labels == null ? Map.of() : labels,
                    annotations == null ? Map.of() : annotations,
                    samples));
        } catch (IllegalArgumentException e) {
            throw new CordwoodException(e.getMessage(), e);
        }
        return 0;
    }

    @Command(name = "list", description = "Lists alert rules with the states of their alerts.")
    int list(
            @Mixin HomeOptions homeOptions,
            @Mixin TokenOptions tokenOptions,
            @Option(
                            names = "--tenant",
                            paramLabel = "T",
                            converter = TenantId.class,
                            description = "only this tenant's (default: all)")
                    String tenant) {
        TextTable table = new TextTable(
                spec.commandLine().getOut(),
                List.of(
                        new TextTable.Column("tenant", false),
                        new TextTable.Column("name", false),
                        new TextTable.Column("stream", false),
                        new TextTable.Column("query", false),
                        new TextTable.Column("when", false),
                        new TextTable.Column("window", false),
                        new TextTable.Column("state", false),
                        new TextTable.Column("since", false),
                        new TextTable.Column("rows", true),
                        new TextTable.Column("error", false)));
        try (CatalogClient catalog = tokenOptions.connect(homeOptions.home())) {
            List<Alert> alerts = tenant == null ? catalog.alerts() : catalog.alerts(tenant);
            alerts.forEach(alert -> table.add(row(alert.rule(), alert.status())));
        }
        table.finish();
        return 0;
    }

    private static List<String> row(AlertRule rule, AlertStatus status) {
        return List.of(
                rule.tenantId(),
                rule.name(),
                rule.stream(),
                rule.query(),
                rule.comparison().symbol() + rule.threshold(),
                rule.window().toSeconds() + "s",
                Json.lowerCase(status.state()),
                status.since().map(Instant::toString).orElse(""),
                status.value().isPresent() ? Long.toString(status.value().getAsLong()) : "",
                status.error().orElse(""));
    }

    @Command(name = "remove", description = "Removes an alert rule. An alert of it that fires ends within minutes.")
    int remove(
            @Mixin HomeOptions homeOptions,
            @Mixin TokenOptions tokenOptions,
            @Parameters(paramLabel = "NAME", description = "the rule's name") String name,
            @Option(
                            names = "--tenant",
                            required = true,
                            paramLabel = "T",
                            converter = TenantId.class,
                            description = "the tenant's id")
                    String tenant) {
        try (CatalogClient catalog = tokenOptions.connect(homeOptions.home())) {
            if (!catalog.deleteAlert(tenant, name)) {
                throw new CordwoodException("tenant %s has no alert rule %s".formatted(tenant, name));
            }
        }
        return 0;
    }

    /** A number of rows and how it is compared. */
    private record Threshold(Comparison comparison, long rows) {}

    private static final class Condition implements ITypeConverter<Threshold> {
        private static final Pattern CONDITION = Pattern.compile("([<>]=?) ?([0-9]{1,18})");

        @Override
        public Threshold convert(String text) {
            Matcher condition = CONDITION.matcher(text.strip());
            if (!condition.matches()) {
                throw new TypeConversionException(
                        "'%s' is not one of >, >=, <, <= and a number, as in '>100'".formatted(text));
            }
            return new Threshold(Comparison.of(condition.group(1)), Long.parseLong(condition.group(2)));
        }
    }

    private static final class Length extends Time {
        Length() {
            super(Duration.ofSeconds(1));
        }
    }

    private static final class HoldFor extends Time {
        HoldFor() {
            super(Duration.ZERO);
        }
    }
}
