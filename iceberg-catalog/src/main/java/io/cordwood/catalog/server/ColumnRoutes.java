package io.cordwood.catalog.server;

import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.server.http.Call;
import io.cordwood.catalog.server.http.JsonReply;
import io.cordwood.catalog.server.http.Permission;
import io.cordwood.catalog.server.http.Route;
import io.cordwood.catalog.server.store.ColumnStore;
import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.table.UsageRollUp;
import io.cordwood.catalog.table.ColumnUnion;
import io.cordwood.catalog.table.StreamColumn;
import io.cordwood.catalog.table.StreamColumnParser;
import io.cordwood.catalog.tenant.StreamNames;
import io.cordwood.http.Reply;
import io.cordwood.identity.ServiceRole;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.iceberg.catalog.TableIdentifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The columns of streams over all tenants, under {@code /cordwood/v1}. Thread-safe.
 *
 * <p>The database has them as of the last processed commit to each table. Newer commits are processed first, so a
 * response has the columns of every commit that was acknowledged before the request.
 */
final class ColumnRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(ColumnRoutes.class);

    private final Database database;
    private final UsageRollUp tables;
    /** Column sets of each stream's tables at the last request: a set never changes. */
    private final Map<String, Map<String, List<StreamColumn>>> sets = new ConcurrentHashMap<>();

    ColumnRoutes(Database database, UsageRollUp tables) {
        this.database = database;
        this.tables = tables;
    }

    List<Route> routes() {
        return List.of(new Route(
                "GET",
                "/cordwood/v1/streams/{stream}/columns",
                Permission.OPERATOR.or(ServiceRole.QUERY, ServiceRole.SEARCH),
                this::columns));
    }

    private Reply columns(Call call) {
        String stream = StreamNames.checkedTopic(call.segment("stream"));
        List<TableIdentifier> missing = tables.settleAll();
        if (!missing.isEmpty()) {
            LOG.warn("The columns of stream '{}' may lack some of {} tables", stream, missing.size());
        }
        ColumnUnion union = database.read(connection -> {
            Map<String, List<StreamColumn>> known = sets.getOrDefault(stream, Map.of());
            Map<String, List<StreamColumn>> used = new HashMap<>();
            ColumnUnion all = new ColumnUnion();
            for (Map.Entry<String, Long> set :
                    ColumnStore.tablesBySet(connection, stream).entrySet()) {
                List<StreamColumn> columns = known.get(set.getKey());
                if (columns == null) {
                    columns = ColumnStore.columns(connection, set.getKey());
                }
                used.put(set.getKey(), columns);
                all.add(columns, set.getValue());
            }
            sets.put(stream, used);
            return all;
        });
        return JsonReply.of(Json.object().set("columns", StreamColumnParser.toJson(union.columns())));
    }
}
