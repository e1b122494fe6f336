package io.cordwood.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.alert.Alert;
import io.cordwood.catalog.alert.AlertRule;
import io.cordwood.catalog.alert.AlertStatus;
import io.cordwood.catalog.alert.Comparison;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.protocol.AuditEntry;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.identity.ServiceRole;
import io.cordwood.identity.TenantRole;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Alert rules and their status, run on every database. */
abstract class AbstractAlertTests extends AbstractSecuredServiceTests {
    private static final Instant AT = Instant.ofEpochSecond(1_800_000_000);

    private CatalogClient evaluator;

    @BeforeEach
    void registerTenants() {
        admin.putTenant(Tenant.of("acme"));
        admin.putTenant(Tenant.of("Globex/ö"));
        evaluator = service.client(service.service(ServiceRole.SEARCH));
    }

    private static AlertRule rule(
            String tenant, String name, String stream, long threshold, Map<String, String> labels) {
        return new AlertRule(
                tenant,
                stream,
                name,
                "level:error \u0000",
                Duration.ofMinutes(5),
                Duration.ofMinutes(1),
                Duration.ZERO,
                Comparison.ABOVE,
                threshold,
                labels,
                Map.of("runbook", "https://example.org"),
                2);
    }

    private static AlertRule rule(String tenant, String name) {
        return rule(tenant, name, "logs", 1, Map.of());
    }

    private static AlertStatus firing() {
        return new AlertStatus(
                AlertStatus.State.FIRING,
                Optional.of(AT),
                Optional.of(AT),
                OptionalLong.of(3),
                Optional.of(AT),
                List.of("{\"message\":\"a\u0000\"}"),
                Optional.empty());
    }

    private Alert only(String tenant) {
        List<Alert> alerts = admin.alerts(tenant);
        assertThat(alerts).hasSize(1);
        return alerts.getFirst();
    }

    @Test
    void rulesAreKeptReplacedAndRemoved() {
        AlertRule first = rule("acme", "b");
        AlertRule other = rule("Globex/ö", "a");
        admin.putAlert(first);
        admin.putAlert(rule("acme", "a"));
        admin.putAlert(other);
        assertThat(admin.alerts("acme"))
                .extracting(alert -> alert.rule().name())
                .containsExactly("a", "b");
        assertThat(evaluator.alerts())
                .extracting(Alert::rule)
                .containsExactly(other, rule("acme", "a"), first)
                .doesNotHaveDuplicates();
        assertThat(only("Globex/ö").status()).isEqualTo(AlertStatus.NEW);
        assertThat(admin.deleteAlert("acme", "b")).isTrue();
        assertThat(admin.deleteAlert("acme", "b")).isFalse();
        assertThat(only("acme").rule().name()).isEqualTo("a");
        refused(404, () -> admin.putAlert(rule("nobody", "a")));
        assertThat(admin.audit(10))
                .extracting(AuditEntry::action, AuditEntry::subject)
                .contains(
                        org.assertj.core.groups.Tuple.tuple("alert-changed", "acme/b"),
                        org.assertj.core.groups.Tuple.tuple("alert-removed", "acme/b"));
    }

    @Test
    void aStatusIsOfOneRevisionOfItsRule() {
        admin.putAlert(rule("acme", "a"));
        Alert alert = only("acme");
        assertThat(evaluator.putAlertStatus(alert.with(firing()), 1)).isTrue();
        assertThat(only("acme")).isEqualTo(alert.with(firing()));
        admin.putAlert(rule("acme", "a"));
        assertThat(only("acme").revision()).as("nothing has changed").isEqualTo(alert.revision());
        admin.putAlert(rule("acme", "a", "logs", 2, Map.of()));
        Alert changed = only("acme");
        assertThat(changed.status()).as("the same alert").isEqualTo(firing());
        assertThat(evaluator.putAlertStatus(alert.with(AlertStatus.NEW), 1))
                .as("of the former rule")
                .isFalse();
        assertThat(only("acme")).isEqualTo(changed);
        admin.putAlert(rule("acme", "a", "logs", 2, Map.of("team", "web")));
        assertThat(only("acme").status()).as("another alert").isEqualTo(AlertStatus.NEW);
        admin.deleteAlert("acme", "a");
        admin.putAlert(rule("acme", "a"));
        assertThat(evaluator.putAlertStatus(alert.with(firing()), 1))
                .as("of the removed rule")
                .isFalse();
    }

    @Test
    void aFormerEvaluatorIsRefused() {
        admin.putAlert(rule("acme", "a"));
        Alert alert = only("acme");
        assertThat(evaluator.admitAlertEvaluator(7)).isEqualTo(7);
        assertThat(evaluator.putAlertStatus(alert.with(firing()), 7)).isTrue();
        assertThat(evaluator.admitAlertEvaluator(9)).isEqualTo(9);
        refused(409, () -> evaluator.putAlertStatus(alert.with(AlertStatus.NEW), 7));
        assertThat(only("acme").status()).isEqualTo(firing());
        assertThat(evaluator.admitAlertEvaluator(8))
                .as("it learns the greater number")
                .isEqualTo(9);
        assertThat(evaluator.admitAlertEvaluator(9))
                .as("another one may have the number")
                .isEqualTo(10);
        assertThat(evaluator.putAlertStatus(alert.with(AlertStatus.NEW), 9)).isTrue();
        assertThat(evaluator.putAlertStatus(alert.with(firing()), 12)).isTrue();
        refused(409, () -> evaluator.putAlertStatus(alert.with(AlertStatus.NEW), 9));
    }

    @Test
    void aMalformedRuleInTheDatabaseIsLeftOutUntilItIsSetAnew() throws Exception {
        admin.putAlert(rule("acme", "a"));
        admin.putAlert(rule("acme", "b"));
        execute("UPDATE cordwood_alerts SET status = '{\"state\":\"unknown\"}' WHERE rule_name = 'a'");
        assertThat(evaluator.alerts()).extracting(Alert::rule).containsExactly(rule("acme", "b"));
        assertThat(only("acme").rule().name()).isEqualTo("b");
        admin.putAlert(rule("acme", "a"));
        assertThat(evaluator.alerts()).hasSize(2);
    }

    @Test
    void readersSeeTheAlertsOfTheirTenantsAndOnlyOperatorsChangeThem() throws Exception {
        admin.putAlert(rule("acme", "a"));
        admin.putAlert(rule("acme", "b", "audit", 1, Map.of()));
        admin.putAlert(rule("Globex/ö", "a"));
        CatalogClient reader = service.client(service.person("alice", "acme", TenantRole.READER));
        assertThat(reader.alerts()).hasSize(2).isEqualTo(admin.alerts("acme"));
        refused(403, () -> reader.putAlert(rule("acme", "c")));
        refused(403, () -> reader.deleteAlert("acme", "a"));
        refused(403, () -> reader.alerts("Globex/ö"));
        refused(403, () -> reader.putAlertStatus(reader.alerts().getFirst().with(firing()), 1));
        refused(403, () -> reader.admitAlertEvaluator(1));
        CatalogClient writer = service.client(service.person("bob", "acme", TenantRole.WRITER));
        assertThat(writer.alerts()).as("a status holds rows").isEmpty();
        assertThat(writer.alerts("acme")).isEmpty();
        refused(403, () -> evaluator.putAlert(rule("acme", "c")));
    }

    @Test
    void rulesOfATenantAreBoundedAndGoWithIt() {
        for (int i = 0; i < 100; i++) {
            admin.putAlert(rule("acme", "a" + i));
        }
        refused(400, () -> admin.putAlert(rule("acme", "one-more")));
        admin.putAlert(rule("acme", "a7", "logs", 8, Map.of()));
        admin.deleteTenant("acme", Map.of());
        admin.putTenant(Tenant.of("acme"));
        assertThat(admin.alerts("acme")).isEmpty();
    }
}
