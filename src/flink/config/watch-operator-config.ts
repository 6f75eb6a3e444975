import { equal } from '../../change/equal.ts';
import type { Clock } from '../../clock/clock.ts';
import type { OperatorConfig } from './operator-config.ts';
import { operatorOptions } from './operator-options.ts';
import { read } from './option.ts';
import { readOperatorConfig } from './read-operator-config.ts';

/** The operator's configuration as it is now. */
export interface WatchedOperatorConfig {
  /** The last one that could be used. The same object until another one takes its place. */
  current(): OperatorConfig;
  /** Ends the watching; calling it twice is harmless. */
  stop(): void;
}

/** Whoever writes `0 s` does not mean it. */
const shortestMs = 1000;

/**
 * Reads the configuration, and reads it again every `dynamic.config.check.interval` unless `dynamic.config.enabled` is
 * false. One that cannot be used takes nobody's place: it is reported, once until something else is found there.
 *
 * @throws OperatorConfigError when it cannot be used at the start
 */
export async function watchOperatorConfig(
  path: string | undefined,
  clock: Clock,
  onProblem: (problem: string) => void,
): Promise<WatchedOperatorConfig> {
  let config = await readOperatorConfig(path);
  let reported: string | undefined;
  let cancel = (): void => {};
  let stopped = path === undefined;

  const again = async (): Promise<void> => {
    const problem = await readOperatorConfig(path).then(
      (found) => {
        if (!equal(found, config)) config = found;
        return undefined;
      },
      (error: Error) => error.message,
    );
    if (problem !== undefined && problem !== reported && !stopped) onProblem(problem);
    reported = problem;
    plan();
  };
  const plan = (): void => {
    const settings = new Map(Object.entries(config.settings));
    if (stopped || !read(settings, operatorOptions.dynamicConfig)) return;
    cancel = clock.after(
      Math.max(shortestMs, read(settings, operatorOptions.dynamicConfigInterval)),
      () => void again(),
    );
  };
  plan();
  return {
    current: () => config,
    stop() {
      stopped = true;
      cancel();
    },
  };
}
