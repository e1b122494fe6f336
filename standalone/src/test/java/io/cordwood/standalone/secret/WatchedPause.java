package io.cordwood.standalone.secret;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;

/** Services that tell when a rotation waits for them. */
record WatchedPause(Servers services, Watch watch) implements Servers {
    /** Called at each pause. */
    @FunctionalInterface
    interface Watch {
        void paused() throws IOException;
    }

    @Override
    public String createToken(String user) throws IOException {
        return services.createToken(user);
    }

    @Override
    public void revokeToken(String id) throws IOException {
        services.revokeToken(id);
    }

    @Override
    public List<String> readersAtStart(String user) {
        return services.readersAtStart(user);
    }

    @Override
    public void setKafkaPassword(Account account, String password) throws IOException, InterruptedException {
        services.setKafkaPassword(account, password);
    }

    @Override
    public void awaitKafkaLogin(Account account) throws IOException, InterruptedException {
        services.awaitKafkaLogin(account);
    }

    @Override
    public void setRedisPasswords(Account account, List<String> passwords) throws IOException {
        services.setRedisPasswords(account, passwords);
    }

    @Override
    public void closeRedisConnections(Account account) throws IOException {
        services.closeRedisConnections(account);
    }

    @Override
    public void useCertificate(String service) throws IOException, InterruptedException {
        services.useCertificate(service);
    }

    @Override
    public void restart(String service) throws IOException, InterruptedException {
        services.restart(service);
    }

    @Override
    public void pause(Duration time) throws InterruptedException {
        try {
            watch.paused();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        services.pause(time);
    }
}
