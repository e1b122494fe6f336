package io.cordwood.standalone;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.client.CatalogException;
import io.cordwood.catalog.option.TenantId;
import io.cordwood.hot.HotTier;
import io.cordwood.hot.HotTierException;
import io.cordwood.hot.token.PolledTokenRules;
import io.cordwood.logblock.match.MatchQuery;
import io.cordwood.logblock.match.MatchSyntaxException;
import io.cordwood.options.Time;
import io.cordwood.options.WholeNumber;
import io.cordwood.record.policy.DecodingPolicy;
import io.cordwood.record.token.TokenRulesSource;
import io.cordwood.standalone.catalog.StackCatalog;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.home.ClientProperties;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.StackFacts;
import io.cordwood.standalone.secret.Login;
import io.cordwood.standalone.tail.JsonFormat;
import io.cordwood.standalone.tail.LineOutput;
import io.cordwood.standalone.tail.Notes;
import io.cordwood.standalone.tail.Tail;
import io.cordwood.standalone.tail.TailOutput;
import io.cordwood.standalone.tail.TailReader;
import io.cordwood.standalone.tail.TailStart;
import io.cordwood.standalone.tail.TenantTable;
import io.cordwood.standalone.tail.TextFormat;
import io.cordwood.standalone.tail.TextMatch;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Callable;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tail}: follows the rows of one tenant. */
@Command(
        name = "tail",
        description = "Follows a tenant's rows as they arrive in Kafka, until ^C. Reports problems on standard error.")
final class TailCommand implements Callable<Integer> {
    private static final int MAX_LINES = 10_000;
    private static final Duration SCHEMA_INTERVAL = Duration.ofSeconds(5);
    /** How long rows wait for a catalog that does not answer. */
    private static final Duration RULES_WAIT = Duration.ofSeconds(30);

    @Spec
    private CommandSpec spec;

    @Mixin
    private HomeOptions homeOptions;

    @Mixin
    private TokenOptions tokenOptions;

    @Option(
            names = "--tenant",
            converter = TenantId.class,
            required = true,
            paramLabel = "T",
            description = "whose rows")
    private String tenant;

    @Option(
            names = "--stream",
            paramLabel = "S",
            defaultValue = "logs",
            description = "the stream to follow (default: logs)")
    private String stream;

    @Option(
            names = "--match",
            paramLabel = "QUERY",
            description = "only rows that match, as match(column, 'QUERY') does in SQL")
    private String match;

    @Option(names = "--column", paramLabel = "NAME", description = "the column that --match is for (default: message)")
    private String column;

    @Option(
            names = "--since",
            paramLabel = "DURATION",
            converter = Age.class,
            description = "start with rows that Kafka received this long ago: 30s, 5m, 2h, 1d")
    private Duration since;

    @Option(
            names = "--lines",
            paramLabel = "N",
            converter = Lines.class,
            description = "start with the last N rows (at most 10000)")
    private Integer lines;

    @Option(names = "--json", description = "print one JSON object per row instead of text")
    private boolean json;

    @Option(
            names = "--kafka-properties",
            paramLabel = "FILE",
            description = "properties of the Kafka client (default: the stack's)")
    private Path kafkaProperties;

    @Override
    public Integer call() throws InterruptedException {
        Optional<TextMatch> textMatch = textMatch();
        TailStart start = start();
        Home home = homeOptions.home();
        Endpoints endpoints = Endpoints.read(home);
        PrintWriter err = spec.commandLine().getErr();
        Notes notes = new Notes(line -> err.println("cordwood tail: " + line));
        LineOutput lineOutput = new LineOutput(spec.commandLine().getOut());
        TailOutput out = new TailOutput(lineOutput, json ? new JsonFormat() : new TextFormat());
        Login login = tokenOptions.login(endpoints);
        try (CatalogClient catalog = StackCatalog.connect(endpoints, login);
                TenantTable table = TenantTable.open(catalog, tenant, stream, SCHEMA_INTERVAL, notes);
                PolledTokenRules rules = new PolledTokenRules(catalog::tokenRules, RULES_WAIT, millis -> {}, "tail");
                HotTier tier = connect(
                        endpoints.kafka(),
                        StackFacts.read(home),
                        login.secrets().isPresent() ? Optional.of(rules) : Optional.empty())) {
            Tail tail = new Tail(new TailReader(tier, stream, table, textMatch), out, notes);
            UntilInterrupted.run(lineOutput, () -> {
                tail.begin(start);
                tail.follow();
            });
            return 0;
        } catch (CatalogException | HotTierException e) {
            throw new CordwoodException(Errors.text(e), e);
        }
    }

    /** @param rules of the tokens without which records do not count; absent: they need none */
    private HotTier connect(String kafka, StackFacts facts, Optional<TokenRulesSource> rules) {
        Properties client = kafkaProperties == null ? facts.clientProperties() : ClientProperties.load(kafkaProperties);
        client.setProperty("bootstrap.servers", kafka);
        try {
            DecodingPolicy policy = DecodingPolicy.DEFAULT
                    .withDefaultTenant(facts.defaultTenant())
                    .withRequireToken(rules.isPresent());
            return new HotTier(client, policy, rules, 0);
        } catch (KafkaException e) {
            throw new CordwoodException("cannot use Kafka at %s: %s".formatted(kafka, Errors.text(e)), e);
        }
    }

    private Optional<TextMatch> textMatch() {
        if (match == null) {
            if (column != null) {
                throw new ParameterException(spec.commandLine(), "--column needs --match");
            }
            return Optional.empty();
        }
        try {
            String name = column == null ? "message" : column.toLowerCase(Locale.ROOT);
            return Optional.of(new TextMatch(name, MatchQuery.parse(match)));
        } catch (MatchSyntaxException e) {
            throw new ParameterException(spec.commandLine(), "--match: " + e.getMessage(), e);
        }
    }

    private TailStart start() {
        if (since != null && lines != null) {
            throw new ParameterException(spec.commandLine(), "--since and --lines exclude each other");
        }
        if (lines != null) {
            return lines == 0 ? new TailStart.End() : new TailStart.Lines(lines);
        }
        return since == null ? new TailStart.End() : new TailStart.Since(since);
    }

    private static final class Age extends Time {
        Age() {
            super(Duration.ZERO);
        }
    }

    private static final class Lines extends WholeNumber {
        Lines() {
            super(0, MAX_LINES);
        }
    }
}
