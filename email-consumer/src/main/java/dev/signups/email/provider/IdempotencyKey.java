package dev.signups.email.provider;

/**
 * The name under which the provider knows one e-mail, the same in every attempt.
 *
 * @param value {@code <type>:<userId>}, with {@code :<n>} behind it after an operator's n-th re-run that was free to
 *     take a new key
 */
public record IdempotencyKey(String value) {

    /** The key of an e-mail of this type to this user. */
    public static IdempotencyKey of(String emailType, String userId, int generation) {
        String base = emailType + ":" + userId;
        return new IdempotencyKey(generation == 0 ? base : base + ":" + generation);
    }
}
