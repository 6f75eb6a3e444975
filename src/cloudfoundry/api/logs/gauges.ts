import type { CfApp } from '../../resources/cf-app.ts';
import type { CfProcess } from '../../resources/cf-process.ts';
import type { CloudFoundrySettings } from '../../settings.ts';
import type { Gauge } from '../present/envelopes.ts';
import type { Usage } from '../present/stats.ts';
import { nanosecondsOf } from './log-line.ts';

const mebibyte = 1024 * 1024;

/** What the instances of a process used, as envelopes tell it. Where nobody measures, there are none. */
export function gauges(
  app: CfApp,
  process: CfProcess,
  usage: ReadonlyMap<number, Usage>,
  defaults: CloudFoundrySettings['process'],
): readonly Gauge[] {
  const { name: guid = '', namespace = '' } = app.metadata;
  const bytes = (value: number) => ({ unit: 'bytes', value });
  return [...usage].flatMap(([index, { time, cpu, memory }]) => {
    const at = nanosecondsOf(time);
    if (at === undefined) return [];
    return {
      time: at,
      instance: String(index),
      tags: {
        app_id: guid,
        app_name: app.spec.displayName,
        instance_id: String(index),
        process_id: process.metadata.name ?? '',
        process_type: process.spec.processType,
        source_id: guid,
        space_id: namespace,
      },
      metrics: {
        cpu: { unit: 'percentage', value: cpu * 100 },
        memory: bytes(memory),
        memory_quota: bytes((process.spec.memoryMB ?? defaults.memoryMB) * mebibyte),
        disk_quota: bytes((process.spec.diskQuotaMB ?? defaults.diskQuotaMB) * mebibyte),
      },
    };
  });
}
