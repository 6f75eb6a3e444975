import type { CfBuild } from '../../resources/cf-build.ts';
import { buildError, buildState } from '../present/build.ts';
import { conditionOf } from '../present/condition-of.ts';
import { type LogLine, nanosecondsOf } from './log-line.ts';

/**
 * What a build has to say for itself: builds of images have no pod that would. Each line has the time of what it tells; the
 * nanoseconds keep them in order within the same second.
 */
export function stagingLines(build: CfBuild): readonly LogLine[] {
  const { metadata, spec, status } = build;
  const begun = metadata.creationTimestamp;
  const what = spec.lifecycle.type === 'docker' ? 'the image' : 'with buildpacks';
  const lines = [told(begun, 0n, 'OUT', `Staging ${what} (build ${metadata.name})`)];
  const staging = conditionOf(status, 'Staging');
  if (staging?.message) lines.push(told(staging.lastTransitionTime, 1n, 'OUT', staging.message));
  const ended = conditionOf(status, 'Succeeded')?.lastTransitionTime ?? begun;
  const state = buildState(build);
  if (state === 'STAGED') lines.push(told(ended, 2n, 'OUT', `Staging complete: ${dropletText(build)}`));
  if (state === 'FAILED') lines.push(told(ended, 2n, 'ERR', `Staging failed: ${buildError(build)}`));
  return lines.flatMap((line) => line ?? []);
}

function dropletText({ status }: CfBuild): string {
  const { registry, ports = [] } = status?.droplet ?? {};
  const where = ports.length > 0 ? `, listens on ${ports.join(', ')}` : '';
  return `${registry?.image ?? 'droplet'}${where}`;
}

function told(at: string | undefined, order: bigint, kind: LogLine['kind'], text: string): LogLine | undefined {
  const time = nanosecondsOf(at ?? '');
  if (time === undefined) return undefined;
  return { time: time + order, kind, payload: Buffer.from(text), sourceType: 'STG', instance: '0' };
}
