package dev.signups.service;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.stereotype.Controller;
import org.springframework.stereotype.Repository;

@AnalyzeClasses(packages = "dev.signups.service", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String BEANS = "org.springframework.beans.factory.annotation.";

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("dev.signups.service.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule outboxDoesNotKnowSignup = noClasses()
            .that()
            .resideInAPackage("dev.signups.service.outbox..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.signups.service.signup..", "dev.signups.service.web..", "dev.signups.service.stage..");

    @ArchTest
    static final ArchRule nothingKnowsThePages = noClasses()
            .that()
            .resideOutsideOfPackage("dev.signups.service.web..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.signups.service.web..");

    @ArchTest
    static final ArchRule nothingKnowsTheStages = noClasses()
            .that()
            .resideOutsideOfPackage("dev.signups.service.stage..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.signups.service.stage..");

    @ArchTest
    static final ArchRule edgesAndSettingsStayInTheirPackage = classes()
            .that()
            .areAnnotatedWith(Repository.class)
            .or()
            .areMetaAnnotatedWith(Controller.class)
            .or()
            .areAnnotatedWith(ConfigurationProperties.class)
            .should()
            .bePackagePrivate();

    @ArchTest
    static final ArchRule nothingIsInjectedIntoFields =
            noFields().should().beAnnotatedWith(BEANS + "Autowired").orShould().beAnnotatedWith(BEANS + "Value");
}
