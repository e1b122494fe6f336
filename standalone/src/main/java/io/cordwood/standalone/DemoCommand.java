package io.cordwood.standalone;

import io.cordwood.catalog.client.CatalogException;
import io.cordwood.standalone.demo.Demo;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code demo}: runs everything once, from an empty directory to checked answers. */
@Command(
        name = "demo",
        description =
                "Starts everything in a temporary home, ships sample logs, queries them, checks the answers, stops.")
final class DemoCommand implements Callable<Integer> {
    private static final int FEWEST_ROWS = 20_000;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--rows",
            paramLabel = "N",
            defaultValue = "300000",
            description = "how many rows to ship (default: 300000)")
    private int rows;

    @Option(names = "--keep", description = "keep the temporary home")
    private boolean keep;

    @Override
    public Integer call() throws InterruptedException {
        if (rows < FEWEST_ROWS) {
            throw new ParameterException(
                    spec.commandLine(), "--rows: at least %d, not %d".formatted(FEWEST_ROWS, rows));
        }
        PrintWriter out = spec.commandLine().getOut();
        Home home = temporaryHome();
        long begun = System.nanoTime();
        home.create();
        Logging.superviseIn(home);
        try {
            run(home, out);
        } catch (CordwoodException | CatalogException e) {
            throw new CordwoodException("%s (the home is kept: %s)".formatted(e.getMessage(), home.directory()), e);
        }
        if (keep) {
            out.println("kept: " + home.directory());
        } else {
            delete(home.directory());
        }
        out.printf(
                "the demo took %.0f s%n",
                Duration.ofNanos(System.nanoTime() - begun).toMillis() / 1e3);
        return 0;
    }

    private void run(Home home, PrintWriter out) throws InterruptedException {
        long begun = System.nanoTime();
        RunningStack stack = RunningStack.start(
                home,
                Installation.current().withoutNewClasses(),
                Demo.stack(rows),
                out::println,
                new StartProgress(out, begun));
        // ^C stops the services too.
        Thread stopper = new Thread(stack::close, "stop");
        Runtime.getRuntime().addShutdownHook(stopper);
        try {
            Endpoints endpoints = stack.awaitReady();
            out.printf(
                    "ready in %.1f s%n",
                    Duration.ofNanos(System.nanoTime() - begun).toMillis() / 1e3);
            try (Demo demo = Demo.of(rows, endpoints, out)) {
                ship(demo);
                awaitArchived(demo);
                demo.query();
                demo.plan();
                demo.storage();
            }
        } finally {
            out.printf("%nstopping%n");
            stack.close();
        }
        Runtime.getRuntime().removeShutdownHook(stopper);
    }

    private void ship(Demo demo) throws InterruptedException {
        AtomicReference<Double> done = new AtomicReference<>(0.0);
        try (ProgressBar bar = ProgressBar.on(spec.commandLine().getErr())) {
            bar.watch(() -> OptionalDouble.of(done.get()), () -> "shipped");
            demo.ship((shipment, total) -> done.set(shipment.sent() / (double) total));
        }
    }

    private void awaitArchived(Demo demo) throws InterruptedException {
        AtomicReference<Double> done = new AtomicReference<>(0.0);
        try (ProgressBar bar = ProgressBar.on(spec.commandLine().getErr())) {
            bar.watch(() -> OptionalDouble.of(done.get()), () -> "archived");
            demo.awaitArchived((left, total) -> done.set(1 - left / (double) total));
        }
    }

    private static Home temporaryHome() {
        try {
            return new Home(Files.createTempDirectory("cordwood-demo-"));
        } catch (IOException e) {
            throw new CordwoodException("cannot make a temporary home: " + Errors.text(e), e);
        }
    }

    private static void delete(Path directory) {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new CordwoodException("cannot remove %s: %s".formatted(directory, Errors.text(e)), e);
        }
    }
}
