package io.cordwood.catalog.server;

import io.cordwood.catalog.CatalogJson;
import io.cordwood.catalog.Scans;
import io.cordwood.catalog.TenantNames;
import io.cordwood.catalog.Usage;
import io.cordwood.catalog.UsageFilter;
import io.cordwood.catalog.UsageParser;
import io.cordwood.catalog.UsageParser.UsagePage;
import io.cordwood.catalog.server.Route.Permission;
import java.util.List;
import java.util.OptionalLong;
import org.apache.iceberg.catalog.Namespace;

/** Usage of tenants, under {@code /cordwood/v1}. Thread-safe. */
final class UsageRoutes {
    /** Hours of one answer about all tenants. */
    private static final long PAGE_HOURS = 24;
    /** Hours of one answer about some tenants, those of each added up. */
    private static final long TENANT_PAGE_HOURS = 20_000;

    private final Database database;
    private final UsageRollUp rollUp;

    UsageRoutes(Database database, UsageRollUp rollUp) {
        this.database = database;
        this.rollUp = rollUp;
    }

    List<Route> routes() {
        return List.of(
                new Route("POST", "/cordwood/v1/usage", Permission.KNOWN, this::usage),
                new Route("PUT", "/cordwood/v1/scans/{incarnation}", Permission.OPERATOR, this::putScans));
    }

    private Reply usage(Call call) {
        UsageFilter filter = UsageParser.filter(CatalogJson.parse(call.body()));
        rollUp.settleAll();
        UsagePage page = database.read(connection -> {
            OptionalLong first = UsageStore.firstHour(connection, filter.fromHour());
            if (first.isEmpty() || first.getAsLong() >= filter.toHour()) {
                return new UsagePage(List.of(), OptionalLong.empty());
            }
            long from = first.getAsLong();
            long to = Math.min(filter.toHour(), from + pageHours(filter));
            List<Usage> usage = UsageStore.usage(connection, new UsageFilter(from, to, filter.tenantIds()));
            OptionalLong next = to < filter.toHour() ? UsageStore.firstHour(connection, to) : OptionalLong.empty();
            return new UsagePage(usage, next);
        });
        List<Usage> seen = page.usage().stream()
                .filter(usage -> call.caller().sees(Namespace.of(TenantNames.schemaName(usage.tenantId()))))
                .toList();
        return Reply.json(UsageParser.toJson(new UsagePage(seen, page.nextHour())));
    }

    private static long pageHours(UsageFilter filter) {
        return filter.tenantIds().isEmpty()
                ? PAGE_HOURS
                : Math.max(PAGE_HOURS, TENANT_PAGE_HOURS / filter.tenantIds().size());
    }

    private Reply putScans(Call call) {
        Scans scans = UsageParser.scans(call.segment("incarnation"), CatalogJson.parse(call.body()));
        database.write(connection -> {
            UsageStore.put(connection, scans);
            return null;
        });
        return Reply.noContent();
    }
}
