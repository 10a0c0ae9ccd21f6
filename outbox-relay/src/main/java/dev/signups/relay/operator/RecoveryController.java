package dev.signups.relay.operator;

import dev.signups.relay.publish.DeadLetter;
import dev.signups.relay.publish.DeadLetters;
import dev.signups.relay.recovery.Audit;
import dev.signups.relay.recovery.Replays;
import java.security.Principal;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Dead letters, replays and the audit. The long ones run one at a time. */
@RestController
class RecoveryController {

    private static final Logger log = LoggerFactory.getLogger(RecoveryController.class);

    private final DeadLetters deadLetters;
    private final Replays replays;
    private final Audit audit;
    private final ReentrantLock busy = new ReentrantLock();

    RecoveryController(DeadLetters deadLetters, Replays replays, Audit audit) {
        this.deadLetters = deadLetters;
        this.replays = replays;
        this.audit = audit;
    }

    @GetMapping("/api/dead-letters")
    List<DeadLetter> deadLetters(@RequestParam(defaultValue = "100") int limit) {
        if (limit < 1 || limit > 1000) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "limit must be 1 to 1000");
        }
        return deadLetters.newest(limit);
    }

    @PostMapping(path = "/api/replays", consumes = MediaType.APPLICATION_JSON_VALUE)
    Replays.Result replay(@RequestBody Replays.Selection selection, Principal operator)
            throws SQLException, InterruptedException {
        return alone(() -> {
            Replays.Result result = replays.replay(selection);
            log.atInfo()
                    .addKeyValue("operator", operator.getName())
                    .addKeyValue("replayed", result.replayed())
                    .addKeyValue("refused", result.refused())
                    .log("rows replayed");
            return result;
        });
    }

    @GetMapping("/api/audit")
    Audit.Result audit() throws SQLException, InterruptedException {
        return alone(audit::run);
    }

    @ExceptionHandler(IllegalArgumentException.class)
    ProblemDetail badRequest(IllegalArgumentException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, String.valueOf(e.getMessage()));
    }

    @ExceptionHandler({KafkaException.class, SQLException.class})
    ProblemDetail unavailable(Exception e) {
        log.atWarn().addKeyValue("cause", e.getClass().getSimpleName()).log("an operator's request failed");
        return ProblemDetail.forStatusAndDetail(
                HttpStatus.SERVICE_UNAVAILABLE,
                (e instanceof SQLException ? "PostgreSQL" : "Kafka") + " does not answer; try again");
    }

    private <T> T alone(Work<T> work) throws SQLException, InterruptedException {
        if (!busy.tryLock()) {
            throw new ResponseStatusException(HttpStatus.CONFLICT, "an audit or a replay is already running");
        }
        try {
            return work.run();
        } finally {
            busy.unlock();
        }
    }

    private interface Work<T> {
        T run() throws SQLException, InterruptedException;
    }
}
