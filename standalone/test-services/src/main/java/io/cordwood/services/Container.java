package io.cordwood.services;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;

/** A service in its own container, on a fixed port. */
final class Container extends Service {
    private final GenericContainer<?> container;

    private Container(Protocol protocol, String host, int port, GenericContainer<?> container) {
        super(protocol, host, port);
        this.container = container;
    }

    /** Starts it and returns when it answers. */
    static Container start(
            Protocol protocol,
            String image,
            String host,
            int port,
            int innerPort,
            Map<String, String> environment,
            String... command)
            throws IOException, InterruptedException {
        GenericContainer<?> container = new GenericContainer<>(image)
                .withEnv(environment)
                .withCommand(command)
                .waitingFor(new NoWait());
        // On loopback, unless Docker runs on another machine.
        String outside = host.equals("localhost") ? "127.0.0.1:" : "";
        container.setPortBindings(List.of(outside + port + ":" + innerPort));
        Container service = new Container(protocol, host, port, container);
        try {
            container.start();
            service.awaitAnswer();
            return service;
        } catch (IOException | InterruptedException | RuntimeException e) {
            service.close();
            throw e;
        }
    }

    @Override
    public void kill() throws IOException, InterruptedException {
        container.getDockerClient().killContainerCmd(container.getContainerId()).exec();
        Waiting.until(address() + " has ended", () -> !isRunning());
    }

    @Override
    void startAgain() {
        container
                .getDockerClient()
                .startContainerCmd(container.getContainerId())
                .exec();
    }

    @Override
    public void suspend() {
        container
                .getDockerClient()
                .pauseContainerCmd(container.getContainerId())
                .exec();
    }

    @Override
    public void resume() {
        container
                .getDockerClient()
                .unpauseContainerCmd(container.getContainerId())
                .exec();
    }

    @Override
    public String log() {
        return container.getLogs();
    }

    @Override
    boolean isRunning() {
        return container.isRunning();
    }

    @Override
    public void close() {
        container.stop();
    }

    /** This class checks readiness itself, after a restart too. */
    private static final class NoWait extends AbstractWaitStrategy {
        @Override
        protected void waitUntilReady() {}
    }
}
