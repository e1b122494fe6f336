package io.cordwood.query;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.cordwood.query");

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.cordwood.query.(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void partsDoNotKnowTheEngineThatPutsThemTogether() {
        noClasses()
                .that()
                .resideInAPackage("io.cordwood.query.*..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.cordwood.query")
                .check(CLASSES);
    }

    @Test
    void noTypeOfTrinoIsNamed() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.trino..", "io.airlift..", "io.cordwood.trino..")
                .check(CLASSES);
    }
}
