package dev.millrace.service.fleet;

import dev.millrace.service.fleet.FleetSettings.AsgFailure;
import dev.millrace.web.http.ProblemException;
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
final class AsgCheck implements AutoCloseable {

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

  /** Refuses a machine that is in no group. */
  void require(String workerId) {
    if (!MACHINE.matcher(workerId).matches()) {
      return;
    }
    List<AutoScalingInstanceDetails> found;
    try {
      found =
          aws.describeAutoScalingInstances(request -> request.instanceIds(workerId))
              .autoScalingInstances();
    } catch (SdkException e) {
      LOG.warn("AWS could not be asked about a worker that registers", e);
      if (failure == AsgFailure.OPEN) {
        return;
      }
      throw new ProblemException(
              503,
              "auto_scaling_unavailable",
              "Whether this machine is in an Auto Scaling group can't be found out now. Try again.")
          .header("Retry-After", "10");
    }
    if (found.isEmpty()) {
      throw new ProblemException(
          403,
          "not_in_auto_scaling_group",
          "This machine is in no Auto Scaling group of the account. Start workers through a group, or name them otherwise.");
    }
  }

  @Override
  public void close() {
    aws.close();
  }
}
