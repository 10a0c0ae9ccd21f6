package dev.signups.email;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Controller;

@AnalyzeClasses(packages = "dev.signups.email", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule noCycles =
            slices().matching("dev.signups.email.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule providerKnowsOnlyTheWayOut = noClasses()
            .that()
            .resideInAPackage("..provider")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "..delivery",
                    "..inbox",
                    "..operator",
                    "org.apache.kafka..",
                    "java.sql..",
                    "org.springframework.jdbc..");

    @ArchTest
    static final ArchRule deliveryKnowsNoKafka = noClasses()
            .that()
            .resideInAPackage("..delivery")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "..inbox", "..operator", "org.apache.kafka..", "org.springframework.kafka..", "java.net.http..");

    @ArchTest
    static final ArchRule inboxKnowsNoProvider = noClasses()
            .that()
            .resideInAPackage("..inbox")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("..provider", "..operator");

    @ArchTest
    static final ArchRule edgesAreHidden =
            classes().that().areMetaAnnotatedWith(Controller.class).should().notBePublic();

    @ArchTest
    static final ArchRule noFieldInjection = noFields().should().beAnnotatedWith(Autowired.class);
}
