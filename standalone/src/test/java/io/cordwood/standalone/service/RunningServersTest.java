package io.cordwood.standalone.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.process.PidFile;
import io.cordwood.standalone.process.ProcessIdentity;
import io.cordwood.standalone.process.Supervisor;
import io.cordwood.standalone.secret.Secrets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunningServersTest {
    @TempDir
    private Path directory;

    private Home home;
    private Secrets secrets;

    @BeforeEach
    void makeHome() {
        home = new Home(directory);
        home.create();
        secrets = new Secrets(home.secrets());
    }

    private void supervise() {
        new PidFile(home.run(), Supervisor.NAME)
                .write(ProcessIdentity.of(ProcessHandle.current().pid()).orElseThrow());
    }

    @Test
    void refusesAStackThatNobodySupervises() {
        assertThatThrownBy(() -> new RunningServers(home, secrets))
                .isInstanceOf(CordwoodException.class)
                .hasMessage("the stack in %s is not supervised: start it with `bin/cordwood up`, then run this again"
                        .formatted(directory));
    }

    @Test
    void onlyIcebergsOwnConnectorReadsATokenAtItsStart() throws Exception {
        supervise();
        RunningServers servers = new RunningServers(home, secrets);
        assertThat(servers.readersAtStart("query")).isEmpty();

        Path catalogs = Files.createDirectories(home.configuration().resolve("trino/catalog"));
        Files.writeString(catalogs.resolve("iceberg.properties"), "");
        assertThat(servers.readersAtStart("query")).containsExactly("trino");
        assertThat(servers.readersAtStart("ingest")).isEmpty();
    }
}
