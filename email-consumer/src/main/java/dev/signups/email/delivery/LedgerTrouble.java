package dev.signups.email.delivery;

import java.sql.SQLException;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.NonTransientDataAccessException;
import org.springframework.dao.NonTransientDataAccessResourceException;

/** Words for a failure of the ledger, without what the failing statement was about. */
public final class LedgerTrouble {

    private LedgerTrouble() {}

    /** Whether it cannot be reached or refuses what we ask, and its SQLSTATE where there is one. */
    public static String describe(RuntimeException failure) {
        boolean refused = failure instanceof NonTransientDataAccessException
                && !(failure instanceof NonTransientDataAccessResourceException);
        String what = refused
                ? "ledger refuses a statement (a fault of this version, or a schema that is not its own)"
                : "ledger not reachable";
        Throwable cause = NestedExceptionUtils.getMostSpecificCause(failure);
        String state =
                cause instanceof SQLException sql && sql.getSQLState() != null ? ", SQLSTATE " + sql.getSQLState() : "";
        return what + " (" + failure.getClass().getSimpleName() + state + ")";
    }
}
