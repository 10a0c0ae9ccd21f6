package dev.signups.service.signup;

/**
 * A field of a request and why it was refused.
 *
 * @param field its name in the JSON object
 * @param detail a sentence that goes on from the name and never repeats the value
 */
public record BadField(String field, String detail) {}
