package dev.signups.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DetachedTest {

    @TempDir
    Path folder;

    private final AtomicLong pid = new AtomicLong();

    @Test
    void becomesTheProgramUnderTheProcessIdThatWasTold() throws Exception {
        List<String> printed = run(false, "echo $$; echo $MESSAGE");
        assertThat(printed).containsExactly(Long.toString(pid.get()), "with a space");
    }

    @Test
    void inTheBackgroundYieldsTheProcessorToOthers() throws Exception {
        List<String> printed = run(true, "echo $$; nice; cat /proc/self/autogroup 2>/dev/null; true");
        assertThat(printed.subList(0, 2)).containsExactly(Long.toString(pid.get()), "10");
        assertThat(printed.subList(2, printed.size())).allMatch(group -> group.endsWith(" nice 10"));
    }

    private List<String> run(boolean background, String script) throws Exception {
        Path log = folder.resolve("log");
        int exit = new Detached(log, background, pid::set)
                .start(List.of("sh", "-c", script), folder, Map.of("MESSAGE", "with a space"))
                .waitFor();
        assertThat(exit).isZero();
        return Files.readAllLines(log);
    }
}
