package dev.signups.localstack.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PipelineLogTest {

    private static final long BEGIN = 1_000_000;

    private final List<String> lines = new ArrayList<>();
    private final PipelineLog log = new PipelineLog(lines::add, BEGIN);

    @Test
    void printsOneLinePerSignupWithTheTimeOfEachHop() {
        log.published(new Published("a", BEGIN, BEGIN + 12));
        log.tick(BEGIN + 100);
        assertThat(lines).isEmpty();
        assertThat(log.waiting()).containsExactly("a");
        log.settled(new Settled("a", true, BEGIN + 3012));
        log.tick(BEGIN + 3100);
        assertThat(lines).singleElement().asString().endsWith("a  committed → published 12 ms → accepted 3000 ms");
        assertThat(log.waiting()).isEmpty();
    }

    @Test
    void saysThatAnEmailFailed() {
        log.published(new Published("a", BEGIN, BEGIN + 12));
        log.settled(new Settled("a", false, BEGIN + 1012));
        log.tick(BEGIN + 1100);
        assertThat(lines).singleElement().asString().contains("FAILED after 1000 ms");
    }

    @Test
    void ignoresWhatItDidNotSeePublished() {
        log.settled(new Settled("unknown", true, BEGIN));
        log.tick(BEGIN + 100);
        assertThat(lines).isEmpty();
    }

    @Test
    void sumsUpABurstOncePerSecond() {
        for (int i = 0; i < 100; i++) {
            log.published(new Published("u" + i, BEGIN, BEGIN + 5));
        }
        log.tick(BEGIN + 500);
        assertThat(lines).isEmpty();
        log.tick(BEGIN + 1000);
        assertThat(lines).singleElement().asString().contains("100 published, 100 on their way");

        for (int i = 0; i < 100; i++) {
            log.settled(new Settled("u" + i, true, BEGIN + 1500));
        }
        log.tick(BEGIN + 1600);
        log.tick(BEGIN + 2000);
        assertThat(lines)
                .hasSize(2)
                .last()
                .asString()
                .contains("0 published, 0 on their way, 100 accepted")
                .contains("published p50 5 ms, max 5 ms → accepted p50 1495 ms");
    }

    @Test
    void printsSingleLinesAgainAfterABurst() {
        sumsUpABurstOncePerSecond();
        log.tick(BEGIN + 3000);
        log.published(new Published("later", BEGIN + 3000, BEGIN + 3001));
        log.settled(new Settled("later", true, BEGIN + 3100));
        log.tick(BEGIN + 3200);
        log.tick(BEGIN + 4000);
        assertThat(lines).last().asString().contains("later  committed");
    }

    @Test
    void saysWhatWaitsWhenNothingMoves() {
        log.published(new Published("a", BEGIN, BEGIN));
        log.tick(BEGIN + 9_000);
        assertThat(lines).isEmpty();
        log.tick(BEGIN + 12_000);
        assertThat(lines).singleElement().asString().endsWith("1 on their way, the oldest for 12 s");
    }
}
