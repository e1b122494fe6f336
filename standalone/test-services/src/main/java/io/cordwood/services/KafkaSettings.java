package io.cordwood.services;

import java.util.Map;
import java.util.TreeMap;

/** The settings of the broker, in a container or a process. */
final class KafkaSettings {
    private KafkaSettings() {}

    /**
     * @param bindHost host that the broker binds; empty for all
     * @param address where clients reach it
     */
    static Map<String, String> of(String bindHost, String address, int port, int controllerPort, String data) {
        Map<String, String> settings = new TreeMap<>();
        settings.put("process.roles", "broker,controller");
        settings.put("node.id", "1");
        settings.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
        settings.put(
                "listeners", "PLAINTEXT://%s:%d,CONTROLLER://127.0.0.1:%d".formatted(bindHost, port, controllerPort));
        settings.put("advertised.listeners", "PLAINTEXT://" + address);
        settings.put("controller.listener.names", "CONTROLLER");
        settings.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
        settings.put("log.dirs", data);
        settings.put("offsets.topic.replication.factor", "1");
        settings.put("offsets.topic.num.partitions", "1");
        settings.put("transaction.state.log.replication.factor", "1");
        settings.put("transaction.state.log.min.isr", "1");
        settings.put("transaction.state.log.num.partitions", "1");
        settings.put("group.initial.rebalance.delay.ms", "0");
        settings.put("auto.create.topics.enable", "false");
        return settings;
    }
}
