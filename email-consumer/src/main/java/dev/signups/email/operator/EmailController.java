package dev.signups.email.operator;

import dev.signups.email.delivery.Deliveries;
import dev.signups.email.delivery.DeliveryId;
import dev.signups.email.delivery.DeliveryStatus;
import dev.signups.email.delivery.DeliveryView;
import java.security.Principal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** Deliveries over HTTP. */
@RestController
@RequestMapping("/api/emails")
class EmailController {

    private static final int LARGEST_PAGE = 500;
    private static final int LARGEST_RERUN = 1_000_000;

    private final Deliveries deliveries;
    private final OperatorActions actions;

    EmailController(Deliveries deliveries, OperatorActions actions) {
        this.deliveries = deliveries;
        this.actions = actions;
    }

    @GetMapping
    ResponseEntity<List<DeliveryView>> list(
            @RequestParam(required = false) @Nullable DeliveryStatus status,
            @RequestParam(defaultValue = "50") int limit,
            @RequestParam(required = false) @Nullable Long before) {
        Deliveries.Page page = deliveries.list(status, within(limit, LARGEST_PAGE), before);
        HttpHeaders headers = new HttpHeaders();
        if (page.next() != null) {
            String next = ServletUriComponentsBuilder.fromCurrentRequest()
                    .replaceQueryParam("before", page.next())
                    .toUriString();
            headers.add(HttpHeaders.LINK, "<" + next + ">; rel=\"next\"");
        }
        return ResponseEntity.ok().headers(headers).body(page.deliveries());
    }

    @GetMapping("/{userId}/{emailType}")
    DeliveryView get(@PathVariable String userId, @PathVariable String emailType) {
        return deliveries.find(new DeliveryId(userId, emailType)).orElseThrow(EmailController::missing);
    }

    @PostMapping("/{userId}/{emailType}/retry")
    @ResponseStatus(HttpStatus.ACCEPTED)
    void retry(
            @PathVariable String userId,
            @PathVariable String emailType,
            @RequestParam(defaultValue = "false") boolean force,
            Principal operator) {
        switch (actions.retry(new DeliveryId(userId, emailType), force, operator.getName())) {
            case DONE -> {}
            case MISSING -> throw missing();
            case NOT_FAILED -> throw conflict("only a FAILED delivery can be started again");
            case SUPPRESSED -> throw conflict("the address is suppressed");
            case MAY_BE_DELIVERED ->
                throw conflict("it may have been delivered, and the provider may have forgotten its key; with"
                        + " force=true it is sent all the same");
        }
    }

    @PostMapping("/retry")
    Map<String, Integer> retryMany(
            @RequestParam(defaultValue = "FAILED") DeliveryStatus status,
            @RequestParam(defaultValue = "1000") int limit,
            @RequestParam(required = false) @Nullable String reason,
            @RequestParam(required = false) @Nullable Instant failedAfter,
            @RequestParam(required = false) @Nullable Instant failedBefore,
            Principal operator) {
        if (status != DeliveryStatus.FAILED) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "only status FAILED can be started again");
        }
        Deliveries.Selection selection =
                new Deliveries.Selection(reason, failedAfter, failedBefore, within(limit, LARGEST_RERUN));
        return Map.of("requeued", actions.retry(selection, operator.getName()));
    }

    @PostMapping("/pause")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void pause(Principal operator) {
        actions.pause(operator.getName());
    }

    @PostMapping("/resume")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void resume(Principal operator) {
        actions.resume(operator.getName());
    }

    static int within(int limit, int most) {
        if (limit < 1 || limit > most) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "limit must be between 1 and " + most);
        }
        return limit;
    }

    private static ResponseStatusException missing() {
        return new ResponseStatusException(HttpStatus.NOT_FOUND, "no such delivery");
    }

    private static ResponseStatusException conflict(String reason) {
        return new ResponseStatusException(HttpStatus.CONFLICT, reason);
    }
}
