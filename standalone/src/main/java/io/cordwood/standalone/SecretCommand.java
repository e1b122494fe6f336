package io.cordwood.standalone;

import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.secret.Rotation;
import io.cordwood.standalone.secret.SecretName;
import io.cordwood.standalone.secret.SecretState;
import io.cordwood.standalone.secret.Secrets;
import io.cordwood.standalone.service.RunningServers;
import io.cordwood.standalone.sql.TextTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code secret list} and {@code rotate}: the secrets of a stack with authentication. */
@Command(
        name = "secret",
        description = "Lists and replaces the secrets of a stack that was started with --auth.",
        synopsisSubcommandLabel = "COMMAND")
final class SecretCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "list or rotate?");
    }

    @Command(name = "list", description = "Lists the secrets that `rotate` replaces: all but the secrets themselves.")
    int list(@Mixin HomeOptions homeOptions) {
        Secrets secrets = secrets(homeOptions.home());
        TextTable table = new TextTable(
                spec.commandLine().getOut(),
                List.of(
                        new TextTable.Column("name", false),
                        new TextTable.Column("kind", false),
                        new TextTable.Column("issued", false),
                        new TextTable.Column("expires", false),
                        new TextTable.Column("state", false)));
        for (SecretName name : SecretName.all()) {
            try {
                SecretState state = SecretState.of(secrets, name);
                table.add(List.of(
                        name.toString(),
                        name.kind().toString(),
                        seconds(state.issued()),
                        state.expires().map(SecretCommand::seconds).orElse(""),
                        state.rotating() ? "half replaced: rotate it again" : ""));
            } catch (IOException e) {
                table.add(List.of(name.toString(), name.kind().toString(), "", "", Errors.text(e)));
            }
        }
        table.finish();
        return 0;
    }

    private static String seconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    @Command(
            name = "rotate",
            description = {
                "Replaces secrets of the running stack, one after the other. No row is lost.",
                "If it is interrupted, run it again: it goes on where it ended."
            })
    int rotate(
            @Mixin HomeOptions homeOptions,
            @Option(
                            names = "--announce",
                            description =
                                    "with ca alone: only let everybody trust the new authority too, so that clients elsewhere can be given the new ca.pem before `rotate ca` goes on")
                    boolean announce,
            @Parameters(
                            arity = "1..*",
                            paramLabel = "NAME",
                            description =
                                    "names as in `secret list`, such as ingest.token, producer.kafka.password, trino.pem or ca")
                    List<String> names)
            throws InterruptedException {
        List<SecretName> chosen = names.stream().map(this::name).toList();
        if (announce && !names.equals(List.of("ca"))) {
            throw new ParameterException(spec.subcommands().get("rotate"), "--announce goes with ca alone");
        }
        Home home = homeOptions.home();
        Secrets secrets = secrets(home);
        // Tells if no stack is ready
        Endpoints.read(home);
        try (StackLock _ = StackLock.tryAcquireSecrets(home)
                .orElseThrow(() -> new CordwoodException(
                        "another rotation of secrets is under way in %s: run this one when it has ended"
                                .formatted(home.directory())))) {
            RunningServers servers = new RunningServers(home, secrets);
            PrintWriter out = spec.commandLine().getOut();
            Rotation rotation = new Rotation(secrets, servers.redis(), servers, out::println);
            if (announce) {
                rotation.announceAuthority();
                out.printf("%s has the old and the new authority: give it to all clients%n", secrets.authorities());
                return 0;
            }
            for (SecretName name : chosen) {
                rotation.rotate(name);
            }
        }
        return 0;
    }

    private SecretName name(String text) {
        Map<String, SecretName> names =
                SecretName.all().stream().collect(Collectors.toMap(SecretName::toString, Function.identity()));
        SecretName name = names.get(text);
        if (name == null) {
            throw new ParameterException(
                    spec.subcommands().get("rotate"),
                    "'%s' is not a secret that can be rotated: `bin/cordwood secret list` has the names"
                            .formatted(text));
        }
        return name;
    }

    private static Secrets secrets(Home home) {
        if (!Files.isDirectory(home.secrets())) {
            throw new CordwoodException(
                    "%s is not the home of a stack with authentication, or not yours".formatted(home.directory()));
        }
        return new Secrets(home.secrets());
    }
}
