package dev.signups.loadtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParametersTest {

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:8080", "http://localhost:18080", "http://[::1]:8080"})
    void loadGoesToThisMachine(String url) {
        assertThat(with(url).loopback("url")).isEqualTo(url);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://192.0.2.1:8080", "127.0.0.1:8080", "", "http://no such host"})
    void andToNoOther(String url) {
        assertThatThrownBy(() -> with(url).loopback("url")).hasMessageContaining("url is an address of this machine");
    }

    private static Parameters with(String url) {
        return Parameters.parse(List.of("url=" + url), Map.of("url", "http://127.0.0.1:8080"));
    }
}
