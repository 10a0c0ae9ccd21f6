package dev.signups.service.signup;

import java.time.Instant;
import java.util.UUID;

/** A user as the API shows one: without anything of the password. */
public record User(UUID id, String email, String firstName, String lastName, Instant createdAt) {

    @Override
    public String toString() {
        return "User[id=" + id + "]";
    }
}
