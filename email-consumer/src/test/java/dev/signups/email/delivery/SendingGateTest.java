package dev.signups.email.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.signups.email.provider.SendOutcome;
import dev.signups.email.provider.SendOutcome.Doubt;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SendingGateTest {

    private static final SendOutcome ACCEPTED = new SendOutcome.Accepted("m-1");
    private static final SendOutcome FAILED = new SendOutcome.Retriable("HTTP 503", null, Doubt.MAY_HAVE_ACCEPTED);

    private static final DeliveryId ONE = new DeliveryId("u-1", "welcome_email");

    private final SendingGate gate = new SendingGate(TestSettings.with(Duration.ofSeconds(30), Duration.ofHours(24)));

    private void call(SendOutcome outcome) {
        call(ONE, outcome);
    }

    private void call(DeliveryId one, SendOutcome outcome) {
        SendingGate.Entry entry = gate.enter(false);
        if (entry != null) {
            gate.record(one, outcome, 1_000_000);
        }
    }

    private void calls(int failures, int successes) {
        for (int i = 0; i < failures; i++) {
            call(FAILED);
        }
        for (int i = 0; i < successes; i++) {
            call(ACCEPTED);
        }
    }

    @Test
    void opensAtSixtyPercentOfFiftyCalls() {
        calls(0, 20);
        calls(29, 0);
        assertThat(gate.isOpen()).isTrue();
        call(FAILED);
        assertThat(gate.isOpen()).isFalse();
        assertThat(gate.enter(false)).isNull();
    }

    @Test
    void staysClosedBelow() {
        calls(0, 21);
        calls(31, 0);
        assertThat(gate.isOpen()).isTrue();
        calls(0, 50);
        assertThat(gate.isOpen()).isTrue();
    }

    @Test
    void opensWhenNothingGetsThroughHoweverFewCallsThereAre() {
        for (int i = 0; i < 11; i++) {
            call(delivery(i % 3), FAILED);
        }
        assertThat(gate.isOpen()).isTrue();
        call(delivery(2), FAILED);
        assertThat(gate.isOpen()).isFalse();
    }

    @Test
    void oneThatGetsThroughBeginsTheCountAnew() {
        for (int i = 0; i < 40; i++) {
            call(delivery(i), i % 12 == 11 ? ACCEPTED : FAILED);
        }
        assertThat(gate.isOpen()).isTrue();
    }

    @Test
    void twoAddressesThatFailForEverAreNoOutage() {
        for (int i = 0; i < 40; i++) {
            call(delivery(i % 2), FAILED);
        }
        assertThat(gate.isOpen()).isTrue();
    }

    private static DeliveryId delivery(int number) {
        return new DeliveryId("u-" + number, "welcome_email");
    }

    @Test
    void neverOpensAtTheOrdinaryFailureRate() {
        Random random = new Random(42);
        for (int i = 0; i < 200_000; i++) {
            call(delivery(i), random.nextInt(100) < 20 ? FAILED : ACCEPTED);
            assertThat(gate.isOpen()).isTrue();
        }
    }

    @Test
    void probesThatGoWellOpenTheGateAgain() {
        calls(60, 0);
        assertThat(gate.takeProbes(100)).isZero();
        await().atMost(Duration.ofSeconds(5)).until(() -> gate.takeProbes(5) == 5);
        for (int i = 0; i < 5; i++) {
            assertThat(gate.enter(true)).isEqualTo(SendingGate.Entry.PROBE);
            gate.record(ONE, ACCEPTED, 1_000_000);
        }
        assertThat(gate.isOpen()).isTrue();
    }

    @Test
    void probesThatFailKeepItShut() {
        calls(60, 0);
        await().atMost(Duration.ofSeconds(5)).until(() -> gate.takeProbes(5) == 5);
        for (int i = 0; i < 5; i++) {
            assertThat(gate.enter(true)).isEqualTo(SendingGate.Entry.PROBE);
            gate.record(ONE, FAILED, 1_000_000);
        }
        assertThat(gate.isOpen()).isFalse();
        assertThat(gate.takeProbes(5)).isZero();
    }

    @Test
    void aProbeThatIsGivenBackMayBeTakenAgain() {
        calls(60, 0);
        await().atMost(Duration.ofSeconds(5)).until(() -> gate.takeProbes(5) == 5);
        assertThat(gate.takeProbes(5)).isZero();
        gate.returnProbes(2);
        assertThat(gate.takeProbes(5)).isEqualTo(2);
    }

    @Test
    void throttlingShutsTheGateForAsLongAsTold() {
        call(new SendOutcome.Throttled(Duration.ofMillis(300)));
        call(new SendOutcome.Throttled(Duration.ofMillis(10)));
        assertThat(gate.throttledFor()).isGreaterThan(Duration.ofMillis(200));
        assertThat(gate.isOpen()).isFalse();
        assertThat(gate.takeProbes(1)).isZero();
        await().atMost(Duration.ofSeconds(2)).until(gate::isOpen);
    }

    @Test
    void refusedCredentialShutsTheGateUntilAProbeIsAccepted() {
        call(new SendOutcome.Unauthorised("HTTP 401"));
        assertThat(gate.refusedCredential()).isEqualTo("HTTP 401");
        assertThat(gate.enter(false)).isNull();
        await().atMost(Duration.ofSeconds(2)).until(() -> gate.takeProbes(5) == 1);
        assertThat(gate.enter(true)).isEqualTo(SendingGate.Entry.PROBE);
        gate.record(ONE, ACCEPTED, 1_000_000);
        assertThat(gate.refusedCredential()).isNull();
        assertThat(gate.isOpen()).isTrue();
    }

    @Test
    void aKeyInProgressSaysNothingAboutTheProvider() {
        for (int i = 0; i < 100; i++) {
            call(new SendOutcome.Retriable("HTTP 409", Duration.ofSeconds(1), Doubt.IN_PROGRESS));
        }
        assertThat(gate.isOpen()).isTrue();
    }
}
