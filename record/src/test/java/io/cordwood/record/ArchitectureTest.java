package io.cordwood.record;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Packages of this module depend on one another in one direction only. */
@AnalyzeClasses(packages = "io.cordwood.record", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {
    @ArchTest
    static final ArchRule NO_CYCLES_BETWEEN_PACKAGES =
            slices().matching("io.cordwood.(**)").should().beFreeOfCycles();
}
