package io.cordwood.standalone;

import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.secret.Rotation;
import io.cordwood.standalone.secret.SecretName;
import io.cordwood.standalone.secret.Secrets;
import io.cordwood.standalone.service.RunningServers;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code secret rotate}: replaces secrets of a stack with authentication while it runs. */
@Command(
        name = "rotate",
        description = {
            "Replaces secrets of a running stack of `up --auth`, one after the other. No row is lost.",
            "If it is interrupted, run it again: it goes on where it ended."
        })
final class SecretRotateCommand implements Callable<Integer> {
    private static final String AUTHORITY = "ca";

    @Spec
    private CommandSpec spec;

    @Mixin
    private HomeOptions homeOptions;

    @Option(
            names = "--announce",
            description =
                    "with ca alone: only let everybody trust the new authority too, so that clients elsewhere can be given the new ca.pem before `rotate ca` goes on")
    private boolean announce;

    @Parameters(
            arity = "1..*",
            paramLabel = "NAME",
            description = "names as in `secret list`, such as ingest.token, producer.kafka.password, trino.pem or ca")
    private List<String> names;

    @Override
    public Integer call() throws InterruptedException {
        List<SecretName> chosen = names.stream().map(this::name).toList();
        if (announce && !names.equals(List.of(AUTHORITY))) {
            throw new ParameterException(spec.commandLine(), "--announce goes with ca alone");
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
        Map<String, SecretName> all =
                SecretName.all().stream().collect(Collectors.toMap(SecretName::toString, Function.identity()));
        SecretName name = all.get(text);
        if (name == null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "'%s' is not a secret that can be rotated: `bin/cordwood secret list` has the names"
                            .formatted(text));
        }
        return name;
    }

    /** The secrets of a home. @throws CordwoodException if it has none that this user may read */
    static Secrets secrets(Home home) {
        if (!Files.isDirectory(home.secrets())) {
            throw new CordwoodException(
                    "%s is not the home of a stack that `up --auth` started, or not yours: give its home with --home"
                            .formatted(home.directory()));
        }
        return new Secrets(home.secrets());
    }
}
