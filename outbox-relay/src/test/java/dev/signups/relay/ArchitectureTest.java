package dev.signups.relay;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RestController;

@AnalyzeClasses(packages = "dev.signups.relay", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String ROOT = "dev.signups.relay.";

    @ArchTest
    static final ArchRule noCycles =
            slices().matching("dev.signups.relay.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule dependenciesPointOneWay = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("change")
            .definedBy(ROOT + "change")
            .layer("engine")
            .definedBy(ROOT + "engine")
            .layer("publish")
            .definedBy(ROOT + "publish")
            .layer("slot")
            .definedBy(ROOT + "slot")
            .layer("recovery")
            .definedBy(ROOT + "recovery")
            .layer("relay")
            .definedBy(ROOT + "relay")
            .layer("operator")
            .definedBy(ROOT + "operator")
            .whereLayer("change")
            .mayNotAccessAnyLayer()
            .whereLayer("engine")
            .mayOnlyAccessLayers("change")
            .whereLayer("publish")
            .mayOnlyAccessLayers("change")
            .whereLayer("slot")
            .mayOnlyAccessLayers("change", "engine", "publish")
            .whereLayer("recovery")
            .mayOnlyAccessLayers("change", "publish", "slot")
            .whereLayer("operator")
            .mayNotBeAccessedByAnyLayer();

    @ArchTest
    static final ArchRule onlyTheEngineKnowsDebezium = classes()
            .that()
            .resideOutsideOfPackage(ROOT + "engine")
            .should()
            .onlyDependOnClassesThat()
            .resideOutsideOfPackage("io.debezium..");

    @ArchTest
    static final ArchRule injectionByConstructor =
            noFields().should().beAnnotatedWith(Autowired.class).orShould().beAnnotatedWith(Value.class);

    @ArchTest
    static final ArchRule controllersAreOfNobodysBusiness = classes()
            .that()
            .areAnnotatedWith(RestController.class)
            .or()
            .areAnnotatedWith(Controller.class)
            .should()
            .bePackagePrivate();
}
