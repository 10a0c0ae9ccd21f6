package dev.signups.fakeemail.fault;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The two forms RFC 9110 allows for {@code Retry-After}. */
public enum RetryAfterFormat {
    /** {@code Retry-After: 7} */
    @JsonProperty("seconds")
    SECONDS,

    /** {@code Retry-After: Wed, 21 Oct 2026 07:28:00 GMT} */
    @JsonProperty("date")
    DATE
}
