package dev.signups.relay.relay;

import dev.signups.relay.slot.Problem;
import java.util.List;

/** A check found what keeps a run from beginning or going on. */
final class ProblemsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    ProblemsException(List<Problem> problems) {
        super(problems.isEmpty() ? "a check failed" : problems.getFirst().line());
        this.problems = problems;
    }

    List<Problem> problems() {
        return problems;
    }
}
