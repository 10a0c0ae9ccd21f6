package dev.signups.service.signup;

import dev.signups.service.id.TimeOrderedIds;
import dev.signups.service.outbox.TraceParent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.util.Map;
import org.springframework.stereotype.Service;

/**
 * Signs users up.
 *
 * <p>When it returns, the user and the event are committed, and the welcome e-mail follows whatever happens next. When it
 * throws anything but {@link org.springframework.dao.DataAccessException}, nothing was written; after that one, see
 * {@link dev.signups.service.outbox.Outbox}.
 */
@Service
public class SignupService {

    private final Registration registration;
    private final PasswordHashing passwords;
    private final TimeOrderedIds ids;
    private final Counter.Builder outcomes;
    private final MeterRegistry meters;

    SignupService(Registration registration, PasswordHashing passwords, TimeOrderedIds ids, MeterRegistry meters) {
        this.registration = registration;
        this.passwords = passwords;
        this.ids = ids;
        this.outcomes = Counter.builder("signups").description("Signups that could be read, by what came of them");
        this.meters = meters;
    }

    /**
     * Makes the user.
     *
     * @param fields {@code email}, {@code firstName}, {@code lastName} and, if the user wants one, {@code password}
     * @param traceParent goes with the event
     * @throws InvalidSignupException naming each bad field
     * @throws AddressTakenException when the address has a user
     * @throws HashingBusyException when the password's hash cannot be had in time
     */
    public User signUp(Map<String, ?> fields, TraceParent traceParent) {
        String outcome = "failed";
        try {
            User user = signUp(SignupRequest.of(fields), traceParent);
            outcome = "created";
            return user;
        } catch (InvalidSignupException e) {
            outcome = "invalid";
            throw e;
        } catch (AddressTakenException e) {
            outcome = "taken";
            throw e;
        } catch (HashingBusyException e) {
            outcome = "busy";
            throw e;
        } finally {
            outcomes.withRegistry(meters).withTag("outcome", outcome).increment();
        }
    }

    private User signUp(SignupRequest signup, TraceParent traceParent) {
        String password = signup.password();
        String hash = password == null ? null : passwords.hash(password);
        NewUser user = new NewUser(ids.next(), signup.email().value(), signup.firstName(), signup.lastName(), hash);
        Instant createdAt = registration.register(user, traceParent);
        return new User(user.id(), user.email(), user.firstName(), user.lastName(), createdAt);
    }
}
