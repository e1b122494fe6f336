package io.cordwood.standalone.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.standalone.error.CordwoodException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class InstallationTest {
    private static final String MODULE = "search-service";

    @TempDir
    private Path root;

    private Path jar;
    private Installation installation;

    @BeforeEach
    void build() throws IOException {
        Path target = Files.createDirectories(root.resolve(MODULE).resolve("target"));
        jar = Files.writeString(target.resolve("search-service-1.jar"), "first build");
        Files.writeString(target.resolve("search-service-1-tests.jar"), "");
        Path library =
                Files.writeString(Files.createDirectory(root.resolve("lib")).resolve("lucene.jar"), "");
        Files.writeString(target.resolve("classpath.txt"), root.relativize(library) + "\n");
        Files.createDirectory(root.resolve("target"));
        installation = new Installation(root);
    }

    private void makeSourceTree() throws IOException {
        Files.createFile(root.resolve("mvnw"));
    }

    private Path ownJar() {
        return Path.of(installation.classPath(MODULE).split(":", -1)[0]);
    }

    @Test
    void anInstallationRunsFromItsJars() {
        assertThat(installation.classPath(MODULE)).isEqualTo(jar + ":" + root.resolve("lib/lucene.jar"));
    }

    @Test
    void aBuildDoesNotReplaceJarsOfRunningProcesses() throws IOException {
        makeSourceTree();
        Path running = ownJar();
        assertThat(running).isNotEqualTo(jar).hasContent("first build").hasFileName("search-service-1.jar");
        assertThat(ownJar()).as("the same build has the same class path").isEqualTo(running);

        Files.writeString(jar, "the second build");
        assertThat(ownJar()).hasContent("the second build");
        assertThat(running).hasContent("first build");
    }

    @Test
    void withoutAPlaceForCopiesItRunsFromItsJars() throws IOException {
        makeSourceTree();
        Files.createFile(root.resolve("target/running"));
        assertThat(ownJar()).isEqualTo(jar);
    }

    @Test
    void jarsOfOldBuildsAreDeleted() throws IOException {
        makeSourceTree();
        Path first = ownJar();
        Files.setLastModifiedTime(first.getParent(), FileTime.from(Instant.now().minus(Duration.ofDays(100))));
        Files.writeString(jar, "the second build");
        Path second = ownJar();
        assertThat(first.getParent()).doesNotExist();
        assertThat(second).exists();
    }

    @Test
    void aMissingJarIsNamed() throws IOException {
        Files.delete(root.resolve("lib/lucene.jar"));
        assertThatThrownBy(() -> installation.classPath(MODULE))
                .isInstanceOf(CordwoodException.class)
                .hasMessageContaining("lucene.jar is missing");
    }
}
