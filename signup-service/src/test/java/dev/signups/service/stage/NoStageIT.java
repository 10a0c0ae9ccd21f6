package dev.signups.service.stage;

import static dev.signups.service.RunningService.signup;
import static org.assertj.core.api.Assertions.assertThat;

import dev.signups.localstack.LocalStack;
import dev.signups.service.RunningService;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;

/** As shipped, the service has nothing of the stages. */
class NoStageIT {

    @Test
    void loadsNothingOfTheStages() {
        try (RunningService service = RunningService.start(LocalStack.postgres())) {
            ApplicationContext context = service.context();
            assertThat(context.getBeanDefinitionNames())
                    .filteredOn(name -> context.getType(name) != null)
                    .noneMatch(name -> context.getType(name).getName().startsWith("dev.signups.service.stage."));
            assertThat(context.getEnvironment().getProperty("spring.threads.virtual.enabled"))
                    .isEqualTo("true");

            assertThat(service.post(signup("ada@example.com")).statusCode()).isEqualTo(201);

            assertThat(service.query("select to_regclass('jobs')::text")).isNull();
            assertThat(service.rows("outbox")).isOne();
        }
    }
}
