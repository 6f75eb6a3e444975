import type { KubeObject } from '../../../kube/object.ts';
import { labels } from '../../keys.ts';
import { operatorVersionName } from '../../package/to-resources.ts';
import { parametersFromFile } from '../../parameters/parameters-from-file.ts';
import type { Place } from '../../render/place.ts';
import { renderText } from '../../render/render-objects.ts';
import { instance as instanceKind } from '../../resources/instance.ts';
import type { Task } from '../../resources/operator-version.ts';
import { operatorVersion as versionKind } from '../../resources/operator-version.ts';
import type { TaskWork } from './work.ts';

/**
 * The child Instance of a KudoOperator task. It belongs to its parent without being controlled by it: its own plans are its
 * own. What we leave out of it (the plan that it runs, its defaults) stays as it is there.
 */
export function prepareChild({ name, spec = {} }: Task, place: Place): TaskWork {
  const fail = (reason: Capitalize<string>, message: string): TaskWork => ({
    name,
    place,
    does: 'fail',
    failure: { reason, message, fatal: true },
  });
  const { package: operator = '', operatorVersion = '', appVersion, parameterFile } = spec;
  if (operator === '') return fail('TaskBuildError', `failed to build task ${name}: package is not set`);
  let parameters: Readonly<Record<string, string>> | undefined;
  if (parameterFile !== undefined && parameterFile !== '') {
    const rendered = renderText(place, parameterFile);
    if ('complaint' in rendered) return fail(rendered.complaint.reason, rendered.complaint.message);
    const read = parametersFromFile(rendered.text);
    if ('error' in read) return fail('TaskRenderingError', `parameter file ${parameterFile}: ${read.error}`);
    parameters = read.parameters;
  }
  const { instance } = place;
  const version = operatorVersionName(operator, appVersion, operatorVersion);
  const childName = spec.instanceName || `${instance.name}-${operator}`;
  return {
    name,
    place,
    does: 'child',
    version: { apiVersion: versionKind.apiVersion, kind: versionKind.type.kind, name: version },
    child: {
      apiVersion: instanceKind.apiVersion,
      kind: instanceKind.type.kind,
      metadata: {
        name: childName,
        namespace: instance.namespace,
        labels: { [labels.operator]: operator },
        ownerReferences: [
          {
            apiVersion: instanceKind.apiVersion,
            kind: instanceKind.type.kind,
            name: instance.name,
            uid: instance.uid,
          },
        ],
      },
      spec: {
        operatorVersion: { name: version },
        ...(parameters && Object.keys(parameters).length > 0 && { parameters }),
      },
    } as KubeObject,
  };
}
