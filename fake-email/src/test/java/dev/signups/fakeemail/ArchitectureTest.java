package dev.signups.fakeemail;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.web.bind.annotation.RestController;

@AnalyzeClasses(packages = "dev.signups.fakeemail", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("dev.signups.fakeemail.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule faultsAndLogKnowNoSends = noClasses()
            .that()
            .resideInAnyPackage("..fault..", "..log..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.signups.fakeemail.send..", "dev.signups.fakeemail.web..");

    @ArchTest
    static final ArchRule faultsAreDecidedWithoutTheLog = noClasses()
            .that()
            .resideInAPackage("..fault..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.signups.fakeemail.log..");

    @ArchTest
    static final ArchRule onlySendsKnowTheWebServer = noClasses()
            .that()
            .resideOutsideOfPackage("..send..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.eclipse.jetty..");

    @ArchTest
    static final ArchRule noFieldInjection = noFields().should().beAnnotatedWith(Autowired.class);

    @ArchTest
    static final ArchRule controllersArePackagePrivate =
            classes().that().areAnnotatedWith(RestController.class).should().bePackagePrivate();
}
