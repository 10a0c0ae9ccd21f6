package dev.signups.localstack.demo;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** In a service's place: unpacks itself as Spring Boot's jars do, is ready at once, and ends where it is told to. */
final class StandIn {

    private StandIn() {}

    public static void main(String[] arguments) throws IOException {
        if (System.getProperty("jarmode") != null) {
            Path jar = Path.of(System.getProperty("java.class.path"));
            Path target = Files.createDirectories(Path.of(List.of(arguments).getLast()));
            Files.copy(jar, target.resolve(jar.getFileName()));
            return;
        }
        if (System.getProperty("fail") != null) {
            System.out.println("the reason is here");
            System.exit(3);
        }
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(System.getenv("SERVER_PORT"))),
                10);
        server.createContext("/actuator/health/readiness", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    static void writeJar(Path jar) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, StandIn.class.getName());
        Files.createDirectories(jar.getParent());
        String name = StandIn.class.getName().replace('.', '/') + ".class";
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
                var bytes = StandIn.class.getResourceAsStream("/" + name)) {
            out.putNextEntry(new JarEntry(name));
            bytes.transferTo(out);
        }
    }
}
