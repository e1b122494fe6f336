package io.cordwood.standalone;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code secret}: the secrets with which the services of a lake prove themselves. */
@Command(
        name = "secret",
        description =
                "Makes and replaces the secrets with which the services of a lake prove themselves to each other.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            SecretInitCommand.class,
            SecretRegisterCommand.class,
            SecretListCommand.class,
            SecretRotateCommand.class
        })
final class SecretCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), String.join(", ", spec.subcommands().keySet()) + ": which one?");
    }
}
