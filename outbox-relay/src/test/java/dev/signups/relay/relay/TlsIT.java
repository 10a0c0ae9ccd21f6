package dev.signups.relay.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signups.localstack.LocalPostgres;
import dev.signups.localstack.LocalStack;
import dev.signups.relay.engine.EngineProperties.Reader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The log read over TLS, where the driver's socket wraps the one that the relay waits on. */
class TlsIT {

    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    static Path folder;

    private static LocalPostgres postgres;

    @BeforeAll
    static void start() throws Exception {
        Path store = folder.resolve("server.p12");
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        int exit = new ProcessBuilder(
                        keytool,
                        "-genkeypair",
                        "-keyalg",
                        "RSA",
                        "-alias",
                        "server",
                        "-dname",
                        "CN=127.0.0.1",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start()
                .waitFor();
        assertThat(exit).isZero();
        Path certificate = folder.resolve("server.crt");
        Path key = folder.resolve("server.key");
        writePem(store, certificate, key);
        postgres = LocalPostgres.start(
                folder.resolve("postgres"), 0, "ssl=on", "ssl_cert_file=" + certificate, "ssl_key_file=" + key);
    }

    @AfterAll
    static void stop() {
        postgres.close();
    }

    @ParameterizedTest
    @MethodSource("dev.signups.relay.relay.Readers#underTest")
    void rowsArriveSoonAndOnceOverRestartsOfRelayAndStream(Reader reader) {
        String kafka = LocalStack.kafka().bootstrapServers();
        Outbox outbox = Outbox.create(postgres);
        TestRelay.Settings settings = TestRelay.of(outbox.jdbcUrl() + "?sslmode=require", outbox.database(), kafka)
                .reader(reader);
        List<UUID> ids = new ArrayList<>();
        try (Topic topic = new Topic(kafka, outbox.database() + ".event.user")) {
            try (TestRelay relay = settings.start().awaitReady()) {
                assertThat(outbox.query("""
                        select bool_and(ssl) from pg_stat_ssl join pg_stat_replication using (pid)""")).isEqualTo("t");
                for (int i = 0; i < 50; i++) {
                    ids.addAll(outbox.insert("k"));
                }
                topic.await(50);
                outbox.asSuperuser("select pg_terminate_backend(pid) from pg_stat_replication");
                ids.addAll(outbox.insert("k"));
                topic.await(51);
                relay.awaitReady(Duration.ofSeconds(20));
            }
            ids.addAll(outbox.insert("k"));
            try (var _ = settings.start()) {
                topic.await(52);
            }
            assertThat(topic.ids()).containsExactlyElementsOf(ids);
        }
    }

    private static void writePem(Path store, Path certificate, Path key) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        Files.writeString(
                certificate, pem("CERTIFICATE", keys.getCertificate("server").getEncoded()));
        Files.createFile(key, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(
                key, pem("PRIVATE KEY", keys.getKey("server", PASSWORD).getEncoded()));
    }

    private static String pem(String kind, byte[] bytes) {
        return "-----BEGIN " + kind + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes) + "\n-----END " + kind
                + "-----\n";
    }
}
