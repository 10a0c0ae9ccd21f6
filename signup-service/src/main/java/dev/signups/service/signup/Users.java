package dev.signups.service.signup;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Looks users up, and adds one where no event is to tell of it. */
@Service
public class Users {

    private final UserRepository repository;

    Users(UserRepository repository) {
        this.repository = repository;
    }

    /**
     * Stores a user without an event, in the caller's transaction if there is one.
     *
     * @return the transaction's time
     * @throws AddressTakenException when another user has the address; nothing is written then
     */
    public Instant add(NewUser user) {
        return repository.insert(user);
    }

    public Optional<User> find(UUID id) {
        return repository.find(id);
    }

    /**
     * A page of users, newest first.
     *
     * @param before the last user's id on the page before, or a point in time in ISO-8601; null for the newest
     * @throws IllegalArgumentException when it is neither
     */
    public List<User> page(int limit, @Nullable String before) {
        if (before == null) {
            return repository.newest(limit);
        }
        Optional<Instant> time = instant(before);
        return time.isPresent()
                ? repository.before(time.get(), limit)
                : repository.before(UUID.fromString(before), limit);
    }

    private static Optional<Instant> instant(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
