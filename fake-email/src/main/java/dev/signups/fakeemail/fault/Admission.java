package dev.signups.fakeemail.fault;

/** What the provider's front door says before it looks at the mail. */
public enum Admission {
    /** Come in. */
    OPEN,
    /** An outage: nothing works. */
    OUTAGE,
    /** The API key is missing or wrong. */
    UNAUTHORISED,
    /** This second's quota is used up. */
    RATE_LIMITED
}
