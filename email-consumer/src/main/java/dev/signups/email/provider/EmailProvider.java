package dev.signups.email.provider;

/** The way out. Blocks until the provider has answered or the time-out has passed; never throws for what it says. */
public interface EmailProvider {

    /** Hands over one e-mail. */
    SendOutcome send(Email email, IdempotencyKey key) throws InterruptedException;

    /** The setting that holds the credential, for the operator who has to mend it. */
    String credentialSetting();
}
