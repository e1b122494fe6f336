package io.cordwood.jvm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With JVMs that run a program of one class. */
final class ClassArchiveTest {
    @TempDir
    private Path directory;

    private Path archives;
    private Path jar;

    @BeforeEach
    void makeJar() throws IOException {
        archives = directory.resolve("archives");
        jar = directory.resolve("greeting.jar");
        String name = Greeting.class.getName().replace('.', '/') + ".class";
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                InputStream bytes = Greeting.class.getClassLoader().getResourceAsStream(name)) {
            out.putNextEntry(new JarEntry(name));
            bytes.transferTo(out);
        }
    }

    static final class Greeting {
        private Greeting() {}

        public static void main(String[] arguments) {
            System.out.println("Hello");
        }
    }

    private ClassArchive archive() {
        return ClassArchive.of(archives, "greeting", jar.toString(), List.of()).orElseThrow();
    }

    /** Where the JVM has the program's class from. */
    private String source(ClassArchive archive) throws Exception {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xlog:class+load"));
        command.addAll(archive.options());
        command.addAll(List.of("-cp", jar.toString(), Greeting.class.getName()));
        Process java = new ProcessBuilder(command).redirectErrorStream(true).start();
        List<String> lines =
                new String(java.getInputStream().readAllBytes(), UTF_8).lines().toList();
        assertThat(java.waitFor()).as("%s", lines).isZero();
        assertThat(lines)
                .as("what the program prints")
                .anyMatch(line -> line.equals("Hello"))
                .noneMatch(line -> line.contains("[cds"));
        return lines.stream()
                .filter(line -> line.contains(" " + Greeting.class.getName() + " source: "))
                .findFirst()
                .orElseThrow();
    }

    /** Runs the program once, which writes its classes. */
    private void write(boolean keep) throws Exception {
        ClassArchive archive = archive();
        assertThat(archive.isWritten()).isTrue();
        source(archive);
        archive.end(keep);
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(archives)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void theNextJvmSharesTheClasses() throws Exception {
        ClassArchive first = archive();
        assertThat(first.isWritten()).isTrue();
        assertThat(source(first)).contains("greeting.jar");
        assertThat(archive().isWritten()).as("before the first has handed over").isTrue();
        first.end(true);

        ClassArchive second = archive();
        assertThat(second.isWritten()).isFalse();
        assertThat(source(second)).contains("shared objects file");
        second.end(true);
        assertThat(files()).singleElement().asString().endsWith(".jsa");
    }

    @Test
    void whatIsNotToBeKeptIsDeleted() throws Exception {
        write(false);
        assertThat(files()).isEmpty();
        assertThat(archive().isWritten()).isTrue();
    }

    @Test
    void aJarThatWasBuiltAnewHasAnArchiveOfItsOwn() throws Exception {
        Path other = Files.createDirectories(archives).resolve("greeting-card-0123456789abcdef.jsa");
        Files.createFile(other);
        write(true);
        String first = files().get(0);
        Files.setLastModifiedTime(
                archives.resolve(first), FileTime.from(Instant.now().minus(Duration.ofDays(1))));
        for (int build = 1; build <= 3; build++) {
            Files.setLastModifiedTime(jar, FileTime.from(Instant.now().minus(Duration.ofDays(build))));
            write(true);
        }
        assertThat(files())
                .as("the two that were used last, and that of another program")
                .hasSize(3)
                .doesNotContain(first)
                .contains(other.getFileName().toString());
        assertThat(source(archive())).contains("shared objects file");
    }

    @Test
    void otherOptionsHaveAnArchiveOfTheirOwn() throws Exception {
        write(true);
        assertThat(ClassArchive.of(archives, "greeting", jar.toString(), List.of("-Xmx40g"))
                        .orElseThrow()
                        .isWritten())
                .isTrue();
    }

    @Test
    void anArchiveThatAJvmCouldNotBearIsWrittenAgain() throws Exception {
        write(true);
        ClassArchive writer = archive();
        assertThat(writer.isWritten()).isFalse();
        writer.discard();
        assertThat(files()).isEmpty();
        assertThat(archive().isWritten()).isTrue();
    }

    @Test
    void whatNobodyHandedOverIsDeletedLater() throws Exception {
        Files.createDirectories(archives);
        Path old = Files.createFile(archives.resolve("greeting-" + UUID.randomUUID() + ".part"));
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
        Path young = Files.createFile(archives.resolve("greeting-" + UUID.randomUUID() + ".part"));
        write(true);
        assertThat(old).doesNotExist();
        assertThat(young).exists();
    }

    @Test
    void aDamagedArchiveStopsNoProgram() throws Exception {
        write(true);
        Files.write(archives.resolve(files().get(0)), new byte[100_000]);
        assertThat(source(archive())).contains("greeting.jar");
    }

    @Test
    void withoutAPlaceOrAJarThereIsNone() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        assertThat(ClassArchive.of(file, "greeting", jar.toString(), List.of())).isEmpty();
        assertThat(ClassArchive.of(
                        archives, "greeting", directory.resolve("nothing.jar").toString(), List.of()))
                .isEmpty();
    }
}
