package io.cordwood.standalone;

import io.cordwood.catalog.option.TenantId;
import io.cordwood.options.WholeNumber;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.search.Search;
import io.cordwood.standalone.search.SearchClient;
import io.cordwood.standalone.search.SearchPrinter;
import io.cordwood.standalone.search.SearchQuestion;
import io.cordwood.standalone.tail.LineOutput;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code search}: finds rows of one tenant by a query of the search bar. */
@Command(
        name = "search",
        description = "Finds the newest rows of a tenant that match a query, and prints them, oldest first.")
final class SearchCommand implements Callable<Integer> {
    private static final int MAX_LIMIT = 100_000;

    @Spec
    private CommandSpec spec;

    @Mixin
    private HomeOptions homeOptions;

    @Mixin
    private TokenOptions tokenOptions;

    @Parameters(
            paramLabel = "QUERY",
            description = "what to find, such as 'timeout level:error status:>=500'; '' for all rows")
    private String query;

    @Option(
            names = "--tenant",
            converter = TenantId.class,
            required = true,
            paramLabel = "T",
            description = "whose rows")
    private String tenant;

    @Option(names = "--stream", paramLabel = "S", defaultValue = "logs", description = "the stream (default: logs)")
    private String stream;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "rows from this time on: 2026-11-20T12:00:00Z, or now-15m (default: all)")
    private String from;

    @Option(names = "--to", paramLabel = "TIME", description = "rows before this time (default: all)")
    private String to;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            converter = Limit.class,
            description = "how many of the newest rows (default: ${DEFAULT-VALUE})")
    private int limit;

    @Option(names = "--follow", description = "then print rows that match as they arrive, until ^C")
    private boolean follow;

    @Option(names = "--json", description = "print one JSON object per row instead of text")
    private boolean json;

    /** Lets a query begin like an option, as {@code -level:debug} does; so the command has no short options. */
    static void takeQueriesLikeOptions(CommandLine command) {
        command.setUnmatchedOptionsArePositionalParams(true);
        CommandSpec options = command.getCommandSpec();
        for (String shortName : List.of("-h", "-V")) {
            OptionSpec option = options.findOption(shortName);
            options.remove(option);
            options.addOption(OptionSpec.builder(option)
                    .names(option.longestName())
                    .inherited(false)
                    .build());
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        if (follow && to != null) {
            throw new ParameterException(spec.commandLine(), "--to and --follow exclude each other");
        }
        SearchQuestion question = new SearchQuestion(query, Optional.ofNullable(from), Optional.ofNullable(to), limit);
        Endpoints endpoints = Endpoints.read(homeOptions.home());
        if (endpoints.search().isEmpty()) {
            throw new CordwoodException(
                    "no search service runs in this stack: stop it, and start it again with `bin/cordwood up`");
        }
        LineOutput out = new LineOutput(spec.commandLine().getOut());
        PrintWriter err = spec.commandLine().getErr();
        try (SearchClient client =
                new SearchClient(endpoints.search(), tokenOptions.login(endpoints), tenant, stream)) {
            Search search =
                    new Search(client, new SearchPrinter(out, json), note -> err.println("cordwood search: " + note));
            if (follow) {
                UntilInterrupted.run(out, () -> search.findAndFollow(question));
            } else {
                search.find(question);
            }
            return 0;
        }
    }

    private static final class Limit extends WholeNumber {
        Limit() {
            super(1, MAX_LIMIT);
        }
    }
}
