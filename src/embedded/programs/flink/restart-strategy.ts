import type { Configuration } from './configuration.ts';

/** Whether and when a failed job is started again. */
export interface RestartStrategy {
  /** As Flink names it in `Recovery is suppressed by …`. */
  readonly name: string;
  /** As `/jobs/:id/config` shows it. */
  readonly description: string;
  /** Milliseconds to wait after the n-th failure (from 1 on); undefined: it stays failed. */
  delay(failures: number): number | undefined;
}

/** The strategy that a configuration means. Without one: restart for ever with checkpoints, never without. */
export function restartStrategy(
  configuration: Configuration,
  checkpointing: boolean,
  version: string,
): RestartStrategy {
  const usual = !checkpointing ? 'none' : version.startsWith('1.') ? 'fixed-delay' : 'exponential-delay';
  const type = (configuration.text('restart-strategy.type') ?? usual).toLowerCase().replaceAll('_', '-');
  switch (type) {
    case 'fixed-delay':
    case 'fixeddelay': {
      const unlimited = configuration.text('restart-strategy.type') === undefined ? 2_147_483_647 : 1;
      const attempts = configuration.integer('restart-strategy.fixed-delay.attempts', unlimited);
      const delay = configuration.duration('restart-strategy.fixed-delay.delay', 1000);
      return {
        name: `FixedDelayRestartBackoffTimeStrategy(maxNumberRestartAttempts=${attempts}, backoffTimeMS=${delay})`,
        description: `Restart with fixed delay (${delay} ms). #${attempts} restart attempts.`,
        delay: (failures) => (failures <= attempts ? delay : undefined),
      };
    }
    case 'failure-rate':
    case 'failurerate': {
      const most = configuration.integer('restart-strategy.failure-rate.max-failures-per-interval', 1);
      const delay = configuration.duration('restart-strategy.failure-rate.delay', 1000);
      return {
        name: `FailureRateRestartBackoffTimeStrategy(backoffTimeMS=${delay},maxFailuresPerInterval=${most})`,
        description: `Failure rate restart with maximum of ${most} failures within interval`,
        delay: (failures) => (failures <= most ? delay : undefined),
      };
    }
    case 'exponential-delay':
    case 'exponentialdelay': {
      const first = configuration.duration('restart-strategy.exponential-delay.initial-backoff', 1000);
      const last = configuration.duration('restart-strategy.exponential-delay.max-backoff', 60_000);
      const factor = configuration.number('restart-strategy.exponential-delay.backoff-multiplier', 1.5);
      const most = configuration.integer(
        'restart-strategy.exponential-delay.attempts-before-reset-backoff',
        Number.POSITIVE_INFINITY,
      );
      return {
        name: 'ExponentialDelayRestartBackoffTimeStrategy',
        description: 'Exponential delay restart strategy',
        delay: (failures) =>
          failures <= most ? Math.min(last, Math.round(first * factor ** (failures - 1))) : undefined,
      };
    }
    default:
      return {
        name: 'NoRestartBackoffTimeStrategy',
        description: 'Cluster level default restart strategy',
        delay: () => undefined,
      };
  }
}
