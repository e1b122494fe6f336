package io.cordwood.services;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LocalProgramsTest {
    @TempDir
    private Path directory;

    @Test
    void postgresqlIsCarried() throws Exception {
        Path programs = LocalPrograms.carriedPostgresql(directory);

        LocalPrograms.run(List.of(programs.resolve("postgres").toString(), "--version"), directory);

        assertThat(programs.resolve("initdb")).isExecutable();
        assertThat(directory.resolve("postgresql.tar")).doesNotExist();
    }
}
