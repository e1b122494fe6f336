package io.cordwood.standalone;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.option.TenantId;
import io.cordwood.catalog.protocol.AccessToken;
import io.cordwood.catalog.protocol.IssuedToken;
import io.cordwood.catalog.protocol.RegisteredToken;
import io.cordwood.catalog.protocol.TokenRequest;
import io.cordwood.identity.Audience;
import io.cordwood.identity.TenantRole;
import io.cordwood.identity.Token;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.sql.TextTable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code token create}, {@code exchange}, {@code list} and {@code revoke}: the tokens of users. */
@Command(
        name = "token",
        description = "Creates, exchanges, lists and revokes the tokens of users.",
        synopsisSubcommandLabel = "COMMAND")
final class TokenCommand implements Runnable {
    private static final Pattern LIFE = Pattern.compile("([1-9][0-9]{0,8})([smhd])");

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "create, exchange, list or revoke?");
    }

    @Command(
            name = "create",
            description = {
                "Creates a token and prints it, and nothing else, on standard output. It cannot be printed again.",
                "With --tenant and --role it is good for these alone.",
                "With --for=records it is what a shipper sends in its records, and good for nothing else."
            })
    int create(
            @Mixin HomeOptions homeOptions,
            @Mixin TokenOptions tokenOptions,
            @Option(names = "--user", required = true, paramLabel = "U", description = "the user that it stands for")
                    String user,
            @Option(
                            names = "--for",
                            defaultValue = "requests",
                            paramLabel = "USE",
                            description = "requests, or records of --tenant (default: ${DEFAULT-VALUE})")
                    Audience audience,
            @Option(
                            names = "--tenant",
                            paramLabel = "T",
                            converter = TenantId.class,
                            description = "the only tenant that it is good for; goes with --role or --for=records")
                    String tenant,
            @Option(
                            names = "--role",
                            paramLabel = "R",
                            description = "the only role that it is good for: reader, deleter or writer")
                    TenantRole role,
            @Option(
                            names = "--stream",
                            split = ",",
                            paramLabel = "S",
                            description = "the only streams that it is good for; needs --tenant")
                    List<String> streams,
            @Option(
                            names = "--expires",
                            defaultValue = "30d",
                            paramLabel = "TIME",
                            description =
                                    "how long it is good, as in 12h or 90d, up to 365d (default: ${DEFAULT-VALUE})")
                    String expires) {
        CommandLine create = spec.subcommands().get("create");
        if (audience == Audience.RECORDS) {
            if (tenant == null || (role != null && role != TenantRole.WRITER)) {
                throw new ParameterException(create, "--for=records needs --tenant, and no --role but writer");
            }
        } else if ((tenant == null) != (role == null)) {
            throw new ParameterException(create, "--tenant and --role go together: give both or none");
        }
        if (streams != null && tenant == null) {
            throw new ParameterException(create, "--stream needs --tenant");
        }
        Optional<Token.Scope> scope = Optional.ofNullable(tenant)
                .map(id -> new Token.Scope(
                        id, role == null ? TenantRole.WRITER : role, streams == null ? Set.of() : Set.copyOf(streams)));
        TokenRequest request = new TokenRequest(audience, scope, Optional.of(life(create, expires)));
        try (CatalogClient catalog = tokenOptions.connect(homeOptions.home())) {
            IssuedToken token = catalog.createToken(user, request);
            spec.commandLine()
                    .getErr()
                    .printf(
                            "token %s of user %s, good until %s; end it with `bin/cordwood token revoke %s`%n",
                            token.id(), user, token.expires(), token.id());
            spec.commandLine().getOut().println(token.token());
        }
        return 0;
    }

    @Command(
            name = "exchange",
            description = {
                "Exchanges a token for one of an hour, which it prints, and nothing else, on standard output.",
                "It may be one of the OpenID provider of the stack (--issuer)."
            })
    int exchange(@Mixin HomeOptions homeOptions, @Mixin TokenOptions tokenOptions) {
        AccessToken token = tokenOptions.exchange(Endpoints.read(homeOptions.home()));
        spec.commandLine().getErr().printf("good for %d s%n", token.life().toSeconds());
        spec.commandLine().getOut().println(token.token());
        return 0;
    }

    private static Duration life(CommandLine create, String text) {
        Matcher life = LIFE.matcher(text);
        if (!life.matches()) {
            throw new ParameterException(
                    create, "--expires: '%s' is not a number of s, m, h or d, as in 30d".formatted(text));
        }
        long number = Long.parseLong(life.group(1));
        return switch (life.group(2)) {
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }

    @Command(name = "list", description = "Lists tokens, the newest first: of one user, or all.")
    int list(
            @Mixin HomeOptions homeOptions,
            @Mixin TokenOptions tokenOptions,
            @Option(names = "--user", paramLabel = "U", description = "the user (default: all that you may list)")
                    String user) {
        TextTable table = new TextTable(
                spec.commandLine().getOut(),
                List.of(
                        new TextTable.Column("id", false),
                        new TextTable.Column("user", false),
                        new TextTable.Column("good for", false),
                        new TextTable.Column("issued", false),
                        new TextTable.Column("expires", false),
                        new TextTable.Column("state", false)));
        Instant now = Instant.now();
        try (CatalogClient catalog = tokenOptions.connect(homeOptions.home())) {
            for (RegisteredToken token : user == null ? catalog.tokens() : catalog.tokens(user)) {
                table.add(List.of(
                        token.id(),
                        token.user(),
                        words(token),
                        token.issued().toString(),
                        token.expires().toString(),
                        state(token, now)));
            }
        }
        table.finish();
        return 0;
    }

    private static String words(RegisteredToken token) {
        String scope = token.scope().map(TokenCommand::words).orElse("all that the user may do");
        return token.audience() == Audience.RECORDS ? "records, " + scope : scope;
    }

    private static String words(Token.Scope scope) {
        String role = "%s of %s".formatted(scope.role().label(), scope.tenant());
        return scope.streams().isEmpty()
                ? role
                : role + ", "
                        + String.join(", ", scope.streams().stream().sorted().toList());
    }

    private static String state(RegisteredToken token, Instant now) {
        if (token.revoked().isPresent()) {
            return "revoked";
        }
        return now.isBefore(token.expires()) ? "" : "expired";
    }

    @Command(
            name = "revoke",
            description = "Ends a token and those that it was exchanged for. Records with it are refused 10 s later.")
    int revoke(
            @Mixin HomeOptions homeOptions,
            @Mixin TokenOptions tokenOptions,
            @Parameters(paramLabel = "ID", description = "the token's id, as in token list") String id) {
        try (CatalogClient catalog = tokenOptions.connect(homeOptions.home())) {
            catalog.revokeToken(id);
        }
        return 0;
    }
}
