package dev.signups.localstack.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SettingsTest {

    @Test
    void hasTheContractsPortsByDefault() {
        Settings settings = Settings.from(Map.of());
        assertThat(settings.ports())
                .containsEntry(Member.POSTGRES, 15432)
                .containsEntry(Member.KAFKA, 19092)
                .containsEntry(Member.SIGNUP_SERVICE, 8080)
                .containsEntry(Member.FAKE_EMAIL, 8081)
                .containsEntry(Member.EMAIL_CONSUMER, 8082)
                .containsEntry(Member.OUTBOX_RELAY, 8083);
        assertThat(settings.operatorPassword()).isEqualTo("demo");
    }

    @Test
    void everyPortCanBeMoved() {
        for (Member member : Member.values()) {
            assertThat(Settings.from(Map.of(member.portSetting(), "4242")).ports())
                    .containsEntry(member, 4242);
        }
    }

    @Test
    void namesTheSettingThatIsNoPort() {
        for (String wrong : new String[] {"http", "0", "65536", "-1"}) {
            assertThatExceptionOfType(DemoFailure.class)
                    .isThrownBy(() -> Settings.from(Map.of("SIGNUP_PORT", wrong)))
                    .withMessage("SIGNUP_PORT is a port, 1 to 65535, not '" + wrong + "'");
        }
    }

    @Test
    void namesBothSettingsThatAskForOnePort() {
        assertThatExceptionOfType(DemoFailure.class)
                .isThrownBy(() -> Settings.from(Map.of("SIGNUP_PORT", "8081")))
                .withMessage("SIGNUP_PORT and FAKE_EMAIL_PORT both ask for port 8081");
    }

    @Test
    void keepsThePasswordOutOfToString() {
        assertThat(Settings.from(Map.of("OPERATOR_PASSWORD", "s3cret")).toString())
                .doesNotContain("s3cret");
    }

    @Test
    void optionsOfAServiceCanBeReplaced() {
        assertThat(JavaOptions.of(Member.OUTBOX_RELAY, Path.of("x.jar"), Map.of()))
                .contains("-Xmx256m");
        assertThat(JavaOptions.of(
                        Member.OUTBOX_RELAY, Path.of("x.jar"), Map.of("OUTBOX_RELAY_JAVA_OPTS", " -Xmx1g  -Dx=y ")))
                .containsExactly("-Xmx1g", "-Dx=y");
    }
}
