package io.cordwood.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.services.LeftOut;
import io.cordwood.services.ListedTests;
import java.nio.file.Path;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.rest.RESTCompatibilityKitCatalogTests;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Iceberg's REST Compatibility Kit against the service: its {@code CatalogTests} with a REST client. What the kit would
 * skip by itself runs too, or is {@link LeftOut}.
 */
class RestCompatibilityKitIT extends RESTCompatibilityKitCatalogTests {
    private static final String ONE_LEVEL = "A namespace is a tenant, and tenants lie in none: it has one level";
    private static final String NAMES =
            "A tenant is a directory of the warehouse and one level in Iceberg's JDBC catalog, so a slash or a dot would divide it";
    private static final String NO_REGISTRATION =
            "A table is made by the service, which knows where its rows begin: none is taken over with offsets of its own";
    private static final String CANNOT_BE_A_NAMESPACE = "cannot be a namespace";

    @RegisterExtension
    static final KitServer SERVER = new KitServer();

    @RegisterExtension
    static final ListedTests LISTED = new ListedTests(Path.of("../docs/contribute/compatibility.md"));

    @Override
    protected String baseTableLocation(TableIdentifier table) {
        return "%s/%s/%s".formatted(SERVER.warehouse(), table.namespace(), table.name());
    }

    @Override
    protected boolean supportsNestedNamespaces() {
        return true;
    }

    @Override
    protected boolean supportsEmptyNamespace() {
        return true;
    }

    @Override
    protected boolean supportsNamesWithDot() {
        return true;
    }

    @Override
    protected boolean supportsNamesWithSlashes() {
        return true;
    }

    /** The kit drops only what its tests leave behind that pass. */
    @AfterEach
    void dropAll() {
        RESTCatalog catalog = catalog();
        for (Namespace namespace : catalog.listNamespaces()) {
            catalog.listTables(namespace).forEach(catalog::dropTable);
            catalog.dropNamespace(namespace);
        }
    }

    /** All that the kit's tests of views ask for. */
    @Test
    void viewsAreNotOffered() {
        catalog().createNamespace(NS);
        assertThat(catalog().listViews(NS)).isEmpty();
        assertThatThrownBy(() -> catalog()
                        .buildView(TABLE)
                        .withSchema(SCHEMA)
                        .withDefaultNamespace(NS)
                        .withQuery("trino", "SELECT 1")
                        .create())
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("Server does not support endpoint");
    }

    /** Switched off in the kit, whose own server cannot be told so: here every table has a location of its own. */
    @Test
    @Override
    public void createTableInUniqueLocation() {
        super.createTableInUniqueLocation();
    }

    @Test
    @Override
    @LeftOut(because = ONE_LEVEL, refusal = CANNOT_BE_A_NAMESPACE)
    public void testListNestedNamespaces() {
        super.testListNestedNamespaces();
    }

    @Test
    @Override
    @LeftOut(because = ONE_LEVEL, refusal = CANNOT_BE_A_NAMESPACE)
    public void testDropNamespaceWithNestedNamespace() {
        super.testDropNamespaceWithNestedNamespace();
    }

    @Test
    @Override
    @LeftOut(because = ONE_LEVEL, refusal = CANNOT_BE_A_NAMESPACE)
    public void createAndDropEmptyNamespace() {
        super.createAndDropEmptyNamespace();
    }

    @Test
    @Override
    @LeftOut(because = ONE_LEVEL, refusal = CANNOT_BE_A_NAMESPACE)
    public void namespacePropertiesOnEmptyNamespace() {
        super.namespacePropertiesOnEmptyNamespace();
    }

    @Test
    @Override
    @LeftOut(because = ONE_LEVEL, refusal = CANNOT_BE_A_NAMESPACE)
    public void listTablesInEmptyNamespace() {
        super.listTablesInEmptyNamespace();
    }

    @Test
    @Override
    @LeftOut(because = NAMES, refusal = CANNOT_BE_A_NAMESPACE)
    public void testNamespaceWithDot() {
        super.testNamespaceWithDot();
    }

    @Test
    @Override
    @LeftOut(because = NAMES, refusal = CANNOT_BE_A_NAMESPACE)
    public void testNamespaceWithSlash() {
        super.testNamespaceWithSlash();
    }

    @Test
    @Override
    @LeftOut(
            because = "A table is a stream, and a stream is a Kafka topic, whose name has no slash",
            refusal = "cannot be the name of a stream")
    public void testTableNameWithSlash() {
        super.testTableNameWithSlash();
    }

    @Test
    @Override
    @LeftOut(because = NO_REGISTRATION, refusal = "Server does not support endpoint")
    public void testRegisterTable() {
        super.testRegisterTable();
    }

    @Test
    @Override
    @LeftOut(because = NO_REGISTRATION, refusal = "Server does not support endpoint")
    public void testRegisterExistingTable() {
        super.testRegisterExistingTable();
    }
}
