import type { OperatorVersion } from '../resources/operator-version.ts';
import { showField } from './changed-fields.ts';
import { GRAPH_LIMITS, type GraphLimits } from './graph.ts';
import { someValue } from './other-values.ts';
import { reachesPodTemplate } from './pod-template-fields.ts';
import { Probe } from './probe.ts';
import { readsOf } from './reads.ts';
import { templateUses } from './template-uses.ts';

/** A parameter whose change changes the pod template of a workload: its pods restart, whatever its flag says. */
export interface PodTemplateParameter {
  readonly parameter: string;
  readonly template: string;
  /** Where the template names it; empty if it reads parameters as a whole. */
  readonly lines: readonly number[];
  readonly workload: { readonly kind: string; readonly name: string };
  readonly fields: readonly string[];
}

/**
 * Which parameters reach pod templates and where, found by rendering with defaults and with other values. What has no default
 * gets some value. A template that cannot be rendered so tells nothing.
 */
export function podTemplateParameters(
  operatorVersion: OperatorVersion,
  limits: GraphLimits = GRAPH_LIMITS,
): readonly PodTemplateParameter[] {
  const parameters = operatorVersion.spec.parameters ?? [];
  const missing = parameters.filter((one) => one.required !== false && (one.default ?? '') === '');
  const probe = new Probe(
    { operatorVersion },
    Object.fromEntries(missing.map((one) => [one.name, someValue(one)])),
    limits,
  );
  const seen = new Set<string>();
  return templateUses(operatorVersion).flatMap((use) => {
    if ((use.role !== 'applies' && use.role !== 'toggles') || seen.has(use.template)) return [];
    seen.add(use.template);
    const reads = readsOf(operatorVersion, use.template);
    return parameters.flatMap((parameter) => {
      const lines = reads.params.get(parameter.name);
      if (lines === undefined && !reads.any) return [];
      return [...probe.reach(use, parameter).values()].flatMap(({ object, fields }) => {
        const inside = fields.filter((field) => field.length > 0 && reachesPodTemplate(object, field));
        if (inside.length === 0) return [];
        const workload = { kind: object.kind, name: object.metadata.name ?? '' };
        return [
          {
            parameter: parameter.name,
            template: use.template,
            lines: lines ?? [],
            workload,
            fields: inside.map(showField),
          },
        ];
      });
    });
  });
}
