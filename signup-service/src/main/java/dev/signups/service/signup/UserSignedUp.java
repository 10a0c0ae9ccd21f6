package dev.signups.service.signup;

import java.util.UUID;
import tools.jackson.databind.json.JsonMapper;

/**
 * The event of a signup, version 1, as {@code infra/contracts/UserSignedUp.v1.json} has it: all that a subscriber needs.
 * Its last member, {@code occurredAt}, comes from the outbox.
 */
record UserSignedUp(UUID userId, String email, String firstName, String lastName) {

    static final String AGGREGATE_TYPE = "user";
    static final String TYPE = "UserSignedUp";

    private static final JsonMapper JSON = JsonMapper.shared();

    /** The payload; members keep the record's order. */
    String toJson() {
        return JSON.writeValueAsString(this);
    }

    @Override
    public String toString() {
        return "UserSignedUp[userId=" + userId + "]";
    }
}
