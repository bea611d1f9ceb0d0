package dev.twophase.kafka.internal.client;

import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;

/**
 * Settings that do not go together, or with which nothing would ever be answered. The clients say
 * so when they are made, which is after the job has begun, or not at all.
 */
record SettingsCheck(ProducerConfig producer, ConsumerConfig consumer, AdminClientConfig admin) {

  /**
   * @throws ConfigException naming setting, value and what it must be
   */
  void check() {
    checkRequestTimeout();
    checkDeliveryTimeout();
    checkCallTimeout();
    checkSessionTimeout();
    checkBuffer();
  }

  private void checkRequestTimeout() {
    int request = admin.getInt(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG);
    if (request < 1) {
      throw new ConfigException(
          AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
          request,
          "No broker answers in no time: it must be at least 1");
    }
  }

  private void checkDeliveryTimeout() {
    int delivery = producer.getInt(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG);
    long least =
        producer.getLong(ProducerConfig.LINGER_MS_CONFIG)
            + producer.getInt(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG);
    if (isGiven(producer, ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG) && delivery < least) {
      throw new ConfigException(
          ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
          delivery,
          "It must be at least linger.ms plus request.timeout.ms, which is " + least);
    }
  }

  private void checkCallTimeout() {
    int call = admin.getInt(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG);
    int request = admin.getInt(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG);
    if (isGiven(admin, AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG) && call < request) {
      throw new ConfigException(
          AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
          call,
          "It must be at least request.timeout.ms, which is " + request);
    }
  }

  private void checkSessionTimeout() {
    int session = consumer.getInt(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG);
    int heartbeat = consumer.getInt(CommonClientConfigs.HEARTBEAT_INTERVAL_MS_CONFIG);
    if (session <= heartbeat) {
      throw new ConfigException(
          ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
          session,
          "It must be above heartbeat.interval.ms, which is " + heartbeat);
    }
  }

  /** A batch that does not fit into the buffer cannot even be begun. */
  private void checkBuffer() {
    long buffer = producer.getLong(ProducerConfig.BUFFER_MEMORY_CONFIG);
    int batch = producer.getInt(ProducerConfig.BATCH_SIZE_CONFIG);
    if (buffer < batch) {
      throw new ConfigException(
          ProducerConfig.BUFFER_MEMORY_CONFIG,
          buffer,
          "It must be at least batch.size, which is " + batch);
    }
  }

  private static boolean isGiven(AbstractConfig config, String name) {
    return config.originals().containsKey(name);
  }
}
