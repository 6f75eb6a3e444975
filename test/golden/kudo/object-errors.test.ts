import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderObjects } from '../../../src/kudo/render/render-objects.ts';
import type { Parameter } from '../../../src/kudo/resources/operator-version.ts';

interface Recorded {
  readonly package: string;
  readonly instance: string;
  readonly namespace: string;
  readonly plan: string;
  readonly phase: string;
  readonly step: string;
  readonly template: string;
  readonly text: string;
  /** What KUDO 0.19.0 said, without the place. */
  readonly message: string;
}

const { errors, parameters } = JSON.parse(readFileSync(join(import.meta.dirname, 'object-errors.json'), 'utf8')) as {
  readonly errors: readonly Recorded[];
  readonly parameters: Readonly<Record<string, readonly Parameter[]>>;
};

/** Templates whose error has other words here, or none, and why. */
const differences: Readonly<Record<string, { readonly says: RegExp | 'nothing'; readonly because: string }>> = {
  'badyaml.yaml': {
    says: /^fatal error: parsing YAML from badyaml\.yaml: decoding chunk "apiVersion: v1\\n.*" failed: error converting YAML to JSON: yaml: line \d+: ./,
    because: 'another parser has other words, and its line is the one that is wrong',
  },
  'badkind.yaml': {
    says: 'nothing',
    because: 'a kind that the server does not know is found out when it is looked for, not when it is rendered',
  },
};

function messageOf(recorded: Recorded): string | undefined {
  const { instance: name, namespace, plan, phase, step, template, text } = recorded;
  const rendered = renderObjects(
    {
      instance: { name, namespace, uid: 'uid' },
      operatorVersion: {
        apiVersion: 'kudo.dev/v1beta1',
        kind: 'OperatorVersion',
        metadata: { name: 'v' },
        spec: { templates: { [template]: text }, parameters: [...(parameters[recorded.package] ?? [])] },
      },
      parameters: {},
      plan,
      phase,
      step,
      pipes: {},
    },
    [template],
  );
  return 'complaint' in rendered ? rendered.complaint.message : undefined;
}

describe('what KUDO says of templates that are wrong', () => {
  it.each(errors.map((recorded) => [recorded.template, recorded] as const))(
    'is said here too: %s',
    (name, recorded) => {
      const difference = differences[name];
      const message = messageOf(recorded);
      if (!difference) expect(message).toBe(recorded.message);
      else if (difference.says === 'nothing') expect(message).toBeUndefined();
      else expect(message).toMatch(difference.says);
    },
  );

  it('differs only where it is listed', () => {
    const same = errors.filter(
      (recorded) => differences[recorded.template] && messageOf(recorded) === recorded.message,
    );
    expect(same).toEqual([]);
    expect(Object.keys(differences).filter((name) => !errors.some(({ template }) => template === name))).toEqual([]);
  });
});
