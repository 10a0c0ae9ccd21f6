package dev.signups.loadtests;

import dev.signups.loadtests.delivery.DeliveryScenario;
import dev.signups.loadtests.experiments.ExperimentsScenario;
import dev.signups.loadtests.faults.FaultsScenario;
import dev.signups.loadtests.relay.RelayScenario;
import dev.signups.loadtests.signup.LoadScenario;
import dev.signups.loadtests.signup.SignupScenario;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The command {@code load-tests/run SCENARIO [key=value …]}. Its last line is {@code RESULT scenario=… key=value …}; exit
 * code 0 when every target is met, 1 when one is missed or nothing was measured, 2 when the command line is wrong.
 */
public final class LoadTests {

    private static final List<Scenario> SCENARIOS = List.of(
            new LoadScenario(),
            new SignupScenario(),
            new ExperimentsScenario(),
            new RelayScenario(),
            new DeliveryScenario(),
            new FaultsScenario());

    private LoadTests() {}

    /** Runs one scenario. */
    public static void main(String[] arguments) {
        System.exit(run(List.of(arguments)));
    }

    private static int run(List<String> arguments) {
        if (arguments.isEmpty() || arguments.contains("--help") || arguments.contains("-h")) {
            System.out.print(usage());
            return arguments.isEmpty() ? 2 : 0;
        }
        Scenario scenario = SCENARIOS.stream()
                .filter(each -> each.name().equals(arguments.getFirst()))
                .findFirst()
                .orElse(null);
        if (scenario == null) {
            System.err.println("load-tests: there is no scenario '" + arguments.getFirst() + "'");
            System.err.print(usage());
            return 2;
        }
        Workspace workspace =
                new Workspace(Path.of(System.getProperty("loadtests.root", ".")).toAbsolutePath(), scenario.name());
        try {
            Parameters parameters = Parameters.parse(arguments.subList(1, arguments.size()), scenario.parameters());
            Outcome outcome = scenario.run(parameters, workspace);
            String text = outcome.table() + outcome.line(scenario.name()) + System.lineSeparator();
            Files.writeString(workspace.report().resolve(scenario.name() + ".txt"), text);
            System.out.println();
            System.out.print(text);
            return outcome.isMet() ? 0 : 1;
        } catch (Parameters.UsageException e) {
            System.err.println("load-tests: " + e.getMessage());
            return 2;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        } catch (Exception e) {
            System.err.println("load-tests: " + scenario.name() + " measured nothing: " + e);
            e.printStackTrace();
            return 1;
        }
    }

    private static String usage() {
        return SCENARIOS.stream()
                .sorted(Comparator.comparing(Scenario::name))
                .map(scenario -> {
                    Map<String, String> parameters = new TreeMap<>(scenario.parameters());
                    parameters.putIfAbsent("quick", "false");
                    return "load-tests/run %s%n    %s%n    %s%n"
                            .formatted(
                                    scenario.name(),
                                    scenario.description(),
                                    parameters.entrySet().stream()
                                            .map(each -> each.getKey() + "=" + each.getValue())
                                            .collect(Collectors.joining(" ")));
                })
                .collect(Collectors.joining());
    }
}
