package dev.signups.localstack.demo;

/**
 * An e-mail that is through, one way or the other.
 *
 * @param userId whose it is
 * @param sent whether the provider took it; else all attempts failed
 * @param at when, in milliseconds of the epoch
 */
record Settled(String userId, boolean sent, long at) {}
