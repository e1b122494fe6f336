package io.cordwood.systemtests;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.cordwood.systemtests", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
    @ArchTest
    static final ArchRule NO_CYCLES_BETWEEN_PACKAGES =
            slices().matching("io.cordwood.(**)").should().beFreeOfCycles();

    /** Reports, processes and running stacks; and where the live run of the balancer plugs in. */
    @ArchTest
    static final ArchRule LITTLE_OF_BENCHMARKS = noClasses()
            .should()
            .dependOnClassesThat(resideInAPackage("io.cordwood.benchmarks..")
                    .and(not(resideInAnyPackage(
                            "io.cordwood.benchmarks.report",
                            "io.cordwood.benchmarks.run",
                            "io.cordwood.benchmarks.stack",
                            "io.cordwood.benchmarks.balance"))));

    /** The agent's jar is all that JVMs of the stack see of this module. */
    @ArchTest
    static final ArchRule AGENT_STANDS_ALONE = noClasses()
            .that()
            .resideInAPackage("io.cordwood.systemtests.agent")
            .should()
            .dependOnClassesThat(resideInAPackage("io.cordwood..")
                    .and(not(resideInAnyPackage("io.cordwood.systemtests.agent", "io.cordwood.systemtests.ledger"))));
}
