package dev.signups.email.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;

class LedgerTroubleTest {

    @Test
    void tellsAServerThatIsAwayFromOneThatRefuses() {
        assertThat(LedgerTrouble.describe(
                        new CannotGetJdbcConnectionException("no", new SQLException("secret", "08001"))))
                .isEqualTo("ledger not reachable (CannotGetJdbcConnectionException, SQLSTATE 08001)");
        assertThat(LedgerTrouble.describe(
                        new BadSqlGrammarException("task", "select secret", new SQLException("secret", "42P01"))))
                .startsWith("ledger refuses a statement")
                .endsWith("(BadSqlGrammarException, SQLSTATE 42P01)")
                .doesNotContain("secret");
    }
}
