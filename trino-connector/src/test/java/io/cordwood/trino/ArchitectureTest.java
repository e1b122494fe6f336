package io.cordwood.trino;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.cordwood.trino");

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.cordwood.trino.(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void packagesByRoleDoNotKnowThoseWhoPutThemTogether() {
        noClasses()
                .that()
                .resideInAPackage("io.cordwood.trino.*..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.cordwood.trino")
                .check(CLASSES);
    }
}
