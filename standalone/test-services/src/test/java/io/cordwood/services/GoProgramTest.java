package io.cordwood.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GoProgramTest {
    @TempDir
    private Path directory;

    @Test
    void theVariableGoesBeforePathAndPathBeforeTheCache() throws Exception {
        Path named = program("named/any-name");
        Path onPath = program("path/minio");
        Path inGopath = program("gopath/bin/minio");
        Map<String, String> path = Map.of("PATH", "/nowhere:" + onPath.getParent(), "GOPATH", gopath());

        assertThat(GoProgram.MINIO.find(Map.of("CORDWOOD_MINIO", named.toString(), "PATH", path.get("PATH"))))
                .isEqualTo(named);
        assertThat(GoProgram.MINIO.find(path)).isEqualTo(onPath);
        assertThat(GoProgram.MINIO.find(Map.of("PATH", "/nowhere", "GOPATH", gopath())))
                .isEqualTo(inGopath);
    }

    @Test
    void itIsBuiltOnceAndThenFound() throws Exception {
        Path go = program("go/go");
        Files.writeString(go, """
                #!/bin/sh
                echo "$*" >>%s
                touch "$GOBIN/versitygw"
                chmod +x "$GOBIN/versitygw"
                """.formatted(directory.resolve("calls")));
        Map<String, String> environment =
                Map.of("PATH", go.getParent().toString(), "GOPATH", gopath(), "XDG_CACHE_HOME", directory + "/cache");

        Path built = GoProgram.VERSITYGW.find(environment);

        assertThat(built).isExecutable().startsWith(directory.resolve("cache/cordwood"));
        assertThat(GoProgram.VERSITYGW.find(environment)).isEqualTo(built);
        assertThat(directory.resolve("calls"))
                .content()
                .matches("install github.com/versity/versitygw/cmd/versitygw@v[0-9.]+\n");
    }

    @Test
    void withoutGoOneLineSaysWhatToInstall() {
        Map<String, String> environment =
                Map.of("PATH", "/nowhere", "GOPATH", gopath(), "XDG_CACHE_HOME", directory.toString());
        assertThatThrownBy(() -> GoProgram.MINIO.find(environment))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no minio on PATH, and no go to build it with: install it (CORDWOOD_MINIO says where it is)"
                        + " or Go");
        assertThatThrownBy(() -> GoProgram.MINIO.find(Map.of("CORDWOOD_MINIO", "/nowhere/minio")))
                .hasMessage("CORDWOOD_MINIO=/nowhere/minio is no program");
    }

    private String gopath() {
        return directory.resolve("gopath").toString();
    }

    private Path program(String name) throws Exception {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.createFile(
                file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
}
