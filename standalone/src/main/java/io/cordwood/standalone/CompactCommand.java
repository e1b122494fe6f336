package io.cordwood.standalone;

import io.cordwood.catalog.option.TenantId;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import io.cordwood.standalone.home.StackFacts;
import io.cordwood.standalone.process.ChildProgram;
import io.cordwood.standalone.service.CompactionService;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code compact}: merges LogBlocks now. */
@Command(name = "compact", description = "Compacts now; the stack also does so in the background.")
final class CompactCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private HomeOptions homeOptions;

    @Option(
            names = "--tenant",
            converter = TenantId.class,
            paramLabel = "T",
            description = "compacts only this tenant (default: all tenants)")
    private String tenant;

    @Option(names = "--stream", paramLabel = "S", description = "compacts only this stream (default: all streams)")
    private String stream;

    @Override
    public Integer call() throws InterruptedException {
        Home home = homeOptions.home();
        Endpoints endpoints = Endpoints.read(home);
        StackFacts facts = StackFacts.read(home);
        List<String> streams = facts.streams();
        if (stream != null && !streams.contains(stream)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--stream: there is no stream %s (streams: %s)".formatted(stream, String.join(", ", streams)));
        }
        try {
            List<String> command = CompactionService.once(
                    home,
                    Installation.current(),
                    endpoints.catalog(),
                    stream == null ? streams : List.of(stream),
                    Optional.ofNullable(tenant),
                    facts.compaction());
            return ChildProgram.run(new ProcessBuilder(command));
        } catch (IOException e) {
            throw new CordwoodException("cannot start the compaction: " + Errors.text(e), e);
        }
    }
}
