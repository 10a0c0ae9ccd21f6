package dev.signups.email.delivery;

/**
 * Which e-mail to whom: at most one of each is ever accepted.
 *
 * @param userId the user
 * @param emailType for example {@code welcome_email}
 */
public record DeliveryId(String userId, String emailType) {}
