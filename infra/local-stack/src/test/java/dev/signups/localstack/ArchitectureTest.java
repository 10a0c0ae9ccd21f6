package dev.signups.localstack;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.signups.localstack.demo.Demo;

@AnalyzeClasses(packagesOf = LocalStack.class, importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("dev.signups.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule serversKnowNothingOfTheDemo = noClasses()
            .that()
            .resideInAPackage("dev.signups.localstack")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("..demo..");

    @ArchTest
    static final ArchRule demoHasOneEntrance = classes()
            .that()
            .resideInAPackage("..demo")
            .and()
            .doNotBelongToAnyOf(Demo.class)
            .should()
            .notBePublic();
}
