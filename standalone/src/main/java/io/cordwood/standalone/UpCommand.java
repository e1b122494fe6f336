package io.cordwood.standalone;

import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import io.cordwood.standalone.secret.Secrets;
import io.cordwood.standalone.service.StackOptions;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code up}: starts a stack and keeps it running. */
@Command(
        name = "up",
        description = "Starts the stack and keeps it running until ^C or `down`. A process that dies is started again.")
final class UpCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private HomeOptions homeOptions;

    @Mixin
    private StackFlags flags;

    /** Tells the user of a stack what anybody on this machine may do. */
    static final String OPEN =
            "without authentication: whoever is on this machine may read, write and delete everything; --auth closes it";

    @Option(
            names = "--auth",
            description = "every service asks who calls: tokens, certificates and passwords are made below DIR/secrets")
    private boolean auth;

    @Option(names = "--detach", description = "return when the stack is ready, and leave it running")
    private boolean detach;

    private StackOptions options() {
        StackOptions options = flags.options();
        if (!auth && options.issuer().isPresent()) {
            throw new ParameterException(spec.commandLine(), "--issuer needs --auth: users log in with it");
        }
        if (!auth) {
            return options;
        }
        if (options.kafka().isPresent()
                || options.redis().isPresent()
                || options.catalog().isPresent()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--auth sets up the stack's own Kafka, Redis and catalog: omit --kafka, --redis and --catalog");
        }
        return options.with(new Secrets(homeOptions.home().secrets()));
    }

    @Override
    public Integer call() throws Exception {
        StackOptions options = options();
        Home home = homeOptions.home();
        PrintWriter out = spec.commandLine().getOut();
        if (detach && !Detached.isThisProcess()) {
            Detached.up(home, spec.commandLine().getParseResult().originalArgs(), out);
            return 0;
        }
        long begun = System.nanoTime();
        home.create();
        Logging.superviseIn(home);
        CountDownLatch stopped = new CountDownLatch(1);
        RunningStack stack =
                RunningStack.start(home, Installation.current(), options, out::println, new StartProgress(out, begun));
        Thread stopper = Thread.ofPlatform().unstarted(() -> {
            out.println("stopping");
            stack.close();
            out.println("stopped");
            stopped.countDown();
        });
        Runtime.getRuntime().addShutdownHook(stopper);
        try {
            if (!auth) {
                out.println(OPEN);
            }
            Endpoints endpoints = stack.awaitReady();
            out.printf(
                    "ready in %.1f s%n",
                    Duration.ofNanos(System.nanoTime() - begun).toMillis() / 1e3);
            out.printf("  SQL        %s (catalog cordwood; bin/cordwood sql \"...\")%n", endpoints.trino());
            out.printf("  search     %s (bin/cordwood search \"...\" --tenant T)%n", endpoints.search());
            out.printf(
                    "  gateway    %s (curl --data-binary @FILE .../api/v1/ingest/logs?tenant=T)%n",
                    endpoints.gateway());
            out.printf("  Kafka      %s%n  dashboard  %s%n", endpoints.kafka(), endpoints.flink());
            out.printf("  all in     %s%n", home.endpoints());
            stopped.await();
            return 0;
        } catch (CordwoodException e) {
            Runtime.getRuntime().removeShutdownHook(stopper);
            stack.close();
            throw e;
        }
    }
}
