package io.cordwood.standalone;

import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.secret.SecretName;
import io.cordwood.standalone.secret.SecretState;
import io.cordwood.standalone.secret.Secrets;
import io.cordwood.standalone.sql.TextTable;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code secret list}: what {@code secret rotate} replaces in a stack with authentication. */
@Command(
        name = "list",
        description =
                "Lists the secrets of a stack of `up --auth` that `rotate` replaces: all but the secrets themselves.")
final class SecretListCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private HomeOptions homeOptions;

    @Override
    public Integer call() {
        Secrets secrets = SecretRotateCommand.secrets(homeOptions.home());
        TextTable table = new TextTable(
                spec.commandLine().getOut(),
                List.of(
                        new TextTable.Column("name", false),
                        new TextTable.Column("kind", false),
                        new TextTable.Column("issued", false),
                        new TextTable.Column("expires", false),
                        new TextTable.Column("state", false)));
        for (SecretName name : SecretName.all()) {
            try {
                SecretState state = SecretState.of(secrets, name);
                table.add(List.of(
                        name.toString(),
                        name.kind().toString(),
                        seconds(state.issued()),
                        state.expires().map(SecretListCommand::seconds).orElse(""),
                        state.rotating() ? "half replaced: rotate it again" : ""));
            } catch (IOException | IllegalArgumentException e) {
                table.add(List.of(name.toString(), name.kind().toString(), "", "", Errors.text(e)));
            }
        }
        table.finish();
        return 0;
    }

    private static String seconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
