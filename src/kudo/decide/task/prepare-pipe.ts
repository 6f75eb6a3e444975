import { posix } from 'node:path';
import type { AnyObject } from '../../../kube/object.ts';
import { readYaml, YamlError } from '../../parameters/yaml.ts';
import type { Place } from '../../render/place.ts';
import { renderText } from '../../render/render-objects.ts';
import { isFields } from '../../render/replaced-at.ts';
import type { Task, TaskSpec } from '../../resources/operator-version.ts';
import { artifactName, pipePodName } from './pipe-names.ts';
import { pipePod } from './pipe-pod.ts';
import type { Artifact } from './pipe-work.ts';
import { pipeConflict } from './pipes-of.ts';
import { taskPath } from './prepare.ts';
import type { TaskFailure, TaskWork } from './work.ts';

type Pipe = NonNullable<TaskSpec['pipe']>[number];

/**
 * The pod of a Pipe task and what becomes of its files, or why that cannot be: the reasons and words are KUDO's. Pure and
 * total.
 */
export function preparePipe({ name, spec = {} }: Task, place: Place, waiterImage: string): TaskWork {
  const fail = (reason: TaskFailure['reason'], message: string): TaskWork => ({
    name,
    place,
    does: 'fail',
    failure: { reason, message, fatal: true },
  });
  const { plan, phase, step, instance, operatorVersion } = place;
  const { pod: template = '', pipe = [] } = spec;
  const flaw = flawOf(pipe);
  if (flaw !== undefined) {
    return fail('TaskBuildError', `failed to build task ${taskPath(name, place)}: task validation error: ${flaw}`);
  }
  const conflict = pipeConflict(operatorVersion, instance.name, plan);
  if (conflict !== undefined) return fail('InvalidPlan', `could not make task pipes: ${conflict}`);

  const rendered = renderText(place, template);
  if ('complaint' in rendered) return fail(rendered.complaint.reason, rendered.complaint.message);
  const read = readPod(rendered.text);
  if ('problem' in read) return fail('ResourceUnmarshalError', `failed to unmarshall pipe pod: ${read.problem}`);

  const here = { instance: instance.name, plan, phase, step, task: name };
  const artifacts = pipe.map(
    ({ file, envFile, kind, key = '' }): Artifact => ({
      // As the shell would have it, so that what is checked is what is fetched.
      path: posix.normalize(file || envFile || ''),
      as: file ? 'file' : 'envFile',
      kind: kind === 'Secret' ? 'Secret' : 'ConfigMap',
      name: artifactName(here, key),
    }),
  );
  const made = pipePod(read.pod, pipePodName(here), artifacts, waiterImage);
  if ('problem' in made) return fail('ResourceValidationError', made.problem);
  return { name, place, does: 'pipe', pipe: { pod: made.pod, artifacts } };
}

/** What is wrong with the task as it is written, whatever its pod does. */
function flawOf(pipes: readonly Pipe[]): string | undefined {
  if (pipes.length === 0) return 'pipe task has an empty pipe files list';
  for (const { file = '', envFile = '', kind = '', key = '' } of pipes) {
    const shown = `{${[file, envFile, kind, key].join(' ')}}`;
    if ((file === '') === (envFile === '')) {
      return `pipe file ${shown} must have either 'file' or 'envFile' field set but not both`;
    }
    if (kind !== 'Secret' && kind !== 'ConfigMap') {
      return `invalid pipe kind (must be Secret or ConfigMap): ${shown}`;
    }
    if (!/^[a-zA-Z0-9_-]+$/.test(key)) {
      return `invalid pipe key (only letters, numbers and _ and - are allowed): ${shown}`;
    }
  }
  return undefined;
}

/** The pod needs no name: it gets one. */
function readPod(text: string): { readonly pod: AnyObject } | { readonly problem: string } {
  try {
    const value = readYaml(text);
    if (!isFields(value)) return { problem: 'it is no object' };
    if (value.apiVersion !== 'v1' || value.kind !== 'Pod') {
      return { problem: `it is a ${String(value.kind)} of ${String(value.apiVersion)}, not a Pod of v1` };
    }
    const metadata = isFields(value.metadata) ? value.metadata : {};
    return { pod: { ...value, metadata } as unknown as AnyObject };
  } catch (error) {
    if (error instanceof YamlError) return { problem: error.message };
    throw error;
  }
}
