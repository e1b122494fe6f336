package io.cordwood.standalone;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.option.TenantId;
import io.cordwood.catalog.tenant.User;
import io.cordwood.identity.ServiceRole;
import io.cordwood.identity.TenantRole;
import io.cordwood.options.Size;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.secret.ShipperLogins;
import io.cordwood.standalone.sql.TextTable;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code user add}, {@code list}, {@code grant}, {@code revoke}, {@code kafka-login} and {@code remove}: who may do
 * what.
 */
@Command(
        name = "user",
        description = "Adds, lists and removes users, and grants them roles in tenants.",
        synopsisSubcommandLabel = "COMMAND")
final class UserCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "add, list, grant, revoke, kafka-login or remove?");
    }

    @Command(name = "add", description = "Adds a user, who may do nothing until a role is granted.")
    int add(
            @Mixin HomeOptions homeOptions,
            @Mixin TokenOptions tokenOptions,
            @Parameters(paramLabel = "NAME", description = "the user's name") String name,
            @Option(names = "--operator", description = "the user runs the lake: it may do everything")
                    boolean operator) {
        try (CatalogClient catalog = tokenOptions.connect(homeOptions.home())) {
            if (catalog.user(name).isPresent()) {
                throw new CordwoodException("there is a user %s already".formatted(name));
            }
            catalog.putUser(operator ? User.operator(name) : User.person(name, Map.of()));
        } catch (IllegalArgumentException e) {
            throw new CordwoodException(e.getMessage(), e);
        }
        return 0;
    }

    @Command(name = "list", description = "Lists the users with their roles.")
    int list(@Mixin HomeOptions homeOptions, @Mixin TokenOptions tokenOptions) {
        TextTable table = new TextTable(
                spec.commandLine().getOut(),
                List.of(
                        new TextTable.Column("user", false),
                        new TextTable.Column("kind", false),
                        new TextTable.Column("grants", false)));
        try (CatalogClient catalog = tokenOptions.connect(homeOptions.home())) {
            catalog.accessRules().users().forEach(user -> table.add(List.of(user.name(), kind(user), grants(user))));
        }
        table.finish();
        return 0;
    }

    private static String kind(User user) {
        return user.service().map(service -> "service").orElse(user.operator() ? "operator" : "person");
    }

    private static String grants(User user) {
        return new TreeMap<>(user.grants())
                .entrySet().stream()
                        .map(grant -> grant.getKey() + ": " + labels(grant.getValue()))
                        .collect(Collectors.joining("; "));
    }

    private static String labels(Set<TenantRole> roles) {
        return roles.stream().sorted().map(TenantRole::label).collect(Collectors.joining(", "));
    }

    @Command(
            name = "grant",
            description =
                    "Grants a user roles in a tenant: reader reads its rows; deleter also deletes them; writer ships rows and commits to its tables.")
    int grant(
            @Mixin HomeOptions homeOptions,
            @Mixin TokenOptions tokenOptions,
            @Parameters(paramLabel = "NAME", description = "the user's name") String name,
            @Option(
                            names = "--tenant",
                            required = true,
                            paramLabel = "T",
                            converter = TenantId.class,
                            description = "the tenant's id")
                    String tenant,
            @Option(
                            names = "--role",
                            required = true,
                            split = ",",
                            paramLabel = "R",
                            description = "reader, deleter or writer; several with commas")
                    List<TenantRole> roles) {
        change(homeOptions, tokenOptions, name, grants -> {
            grants.computeIfAbsent(tenant, missing -> EnumSet.noneOf(TenantRole.class))
                    .addAll(roles);
            return grants;
        });
        return 0;
    }

    @Command(
            name = "revoke",
            description = "Takes a role in a tenant from a user, or all roles. The user's tokens for it end.")
    int revoke(
            @Mixin HomeOptions homeOptions,
            @Mixin TokenOptions tokenOptions,
            @Parameters(paramLabel = "NAME", description = "the user's name") String name,
            @Option(
                            names = "--tenant",
                            required = true,
                            paramLabel = "T",
                            converter = TenantId.class,
                            description = "the tenant's id")
                    String tenant,
            @Option(
                            names = "--role",
                            split = ",",
                            paramLabel = "R",
                            description = "reader, deleter or writer; several with commas (default: all)")
                    List<TenantRole> roles) {
        change(homeOptions, tokenOptions, name, grants -> {
            Set<TenantRole> held = grants.get(tenant);
            if (held == null) {
                throw new CordwoodException("user %s has no role in tenant %s".formatted(name, tenant));
            }
            held.removeAll(roles == null ? EnumSet.allOf(TenantRole.class) : EnumSet.copyOf(roles));
            return grants;
        });
        return 0;
    }

    private static void change(
            HomeOptions homeOptions,
            TokenOptions tokenOptions,
            String name,
            UnaryOperator<Map<String, Set<TenantRole>>> change) {
        try (CatalogClient catalog = tokenOptions.connect(homeOptions.home())) {
            User user = catalog.user(name).orElseThrow(() -> missing(name));
            Map<String, Set<TenantRole>> grants = new HashMap<>();
            user.grants().forEach((tenant, roles) -> grants.put(tenant, EnumSet.copyOf(roles)));
            Optional<ServiceRole> service = user.service();
            catalog.putUser(new User(name, user.operator(), service, change.apply(grants)));
        } catch (IllegalArgumentException e) {
            throw new CordwoodException(e.getMessage(), e);
        }
    }

    @Command(
            name = "kafka-login",
            description = {
                "Makes a login in Kafka for a user that ships logs, and prints the properties of its Kafka client, and nothing else, on standard output. They cannot be printed again.",
                "It may write to streams and do nothing else. Which tenants' records it may send, its tokens decide. An earlier login of the user ends."
            })
    int kafkaLogin(
            @Mixin HomeOptions homeOptions,
            @Mixin TokenOptions tokenOptions,
            @Parameters(paramLabel = "NAME", description = "the user's name") String name,
            @Option(
                            names = "--stream",
                            split = ",",
                            defaultValue = "logs",
                            paramLabel = "S",
                            description = "the streams that it may write to (default: ${DEFAULT-VALUE})")
                    List<String> streams,
            @Option(
                            names = "--quota",
                            paramLabel = "SIZE",
                            converter = Quota.class,
                            description =
                                    "bytes per second that it may send to one broker, as in 10mb (default: 64mb, as any login)")
                    Long quota)
            throws InterruptedException {
        Endpoints endpoints = Endpoints.read(homeOptions.home());
        try (CatalogClient catalog = tokenOptions.connect(endpoints)) {
            if (catalog.user(name).isEmpty()) {
                throw missing(name);
            }
        }
        ShipperLogins logins = logins(tokenOptions, endpoints)
                .filter(ShipperLogins::mayChange)
                .orElseThrow(() -> new CordwoodException(
                        "only who can read the secrets of a stack with authentication can make a login in Kafka"));
        String properties = logins.make(name, streams, quota == null ? OptionalLong.empty() : OptionalLong.of(quota));
        spec.commandLine().getOut().print(properties);
        spec.commandLine().getOut().flush();
        return 0;
    }

    private static Optional<ShipperLogins> logins(TokenOptions tokenOptions, Endpoints endpoints) {
        return tokenOptions.login(endpoints).secrets().map(secrets -> new ShipperLogins(secrets, endpoints.kafka()));
    }

    private static final class Quota extends Size {}

    @Command(
            name = "remove",
            description = "Removes a user with its grants and its login in Kafka. All its tokens end.")
    int remove(
            @Mixin HomeOptions homeOptions,
            @Mixin TokenOptions tokenOptions,
            @Parameters(paramLabel = "NAME", description = "the user's name") String name)
            throws InterruptedException {
        Endpoints endpoints = Endpoints.read(homeOptions.home());
        try (CatalogClient catalog = tokenOptions.connect(endpoints)) {
            boolean registered = catalog.user(name).isPresent();
            if (registered) {
                catalog.deleteUser(name);
            }
            // Also of a user whom an earlier command removed while Kafka did not answer
            Optional<ShipperLogins> logins = logins(tokenOptions, endpoints);
            if (logins.filter(ShipperLogins::mayChange).isPresent()) {
                removeLogin(logins.get(), name);
            } else if (logins.isPresent() && !endpoints.kafka().isEmpty()) {
                spec.commandLine()
                        .getErr()
                        .printf(
                                "if %s has a login in Kafka, it stays: only who can read the stack's secrets can remove it%n",
                                name);
            }
            if (!registered) {
                throw missing(name);
            }
        }
        return 0;
    }

    private static void removeLogin(ShipperLogins logins, String name) throws InterruptedException {
        try {
            logins.remove(name);
        } catch (CordwoodException e) {
            throw new CordwoodException(
                    "%s; the login of %s in Kafka stays until you remove the user again"
                            .formatted(e.getMessage(), name),
                    e);
        }
    }

    private static CordwoodException missing(String name) {
        return new CordwoodException(
                "there is no user %s: add one with `bin/cordwood user add %s`".formatted(name, name));
    }
}
