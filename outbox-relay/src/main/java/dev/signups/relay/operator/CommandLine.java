package dev.signups.relay.operator;

import dev.signups.relay.recovery.Audit;
import dev.signups.relay.slot.Problem;
import dev.signups.relay.slot.StartupCheck;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.List;
import org.apache.kafka.common.KafkaException;

/** The relay's commands beside running: {@code doctor} and {@code audit}. */
public final class CommandLine {

    private final StartupCheck check;
    private final Audit audit;

    CommandLine(StartupCheck check, Audit audit) {
        this.check = check;
        this.audit = audit;
    }

    /**
     * Runs a command.
     *
     * @return the process's exit code: 0 if all is well, 1 if not, 2 if it could not be found out
     */
    public int run(String command, PrintStream out) {
        return switch (command) {
            case "doctor" -> doctor(out);
            case "audit" -> audit(out);
            default -> throw new IllegalArgumentException(command);
        };
    }

    private int doctor(PrintStream out) {
        List<Problem> problems = check.run();
        problems.forEach(problem -> out.println(problem.severity() + " " + problem.line()));
        boolean well = problems.stream().allMatch(problem -> problem.severity() == Problem.Severity.WARNING);
        if (well) {
            out.println("OK the relay can work");
        }
        return well ? 0 : 1;
    }

    private int audit(PrintStream out) {
        try {
            Audit.Result result = audit.run();
            result.missingIds().forEach(id -> out.println("missing " + id));
            result.repeatedIds().forEach(id -> out.println("repeated " + id));
            out.printf(
                    "AUDIT rows=%d records=%d missing=%d repeated=%d uncomparable=%d caught_up=%b%n",
                    result.rows(),
                    result.records(),
                    result.missing(),
                    result.repeated(),
                    result.uncomparable(),
                    result.caughtUp());
            return result.isClean() ? 0 : 1;
        } catch (SQLException e) {
            out.println("PostgreSQL does not answer (SQLSTATE " + e.getSQLState() + "): check DB_URL");
            return 2;
        } catch (KafkaException e) {
            out.println("Kafka does not answer (" + e.getClass().getSimpleName() + "): check KAFKA_BOOTSTRAP_SERVERS");
            return 2;
        }
    }
}
