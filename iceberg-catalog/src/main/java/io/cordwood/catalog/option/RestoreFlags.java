package io.cordwood.catalog.option;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** What the operator allows a restoration of the catalog's database to do. */
public final class RestoreFlags {
    private static final String REPLACE = "--replace";
    private static final String ACCEPT_LOSS = "--accept-loss";
    private static final String KEEP_ARCHIVED_THROUGH = "--keep-archived-through";

    @Option(names = REPLACE, description = "replaces what the database holds")
    private boolean replace;

    @Option(names = ACCEPT_LOSS, description = "restores also if metadata files of tables are lost or damaged")
    private boolean acceptLoss;

    @Option(
            names = KEEP_ARCHIVED_THROUGH,
            description =
                    "leaves archived-through as in the backup: for a warehouse that lags itself, such as a replica")
    private boolean keepArchivedThrough;

    /** Whether it replaces what the database holds. */
    public boolean replace() {
        return replace;
    }

    /** Whether it goes on if metadata files of tables are lost or damaged. */
    public boolean acceptLoss() {
        return acceptLoss;
    }

    /** Whether archived-through stays as in the backup. */
    public boolean keepArchivedThrough() {
        return keepArchivedThrough;
    }

    /** The options that are given, for another program that has them. */
    public List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        if (replace) {
            arguments.add(REPLACE);
        }
        if (acceptLoss) {
            arguments.add(ACCEPT_LOSS);
        }
        if (keepArchivedThrough) {
            arguments.add(KEEP_ARCHIVED_THROUGH);
        }
        return arguments;
    }
}
