package dev.signups.email.operator;

import dev.signups.email.inbox.BadRecords;
import java.security.Principal;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Records that could not be read, over HTTP. */
@RestController
@RequestMapping("/api/bad-records")
class BadRecordController {

    private static final int LARGEST_PAGE = 500;

    private final BadRecords badRecords;
    private final OperatorActions actions;

    BadRecordController(BadRecords badRecords, OperatorActions actions) {
        this.badRecords = badRecords;
        this.actions = actions;
    }

    @GetMapping
    List<BadRecords.BadRecord> list(@RequestParam(defaultValue = "100") int limit) {
        return badRecords.list(EmailController.within(limit, LARGEST_PAGE));
    }

    @PostMapping("/{topic}/{partition}/{offset}/retry")
    @ResponseStatus(HttpStatus.ACCEPTED)
    void retry(@PathVariable String topic, @PathVariable int partition, @PathVariable long offset, Principal operator) {
        switch (actions.retryBadRecord(topic, partition, offset, operator.getName())) {
            case DONE -> {}
            case MISSING -> throw new ResponseStatusException(HttpStatus.NOT_FOUND, "no such bad record");
            case STILL_BAD -> throw new ResponseStatusException(HttpStatus.CONFLICT, "it still cannot be read");
        }
    }
}
