package dev.signups.service.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceParentTest {

    private static final String VALID = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    @Test
    void passesAValidOneOn() {
        assertThat(TraceParent.parse(VALID)).hasValue(new TraceParent(VALID));
    }

    @Test
    void readsALaterVersionAsItsOwn() {
        String later = VALID.replaceFirst("^00", "01") + "-what-comes-later";

        assertThat(TraceParent.parse(later)).hasValue(new TraceParent(VALID));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                "00",
                "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
                "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
                "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\n",
                " 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01,"
                        + "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
            })
    void refusesAnythingElse(String header) {
        assertThat(TraceParent.parse(header)).isEmpty();
    }

    @Test
    void beginsATraceOfItsOwn() {
        TraceParent begun = TraceParent.begin();

        assertThat(TraceParent.parse(begun.value())).hasValue(begun);
        assertThat(begun.value()).endsWith("-00");
        assertThat(TraceParent.begin()).isNotEqualTo(begun);
    }
}
