package dev.millrace.worker.aws;

import java.net.URI;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.autoscaling.AutoScalingClient;
import software.amazon.awssdk.services.autoscaling.AutoScalingClientBuilder;
import software.amazon.awssdk.services.autoscaling.model.AutoScalingInstanceDetails;

/** An instance's place in its Auto Scaling group. */
public final class ScaleIn implements AutoCloseable {

  private final AutoScalingClient client;
  private final String instance;
  private Optional<String> group;

  private ScaleIn(AutoScalingClient client, String instance, Optional<String> group) {
    this.client = client;
    this.instance = instance;
    this.group = group;
  }

  /**
   * Speaks to AWS, with the credentials of the instance's role or whatever else the SDK finds.
   *
   * @param group empty to ask AWS which group the instance is in
   */
  public static ScaleIn of(String instance, Optional<String> group, String region) {
    return new ScaleIn(builder(region).build(), instance, group);
  }

  /** Speaks to something else that answers as AWS does. */
  public static ScaleIn of(
      String instance,
      Optional<String> group,
      String region,
      URI endpoint,
      AwsCredentialsProvider credentials) {
    AutoScalingClient client =
        builder(region).endpointOverride(endpoint).credentialsProvider(credentials).build();
    return new ScaleIn(client, instance, group);
  }

  private static AutoScalingClientBuilder builder(String region) {
    return AutoScalingClient.builder()
        .region(Region.of(region))
        .httpClient(UrlConnectionHttpClient.create());
  }

  /**
   * Protects the instance from scale-in, or lets it go.
   *
   * @throws RuntimeException if AWS doesn't do it, or the instance is in no group
   */
  void protect(boolean on) {
    String name = group.orElseGet(this::ask);
    group = Optional.of(name);
    client.setInstanceProtection(request ->
        request.instanceIds(instance).autoScalingGroupName(name).protectedFromScaleIn(on));
  }

  private String ask() {
    return client
        .describeAutoScalingInstances(request -> request.instanceIds(instance))
        .autoScalingInstances()
        .stream()
        .map(AutoScalingInstanceDetails::autoScalingGroupName)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("this instance is in no Auto Scaling group"));
  }

  @Override
  public void close() {
    client.close();
  }
}
