package io.cordwood.standalone.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.jvm.ClassArchive;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import io.cordwood.standalone.home.Ports;
import io.cordwood.standalone.process.ServiceSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JavaCommandTest {
    private static final String MODULE = "search-service";
    private static final String MAIN = "io.cordwood.search.SearchServer";

    @TempDir
    private Path directory;

    private Home home;
    private Installation installation;

    @BeforeEach
    void build() throws IOException {
        home = new Home(directory.resolve("home"));
        home.create();
        installation = new Installation(directory.resolve("root"));
        for (String module : List.of(MODULE, MetricsExporter.MODULE)) {
            Path target =
                    Files.createDirectories(installation.root().resolve(module).resolve("target"));
            Path jar = Files.createFile(target.resolve(Path.of(module).getFileName() + "-1.jar"));
            Files.writeString(target.resolve("classpath.txt"), jar.toString());
        }
    }

    private JavaCommand java() {
        return new JavaCommand(home, "search", Map.of());
    }

    private JavaCommand java(String userOptions) {
        return new JavaCommand(home, "search", Map.of("CORDWOOD_SEARCH_JAVA_OPTIONS", userOptions));
    }

    private List<String> archiveOptions(ServiceSpec.Command command) {
        return command.arguments().stream()
                .filter(argument -> argument.contains("Archive"))
                .toList();
    }

    @Test
    void aServiceWritesItsClasses() {
        ServiceSpec.Command command = java("-Xmx1g").service(installation, MODULE, MAIN);
        assertThat(command.classes()).map(ClassArchive::isWritten).hasValue(true);
        assertThat(archiveOptions(command)).singleElement().asString().startsWith("-XX:ArchiveClassesAtExit=");
    }

    @Test
    void withoutNewClassesAServiceReadsThoseThatAreThere() throws IOException {
        Installation reader = installation.withoutNewClasses();
        ServiceSpec.Command none = java().service(reader, MODULE, MAIN);
        assertThat(none.classes()).isEmpty();
        assertThat(archiveOptions(none)).isEmpty();

        ServiceSpec.Command writer = java().service(installation, MODULE, MAIN);
        Files.createFile(Path.of(archiveOptions(writer).getFirst().split("=", 2)[1]));
        writer.classes().orElseThrow().end(true);
        assertThat(archiveOptions(java().service(reader, MODULE, MAIN)))
                .singleElement()
                .asString()
                .startsWith("-XX:SharedArchiveFile=");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-javaagent:profiler.jar",
                "-Xmx1g -agentpath:/opt/profiler.so",
                "-Xshare:off",
                "-XX:SharedArchiveFile=own.jsa",
                "-XX:AOTCache=own.aot",
                "-XX:StartFlightRecording",
                "-XX:VMOptionsFile=options",
                "@options",
                "\"-javaagent:/my tools/profiler.jar\"",
                "--patch-module=java.base=patches"
            })
    void withAnAgentOrAnArchiveOfItsOwnAServiceSharesNothing(String option) {
        assertThat(java(option).service(installation, MODULE, MAIN).classes()).isEmpty();
    }

    @Test
    void aPropertyMayNameAnAgent() {
        assertThat(java("-Dhttp.agent=cordwood")
                        .service(installation, MODULE, MAIN)
                        .classes())
                .isPresent();
    }

    @Test
    void aProgramThatEndsByItselfWritesNothing() {
        assertThat(java().program(installation, MODULE, MAIN)).noneMatch(argument -> argument.contains("Archive"));
    }

    @Test
    void theExporterStartsTheService() {
        Ports ports = Ports.fixed("127.0.0.1", Map.of(MetricsExporter.TRINO.portName(), 9404));
        List<String> command = java().metrics(MetricsExporter.TRINO, ports)
                .argument("--port", "8095")
                .service(installation, MODULE, MAIN)
                .arguments();
        String rules = home.configuration().resolve("trino-metrics.yml").toString();
        assertThat(command).endsWith(MetricsExporter.MAIN_CLASS, "127.0.0.1:9404:" + rules, MAIN, "--port", "8095");
        assertThat(command.get(command.indexOf("-cp") + 1)).contains("search-service-1.jar", "metrics-exporter-1.jar");
    }
}
