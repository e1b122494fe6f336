package io.cordwood.gateway;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.cordwood.gateway");

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.cordwood.gateway.(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void partsDoNotKnowTheServer() {
        noClasses()
                .that()
                .resideInAPackage("io.cordwood.gateway.*..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.cordwood.gateway")
                .check(CLASSES);
    }

    @Test
    void nothingKnowsTheCatalogService() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.cordwood.catalog.server..")
                .check(CLASSES);
    }
}
