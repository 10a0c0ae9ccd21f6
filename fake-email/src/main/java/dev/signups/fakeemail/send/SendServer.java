package dev.signups.fakeemail.send;

import java.time.InstantSource;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.SizeLimitHandler;
import org.springframework.boot.jetty.ConfigurableJettyWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/** Puts the {@link SendHandler} in front of everything else, and opens the door wide. */
@Component
class SendServer implements WebServerFactoryCustomizer<ConfigurableJettyWebServerFactory> {

    /** Connections the kernel holds until we take them: thousands of senders may come in the same moment. */
    private static final int ACCEPT_QUEUE = 4096;

    private final MailReader reader;
    private final Provider provider;
    private final SendJournal journal;
    private final ProblemWriter problems;
    private final InstantSource clock;

    SendServer(MailReader reader, Provider provider, SendJournal journal, ProblemWriter problems, InstantSource clock) {
        this.reader = reader;
        this.provider = provider;
        this.journal = journal;
        this.problems = problems;
        this.clock = clock;
    }

    @Override
    public void customize(ConfigurableJettyWebServerFactory factory) {
        factory.addServerCustomizers(server -> {
            var sends = new SendHandler(reader, provider, journal, problems, clock);
            // a send counts its own body; this is for the rest
            var others = new SizeLimitHandler(reader.maxBody(), -1);
            others.setHandler(server.getHandler());
            sends.setHandler(others);
            server.setHandler(sends);
            for (var connector : server.getConnectors()) {
                if (connector instanceof ServerConnector tcp) {
                    tcp.setAcceptQueueSize(ACCEPT_QUEUE);
                }
                for (var connections : connector.getConnectionFactories()) {
                    if (connections instanceof HttpConfiguration.ConnectionFactory http) {
                        // by default 100 KB for each connection that is used twice: 4,000 of them filled the heap
                        http.getHttpConfiguration().setHeaderCacheSize(0);
                    }
                }
            }
        });
    }
}
