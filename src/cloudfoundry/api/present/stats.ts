import type { CfApp } from '../../resources/cf-app.ts';
import type { CfProcess } from '../../resources/cf-process.ts';
import type { CloudFoundrySettings } from '../../settings.ts';
import { instancesOf, uptime } from './instances.ts';

/** What one instance uses, as the cluster's metrics have it. */
export interface Usage {
  /** When it was measured. */
  readonly time: string;
  /** Cores. */
  readonly cpu: number;
  /** Bytes. */
  readonly memory: number;
}

export interface StatsView {
  readonly process: CfProcess;
  readonly app: CfApp;
  readonly defaults: CloudFoundrySettings['process'];
  /** By index; without an entry the instance has no `usage`. */
  readonly usage: ReadonlyMap<number, Usage>;
  readonly now: number;
}

const mebibyte = 1024 * 1024;

/** `GET /v3/processes/{guid}/stats`. */
export function presentStats({ process, app, defaults, usage, now }: StatsView): object {
  const { spec } = process;
  return {
    resources: instancesOf(process, app).map((instance) => {
      const running = instance.state === 'RUNNING';
      const used = running ? usage.get(instance.index) : undefined;
      return {
        type: spec.processType,
        index: instance.index,
        state: instance.state,
        routable: running,
        ...(running && { uptime: uptime(instance, now) }),
        mem_quota: (spec.memoryMB ?? defaults.memoryMB) * mebibyte,
        disk_quota: (spec.diskQuotaMB ?? defaults.diskQuotaMB) * mebibyte,
        log_rate_limit: -1,
        isolation_segment: null,
        details: instance.details ?? null,
        ...(used && {
          usage: {
            time: used.time,
            cpu: used.cpu,
            cpu_entitlement: null,
            mem: used.memory,
            disk: null,
            log_rate: null,
          },
        }),
      };
    }),
  };
}

/** `process_instances` of a process, embedded or asked for by itself. */
export function presentInstances(process: CfProcess, app: CfApp, now: number): readonly object[] {
  return instancesOf(process, app).map((instance) => ({
    index: instance.index,
    state: instance.state,
    since: uptime(instance, now),
  }));
}
