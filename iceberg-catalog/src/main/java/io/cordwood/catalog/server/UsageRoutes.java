package io.cordwood.catalog.server;

import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.server.http.Call;
import io.cordwood.catalog.server.http.Reply;
import io.cordwood.catalog.server.http.Route;
import io.cordwood.catalog.server.http.Route.Permission;
import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.UsageStore;
import io.cordwood.catalog.server.table.UsageRollUp;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.catalog.usage.Scans;
import io.cordwood.catalog.usage.Usage;
import io.cordwood.catalog.usage.UsageFilter;
import io.cordwood.catalog.usage.UsageParser;
import io.cordwood.catalog.usage.UsageParser.UsagePage;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;

/** Usage of tenants, under {@code /cordwood/v1}. Thread-safe. */
final class UsageRoutes {
    /** Rows after which a response ends with the hour. */
    private static final long PAGE_ROWS = 10_000;

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
        UsageFilter asked = UsageParser.filter(Json.parse(call.body()));
        Set<Namespace> schemas = schemas(asked);
        List<Namespace> missing = rollUp.settleAll().stream()
                .map(TableIdentifier::namespace)
                .filter(call.caller()::sees)
                .filter(namespace -> asked.tenantIds().isEmpty() || schemas.contains(namespace))
                .toList();
        UsagePage page = database.read(connection -> {
            OptionalLong first = UsageStore.firstHour(connection, asked.fromHour());
            if (first.isEmpty() || first.getAsLong() >= asked.toHour()) {
                return new UsagePage(List.of(), OptionalLong.empty(), missing.size());
            }
            UsageFilter rest = asked.from(first.getAsLong());
            long to = UsageStore.pageEnd(connection, rest, PAGE_ROWS);
            List<Usage> usage = UsageStore.usage(connection, new UsageFilter(rest.fromHour(), to, rest.tenantIds()));
            OptionalLong next = to < asked.toHour() ? UsageStore.firstHour(connection, to) : OptionalLong.empty();
            return new UsagePage(usage, next, missing.size());
        });
        List<Usage> seen = page.usage().stream()
                .filter(usage -> call.caller().sees(Namespace.of(TenantNames.schemaName(usage.tenantId()))))
                .toList();
        return Reply.json(UsageParser.toJson(new UsagePage(seen, page.nextHour(), page.tablesMissing())));
    }

    private static Set<Namespace> schemas(UsageFilter filter) {
        return filter.tenantIds().stream().flatMap(UsageRoutes::schema).collect(Collectors.toSet());
    }

    /** The tenant's schema; empty for an id that no tenant can have, which SQL may ask for. */
    private static Stream<Namespace> schema(String tenantId) {
        try {
            return Stream.of(Namespace.of(TenantNames.schemaName(tenantId)));
        } catch (IllegalArgumentException e) {
            return Stream.empty();
        }
    }

    private Reply putScans(Call call) {
        Scans scans = UsageParser.scans(call.segment("incarnation"), Json.parse(call.body()));
        rollUp.scanned(scans);
        return Reply.noContent();
    }
}
