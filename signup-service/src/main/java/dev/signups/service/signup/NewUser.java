package dev.signups.service.signup;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A user that is about to be stored.
 *
 * @param passwordHash null where the user gave no password
 */
public record NewUser(
        UUID id,
        String email,
        String firstName,
        String lastName,
        @Nullable String passwordHash) {

    @Override
    public String toString() {
        return "NewUser[id=" + id + "]";
    }
}
