package dev.signups.relay.relay;

import dev.signups.relay.engine.EngineProperties.Reader;
import java.util.stream.Stream;

/** Which readers a case is run with: the default one, and with -Plong also the plain Debezium engine. */
final class Readers {

    private Readers() {}

    static Stream<Reader> underTest() {
        return Boolean.getBoolean("all.readers") ? Stream.of(Reader.values()) : Stream.of(Reader.DIRECT);
    }
}
