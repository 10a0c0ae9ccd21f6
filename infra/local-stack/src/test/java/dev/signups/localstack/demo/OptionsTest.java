package dev.signups.localstack.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest {

    @Test
    void runsEverythingOnFreshDataByDefault() {
        assertThat(parse()).isEqualTo(new Options(Options.Action.RUN, null, null, 3, false));
    }

    @Test
    void resolvesDataAgainstTheWorkingFolder() {
        assertThat(parse("--data", "my data", "--detach"))
                .isEqualTo(new Options(Options.Action.RUN, null, Path.of("/work/my data"), 3, true));
        assertThat(parse("--data=/elsewhere").data()).isEqualTo(Path.of("/elsewhere"));
    }

    @Test
    void stopsOneOrAll() {
        assertThat(parse("--stop")).isEqualTo(new Options(Options.Action.STOP, null, null, 3, false));
        assertThat(parse("--stop", "kafka")).isEqualTo(new Options(Options.Action.STOP, Member.KAFKA, null, 3, false));
    }

    @Test
    void startsOne() {
        assertThat(parse("--start", "outbox-relay"))
                .isEqualTo(new Options(Options.Action.START, Member.OUTBOX_RELAY, null, 3, false));
    }

    @Test
    void stageThreeIsTheDefault() {
        assertThat(parse("--stage", "3")).isEqualTo(parse());
        assertThat(parse("--stage=1").stage()).isEqualTo(1);
        assertThat(parse("--stage", "2").stage()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    --stage 4          | --stage is 1, 2 or 3, not '4'
                    --stage            | --stage needs a value
                    --start            | --start needs a value
                    --start mysql      | there is no process 'mysql'
                    --stop --status    | one of --stop, --start and --status at a time
                    --data --detach    | --data needs a value
                    --stage 2 --stop   | --detach, --data and --stage belong to a start
                    --detach --status  | --detach, --data and --stage belong to a start
                    --wat              | '--wat' is not an option
                    kafka              | 'kafka' is not an option
                    """)
    void saysWhatIsWrong(String line, String message) {
        assertThatExceptionOfType(DemoFailure.class)
                .isThrownBy(() -> parse(line.split(" ")))
                .withMessageContaining(message)
                .extracting(DemoFailure::exitCode)
                .isEqualTo(2);
    }

    private static Options parse(String... arguments) {
        return Options.parse(List.of(arguments), Path.of("/work"));
    }
}
