package io.cordwood.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.client.CatalogException;
import io.cordwood.catalog.pipeline.Pipeline;
import io.cordwood.catalog.pipeline.Sensitive;
import io.cordwood.catalog.pipeline.Step;
import io.cordwood.catalog.protocol.AuditEntry;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.identity.ServiceRole;
import io.cordwood.identity.TenantRole;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pipelines in the registry, run on every database. */
abstract class AbstractPipelineTests extends AbstractSecuredServiceTests {
    private static final Pipeline REDACTION = new Pipeline(List.of(new Step.Redact(Set.of(Sensitive.EMAIL))));
    private static final Pipeline PARSING = new Pipeline(List.of(
            new Step.Parse(
                    "message", Step.Parse.Format.REGEX, Optional.of("a\u0000ä😀(?P<b>\\d+)"), List.of("b"), true),
            new Step.RedactPattern("order", "top-secret-[0-9]+")));

    private CatalogClient gateway;

    @BeforeEach
    void registerTenants() {
        admin.putTenant(Tenant.of("acme"));
        admin.putTenant(Tenant.of("Globex/ö"));
        gateway = service.client(service.service(ServiceRole.GATEWAY));
    }

    @Test
    void pipelinesAreKeptReplacedAndRemoved() {
        assertThat(gateway.pipeline("acme")).isEmpty();
        admin.putPipeline("acme", PARSING);
        admin.putPipeline("Globex/ö", REDACTION);
        assertThat(gateway.pipeline("acme")).hasValue(PARSING);
        assertThat(gateway.pipeline("Globex/ö")).hasValue(REDACTION);
        admin.putPipeline("acme", REDACTION);
        assertThat(gateway.pipeline("acme")).hasValue(REDACTION);
        assertThat(admin.deletePipeline("acme")).isTrue();
        assertThat(admin.deletePipeline("acme")).isFalse();
        assertThat(gateway.pipeline("acme")).isEmpty();
        assertThat(gateway.pipeline("Globex/ö")).hasValue(REDACTION);
    }

    @Test
    void changesAreAuditedWithoutTheirText() {
        admin.putPipeline("acme", PARSING);
        admin.deletePipeline("acme");
        List<AuditEntry> entries = admin.audit(10).stream()
                .filter(entry -> entry.action().startsWith("pipeline"))
                .toList();
        assertThat(entries)
                .extracting(AuditEntry::action)
                .containsExactlyInAnyOrder("pipeline-removed", "pipeline-set");
        assertThat(entries).extracting(AuditEntry::subject).containsOnly("acme");
        assertThat(entries)
                .extracting(AuditEntry::detail)
                .anyMatch(detail -> detail.matches("2 steps, \\d+ bytes"))
                .noneMatch(detail -> detail.contains("secret"));
    }

    @Test
    void tenantsThatAreNotRegisteredHaveNone() {
        assertThat(gateway.pipeline("nobody")).isEmpty();
        assertThat(admin.deletePipeline("nobody")).isFalse();
        refused(404, "No tenant with schema 'nobody' is registered", () -> admin.putPipeline("nobody", REDACTION));
        assertThat(admin.tenant("nobody")).isEmpty();
    }

    /** Else its rows would go on unredacted. */
    @Test
    void aMalformedPipelineInTheDatabaseIsNotTakenForNone() throws Exception {
        admin.putPipeline("acme", REDACTION);
        for (String stored :
                List.of("{}", "not JSON", "", "{\"steps\":[{\"type\":\"redact\",\"kinds\":[\"iris\"]}]}")) {
            execute("UPDATE cordwood_pipelines SET pipeline = '%s'".formatted(stored));
            refused(
                    500,
                    "The pipeline of tenant 'acme' is malformed in the database: set it anew, or remove it",
                    () -> gateway.pipeline("acme"));
        }
        admin.putPipeline("acme", REDACTION);
        assertThat(gateway.pipeline("acme")).hasValue(REDACTION);
        execute("UPDATE cordwood_pipelines SET pipeline = '{}'");
        assertThat(admin.deletePipeline("acme")).isTrue();
        assertThat(gateway.pipeline("acme")).isEmpty();
    }

    @Test
    void aFailureIsNotTakenForNone() throws Exception {
        execute("DROP TABLE cordwood_pipelines");
        refused(500, "its log says why", () -> gateway.pipeline("acme"));
        assertThatThrownBy(() -> service.client("no-token").pipeline("acme")).isInstanceOf(CatalogException.class);
    }

    @Test
    void membersReadAndOnlyOperatorsChangeThem() throws Exception {
        admin.putPipeline("acme", REDACTION);
        admin.putPipeline("Globex/ö", REDACTION);
        for (TenantRole role : TenantRole.values()) {
            CatalogClient member = service.client(service.person("person-" + role.label(), "acme", role));
            assertThat(member.pipeline("acme")).hasValue(REDACTION);
            refused(403, "", () -> member.pipeline("Globex/ö"));
            refused(403, "", () -> member.pipeline("nobody"));
            refused(403, "", () -> member.putPipeline("acme", PARSING));
            refused(403, "", () -> member.deletePipeline("acme"));
        }
        refused(403, "", () -> gateway.putPipeline("acme", PARSING));
        refused(403, "", () -> gateway.deletePipeline("acme"));
        CatalogClient query = service.client(service.service(ServiceRole.QUERY));
        refused(403, "", () -> query.pipeline("acme"));
    }

    @Test
    void bodiesAreCheckedAndBounded() throws Exception {
        String path = "/cordwood/v1/tenants/acme/pipeline";
        String token = service.adminToken.token();
        assertThat(service.send("PUT", path, "{\"steps\":[{\"type\":\"parse\"}]}", token))
                .satisfies(answer -> assertThat(answer.statusCode()).isEqualTo(400))
                .satisfies(answer -> assertThat(answer.body()).contains("Step 1: Member 'column' is missing"));
        String step = "{\"steps\":[{\"type\":\"remove\",\"columns\":[\"a\"]}]}";
        String largest = step + " ".repeat(Pipeline.MAX_JSON_BYTES - step.length());
        assertThat(service.send("PUT", path, largest + " ", token).statusCode()).isEqualTo(413);
        assertThat(admin.pipeline("acme")).isEmpty();
        assertThat(service.send("PUT", path, largest, token).statusCode()).isEqualTo(200);
        assertThat(admin.pipeline("acme")).hasValue(new Pipeline(List.of(new Step.Remove(List.of("a")))));
    }

    @Test
    void aPipelineGoesWithItsTenant() {
        admin.putPipeline("acme", REDACTION);
        admin.deleteTenant("acme", Map.of());
        admin.putTenant(Tenant.of("acme"));
        assertThat(gateway.pipeline("acme")).isEmpty();
    }
}
