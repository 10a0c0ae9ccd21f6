package dev.signups.email.delivery;

import dev.signups.email.provider.EmailProvider;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** The operator's switch for all instances, and what keeps sending back in this one. */
@Service
public class Sending {

    private final SendingControl control;
    private final SendingGate gate;
    private final Dispatcher dispatcher;
    private final EmailProvider provider;

    Sending(SendingControl control, SendingGate gate, Dispatcher dispatcher, EmailProvider provider) {
        this.control = control;
        this.gate = gate;
        this.dispatcher = dispatcher;
        this.provider = provider;
    }

    /** Stops sending in all instances, over restarts, until {@link #resume}. */
    public void pause(String by) {
        control.pause(true, by);
        gate.pause(true);
    }

    /** Goes on, and tries a refused credential at once. */
    public void resume(String by) {
        control.pause(false, by);
        gate.pause(false);
        gate.credentialMended();
    }

    public boolean isPaused() {
        return gate.isPaused();
    }

    /** State of the circuit breaker: closed, open or half_open. */
    public String breaker() {
        return gate.breakerState().name().toLowerCase(Locale.ROOT);
    }

    /** Why nothing is sent for want of an accepted credential, naming its setting; null while it is accepted. */
    public @Nullable String refusedCredential() {
        String refusal = gate.refusedCredential();
        return refusal == null ? null : "the provider refuses " + provider.credentialSetting() + ": " + refusal;
    }

    /** Whether the ledger is kept up to date. */
    public boolean isHealthy() {
        return dispatcher.isHealthy();
    }
}
