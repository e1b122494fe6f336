package io.cordwood.trino;

import static org.assertj.core.api.Assertions.assertThat;

import io.trino.Session;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queries of all shapes give the same rows whether or not they are grouped and joined in the stage that reads. */
class CordwoodSingleStageIT {
    private static final List<String> QUERIES = List.of(
            "SELECT level, count(*), sum(status % 7) FROM logs GROUP BY level",
            "SELECT level, count(DISTINCT \"host.name\"), count(DISTINCT status) FROM logs GROUP BY level",
            "SELECT level, \"host.name\", count(*) FROM logs GROUP BY GROUPING SETS ((level), (level, \"host.name\"), ())",
            "SELECT count(*) FROM (SELECT DISTINCT level, status FROM logs)",
            "SELECT \"host.name\", count(*) FROM logs GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 5",
            "SELECT count(*), max(ts) FROM logs",
            "SELECT tenant_id, level, count(*) FROM all_tenants.logs GROUP BY 1, 2",
            "SELECT a.level, count(*) FROM logs a JOIN logs b ON a.\"$kafka_offset\" = b.\"$kafka_offset\" GROUP BY 1",
            "SELECT count(*) FROM logs a JOIN other.logs b ON a.level = b.level AND a.status = b.status",
            "SELECT count(*), count(b.level) FROM logs a LEFT JOIN other.logs b ON a.\"$kafka_offset\" = b.\"$kafka_offset\" AND b.fail",
            "SELECT count(*), count(a.level), count(b.level) FROM logs a FULL JOIN other.logs b ON a.\"$kafka_offset\" = b.\"$kafka_offset\" AND a.ts = b.ts",
            "SELECT count(*) FROM logs a RIGHT JOIN (VALUES 'INFO', 'none') v(level) ON a.level = v.level",
            "SELECT v.level, count(*) FROM (VALUES 'INFO', 'WARN') v(level) JOIN logs a ON a.level = v.level GROUP BY 1",
            "SELECT count(*) FROM (VALUES 1, 2) v(n) CROSS JOIN logs",
            "SELECT count(*) FROM (VALUES 1, 2) v(n) CROSS JOIN UNNEST(sequence(0, n)) u(m) JOIN logs ON status = m",
            "SELECT level, count(*) FROM logs WHERE status IN (SELECT status FROM other.logs WHERE fail) GROUP BY 1",
            "SELECT level, count(*) FROM logs WHERE level NOT IN (VALUES 'INFO') GROUP BY 1",
            "SELECT count(*) FROM logs a WHERE EXISTS (SELECT 1 FROM other.logs b WHERE a.\"$kafka_offset\" = b.\"$kafka_offset\")",
            "SELECT level, count(*) FROM (SELECT level FROM logs UNION ALL SELECT level FROM other.logs UNION ALL VALUES 'x') GROUP BY 1",
            "SELECT count(*) FROM (VALUES 'x' UNION ALL SELECT level FROM logs)",
            "SELECT level FROM logs INTERSECT SELECT level FROM other.logs",
            "SELECT status FROM logs EXCEPT SELECT status FROM other.logs WHERE fail",
            "SELECT level, \"$kafka_offset\", row_number() OVER (PARTITION BY level ORDER BY \"$kafka_partition\", \"$kafka_offset\") FROM logs",
            "SELECT max(n) FROM (SELECT row_number() OVER () AS n FROM logs)",
            "SELECT level, c, rank() OVER (ORDER BY c, level) FROM (SELECT level, count(*) AS c FROM logs GROUP BY 1)",
            "SELECT level, (SELECT count(*) FROM other.logs b WHERE b.level = a.level) FROM logs a WHERE \"$kafka_offset\" < 30",
            "SELECT a.level, n.node_id IS NULL, count(*) FROM logs a CROSS JOIN system.runtime.nodes n GROUP BY 1, 2",
            "SELECT count(*) FROM information_schema.columns c JOIN logs a ON a.level = upper(c.table_schema) OR c.column_name = 'ts'");

    @TempDir
    private static Path home;

    private static CordwoodQueryRunner runner;

    @BeforeAll
    static void start() throws Exception {
        runner = CordwoodQueryRunner.start(home, Map.of());
        SampleLogs.write(runner.tables(), "acme", 2_000, 5);
        SampleLogs.write(runner.tables(), "other", 1_000, 6);
    }

    @AfterAll
    static void stop() throws Exception {
        runner.close();
    }

    @Test
    void rowsAreTheSameInOneStageAndInSeveral() {
        Session several = Session.builder(runner.trino().getDefaultSession())
                .setCatalogSessionProperty("cordwood", "use_single_stage", "false")
                .build();
        for (String sql : QUERIES) {
            assertThat(runner.rows(sql)).as(sql).containsExactlyInAnyOrderElementsOf(runner.rows(several, sql));
        }
    }

    @Test
    void groupsAreMadeWhereRowsAreRead() {
        String plan = (String) runner.rows("EXPLAIN (TYPE DISTRIBUTED) SELECT level, count(*) FROM logs GROUP BY level")
                .getFirst()
                .getFirst();
        assertThat(plan).contains("Fragment 0").doesNotContain("Fragment 1");
    }
}
