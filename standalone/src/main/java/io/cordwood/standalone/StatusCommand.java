package io.cordwood.standalone;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.client.CatalogException;
import io.cordwood.standalone.catalog.UnarchivedRecords;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.flink.IngestStatus;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.StackFacts;
import io.cordwood.standalone.process.PidFile;
import io.cordwood.standalone.process.ServiceStatus;
import io.cordwood.standalone.process.ServiceStatus.State;
import io.cordwood.standalone.process.StatusFile;
import io.cordwood.standalone.process.Supervisor;
import io.cordwood.standalone.secret.Secrets;
import io.cordwood.standalone.sql.TextTable;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code status}: shows the running services, their addresses, and how far the ingest job is behind. */
@Command(
        name = "status",
        description =
                "Shows the running services, their addresses, and how far the ingest job is behind. Exits with 0 if everything is ready, else with 1.")
final class StatusCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private HomeOptions homeOptions;

    @Mixin
    private TokenOptions tokenOptions;

    @Override
    public Integer call() throws InterruptedException {
        Home home = homeOptions.home();
        PrintWriter out = spec.commandLine().getOut();
        Optional<ProcessHandle> supervisor = new PidFile(home.run(), Supervisor.NAME).running();
        Optional<StatusFile> file = StatusFile.read(home.statusFile());
        if (file.isEmpty() || supervisor.isEmpty()) {
            List<String> orphans = Orphans.running(home);
            out.println(
                    orphans.isEmpty()
                            ? "no stack runs in " + home.directory()
                            : "the supervisor in %s was killed; still running: %s (`up` replaces them, `down` ends them)"
                                    .formatted(home.directory(), String.join(", ", orphans)));
            return 1;
        }
        boolean ready = Files.exists(home.endpoints());
        out.printf(
                "%s in %s, supervised by process %d%n",
                ready ? "ready" : "starting", home.directory(), supervisor.get().pid());
        services(file.get().services(), out);
        if (!Files.exists(home.secrets())) {
            out.println(UpCommand.OPEN);
        }
        if (ready) {
            ingest(home, out);
            lag(home, out);
        }
        boolean allReady = file.get().services().stream().allMatch(service -> service.state() == State.READY);
        return ready && allReady ? 0 : 1;
    }

    private static void ingest(Home home, PrintWriter out) {
        try {
            Endpoints endpoints = Endpoints.read(home);
            Optional<Secrets> secrets = endpoints.ca().isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Secrets(Path.of(endpoints.ca()).getParent()));
            out.println(IngestStatus.of(endpoints.flink(), secrets));
        } catch (CordwoodException e) {
            out.println("the ingest job's state is unknown: " + e.getMessage());
        }
    }

    private void lag(Home home, PrintWriter out) throws InterruptedException {
        try {
            Endpoints endpoints = Endpoints.read(home);
            StackFacts facts = StackFacts.read(home);
            try (CatalogClient catalog = tokenOptions.connect(endpoints)) {
                UnarchivedRecords.byStream(endpoints.kafka(), facts.clientProperties(), facts.streams(), catalog)
                        .forEach((stream, records) ->
                                out.printf("stream %s: %,d records not yet archived%n", stream, records));
            }
        } catch (CordwoodException | CatalogException e) {
            out.println("the backlog is unknown: " + e.getMessage());
        }
    }

    private static void services(List<ServiceStatus> services, PrintWriter out) {
        TextTable table = new TextTable(
                out,
                List.of(
                        new TextTable.Column("service", false),
                        new TextTable.Column("state", false),
                        new TextTable.Column("process", true),
                        new TextTable.Column("endpoint", false),
                        new TextTable.Column("up", true),
                        new TextTable.Column("restarts", true),
                        new TextTable.Column("last end", false)));
        long now = System.currentTimeMillis();
        for (ServiceStatus service : services) {
            table.add(List.of(
                    service.name(),
                    service.state().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                    service.pid() == 0 ? "" : Long.toString(service.pid()),
                    service.endpoint(),
                    service.startedMillis() == 0 ? "" : duration(now - service.startedMillis()),
                    Integer.toString(service.restarts()),
                    service.lastExit()));
        }
        table.finish();
    }

    private static String duration(long millis) {
        Duration duration = Duration.ofMillis(millis);
        if (duration.toDays() > 0) {
            return "%d d %d h".formatted(duration.toDays(), duration.toHoursPart());
        }
        return duration.toHours() > 0
                ? "%d h %d min".formatted(duration.toHours(), duration.toMinutesPart())
                : "%d min %d s".formatted(duration.toMinutes(), duration.toSecondsPart());
    }
}
