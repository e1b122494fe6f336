package io.cordwood.standalone;

import io.cordwood.services.S3Account;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Runs the check in src/test/python: a stack from bin/cordwood, lines shipped by two clients, and every engine's rows
 * held against what a second implementation of the written contract expects.
 */
final class AcceptanceIT {
    private static final int NUMBERED_ROWS = 500_000;
    private static final int GENERATED_ROWS = 200_000;
    private static final int REQUESTS = 100_000;

    private final Path root = Program.root();

    @Test
    @Tag("slow")
    void referenceKnowsTheExamplesOfTheSpecifications() throws Exception {
        run(List.of(check(), "--self-test")).assertCode(0);
    }

    @Test
    @Tag("slow")
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void everyEngineGivesWhatWasShipped() throws Exception {
        run(List.of(check())).assertCode(0);
    }

    @Test
    @Tag("slow")
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    void everyEngineGivesWhatWasShippedOfRealLines() throws Exception {
        List<String> command = full();
        command.addAll(List.of("--spark", "--requests", Integer.toString(REQUESTS)));
        run(command).assertCode(0);
    }

    @Test
    @Tag("slow")
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void everyEngineGivesWhatWasShippedToAnS3StoreAndPostgreSql() throws Exception {
        try (Service store = TestServices.objectStore();
                Service database = TestServices.postgresql()) {
            List<String> command = full();
            for (String option : List.of(
                    "--warehouse=s3://%s/warehouse".formatted(S3Account.BUCKET),
                    "--s3-endpoint=" + store.url(),
                    "--s3-path-style",
                    "--catalog-db=" + database.url())) {
                command.add("--up=" + option);
            }
            run(command).assertCode(0);
        }
    }

    private String check() {
        return root.resolve("standalone/src/test/python/run").toString();
    }

    private List<String> full() {
        List<String> options =
                new ArrayList<>(List.of(check(), "--thorough", "--numbered", Integer.toString(NUMBERED_ROWS)));
        Path data = Path.of(Objects.requireNonNullElse(
                        System.getenv("CORDWOOD_SHARED"),
                        root.resolveSibling("shared").toString()))
                .resolve("data");
        if (Files.isDirectory(data)) {
            options.addAll(List.of("--shared", data.toString()));
        } else {
            System.out.printf("no real log lines in %s (CORDWOOD_SHARED says where): lines are generated%n", data);
            options.addAll(List.of("--rows", Integer.toString(GENERATED_ROWS)));
        }
        return options;
    }

    private static Script.Outcome run(List<String> command) throws IOException, InterruptedException {
        return Script.run(command, S3Account.environment());
    }
}
