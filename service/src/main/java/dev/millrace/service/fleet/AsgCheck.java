package dev.millrace.service.fleet;

import dev.millrace.service.fleet.FleetSettings.AsgFailure;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.autoscaling.AutoScalingClient;
import software.amazon.awssdk.services.autoscaling.AutoScalingClientBuilder;
import software.amazon.awssdk.services.autoscaling.model.AutoScalingInstanceDetails;

/**
 * Asks AWS whether a machine that wants to join belongs to an Auto Scaling group of the account. A
 * worker that is named otherwise than a machine is not asked about. When AWS gives no good answer,
 * the setting says whether to let it in.
 */
final class AsgCheck implements MachineCheck, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AsgCheck.class);
  private static final Pattern MACHINE = Pattern.compile("i-[0-9a-z]{1,40}");
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final AutoScalingClient aws;
  private final AsgFailure failure;

  AsgCheck(FleetSettings.Asg settings) {
    AutoScalingClientBuilder builder =
        AutoScalingClient.builder()
            .httpClientBuilder(
                UrlConnectionHttpClient.builder()
                    .connectionTimeout(PATIENCE)
                    .socketTimeout(PATIENCE))
            .overrideConfiguration(each -> each.apiCallTimeout(PATIENCE.multipliedBy(2)));
    if (settings.region() != null) {
      builder.region(Region.of(settings.region()));
    }
    if (settings.endpoint() != null) {
      builder.endpointOverride(settings.endpoint());
    }
    this.aws = builder.build();
    this.failure = settings.check();
  }

  @Override
  public Answer of(String workerId) {
    if (!MACHINE.matcher(workerId).matches()) {
      return Answer.WELCOME;
    }
    List<AutoScalingInstanceDetails> found;
    try {
      found =
          aws.describeAutoScalingInstances(request -> request.instanceIds(workerId))
              .autoScalingInstances();
    } catch (SdkException e) {
      LOG.warn("AWS could not be asked about a worker that registers", e);
      return failure == AsgFailure.OPEN ? Answer.WELCOME : Answer.UNDECIDED;
    }
    return found.isEmpty() ? Answer.IN_NO_GROUP : Answer.WELCOME;
  }

  @Override
  public void close() {
    aws.close();
  }
}
