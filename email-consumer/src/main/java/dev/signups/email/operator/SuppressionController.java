package dev.signups.email.operator;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Addresses that get no e-mail, over HTTP. The address comes in the body, never in a URL that would be logged. */
@RestController
@RequestMapping("/api/suppressions")
class SuppressionController {

    private final OperatorActions actions;

    SuppressionController(OperatorActions actions) {
        this.actions = actions;
    }

    /**
     * The address in question.
     *
     * @param address as it is in the event, in any case
     * @param reason for the next operator
     */
    record Suppression(
            @NotBlank @Size(max = 320) String address,
            @Size(max = 200) @Nullable String reason) {
        @Override
        public String toString() {
            return "Suppression[not shown]";
        }
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    void suppress(@Valid @RequestBody Suppression suppression, Principal operator) {
        boolean added = actions.suppress(suppression.address(), suppression.reason(), operator.getName());
        if (!added) {
            throw new ResponseStatusException(HttpStatus.CONFLICT, "the address is suppressed already");
        }
    }

    @DeleteMapping
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void takeBack(@Valid @RequestBody Suppression suppression, Principal operator) {
        if (!actions.unsuppress(suppression.address(), operator.getName())) {
            throw new ResponseStatusException(HttpStatus.NOT_FOUND, "the address is not suppressed");
        }
    }
}
