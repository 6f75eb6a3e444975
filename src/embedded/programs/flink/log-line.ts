import type { Instant } from '../../../clock/clock.ts';

/** A line as Flink's console log prints it. */
export function logLine(at: Instant, level: 'INFO' | 'WARN' | 'ERROR', text: string): string {
  const time = new Date(at).toISOString().replace('T', ' ').replace('.', ',').slice(0, 23);
  return `${time} ${level.padEnd(5)} org.apache.flink.runtime [] - ${text}`;
}
