package dev.signups.fakeemail.fault;

import java.net.URI;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.node.ObjectNode;

/** Reads and turns the dials while the provider runs. */
@RestController
@RequestMapping("/api/settings")
class SettingsController {

    private static final Logger log = LoggerFactory.getLogger(SettingsController.class);

    private final SettingsDocument document;
    private final FaultPlan plan;

    SettingsController(SettingsDocument document, FaultPlan plan) {
        this.document = document;
        this.plan = plan;
    }

    @GetMapping
    ObjectNode settings() {
        return document.read();
    }

    @PutMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    ObjectNode change(@RequestBody ObjectNode change) {
        document.change(change);
        log.info("settings changed: {}", plan.settings());
        return document.read();
    }

    @ExceptionHandler
    ProblemDetail invalid(InvalidSettingsException e) {
        var problem = ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, "Nothing was changed.");
        problem.setType(URI.create("urn:fake-email:problem:invalid-settings"));
        problem.setTitle("Settings that cannot be used");
        problem.setProperty("errors", e.errors());
        return problem;
    }
}
