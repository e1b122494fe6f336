package io.cordwood.standalone;

import io.cordwood.catalog.tenant.TenantNames;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Tenant ids on the command line. Stateless. */
final class TenantIds {
    private TenantIds() {}

    /**
     * Refuses an invalid tenant id.
     *
     * @param parameter its name on the command line
     * @throws ParameterException if the id is empty or too long
     */
    static void check(CommandSpec spec, String parameter, String id) {
        int bytes = id.getBytes(StandardCharsets.UTF_8).length;
        if (bytes < 1 || bytes > TenantNames.MAX_ID_BYTES) {
            throw new ParameterException(
                    spec.commandLine(),
                    "%s: an id has 1 to %d bytes, not %d".formatted(parameter, TenantNames.MAX_ID_BYTES, bytes));
        }
    }
}
