import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import { withoutUndeclared } from './undeclared.ts';

const deployment = (): AnyObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  extra: 1,
  spec: {
    replicas: 1,
    more: { a: 1 },
    template: {
      spec: {
        containers: [
          { name: 'a', foo: 1 },
          { name: 'b', foo: 2 },
        ],
      },
    },
  },
});
const said = (...paths: string[]): string =>
  `failed to create typed patch object (default/web; apps/v1, Kind=Deployment): errors:\n${paths
    .map((path) => `  ${path}: field not declared in schema`)
    .join('\n')}`;

describe('fields that the server does not declare', () => {
  it('are left out, wherever they are', () => {
    const pruned = withoutUndeclared(
      deployment(),
      said('.extra', '.spec.more', '.spec.template.spec.containers[name="b"].foo'),
    );
    expect(pruned?.fields).toEqual(['.extra', '.spec.more', '.spec.template.spec.containers[name="b"].foo']);
    const { extra: _extra, ...rest } = deployment();
    expect(pruned?.object).toEqual({
      ...rest,
      spec: { replicas: 1, template: { spec: { containers: [{ name: 'a', foo: 1 }, { name: 'b' }] } } },
    });
  });

  it('are found by their place in a list, too', () => {
    const pruned = withoutUndeclared(deployment(), said('.spec.template.spec.containers[0].foo'));
    expect(pruned?.object.spec).toMatchObject({ template: { spec: { containers: [{ name: 'a' }, { foo: 2 }] } } });
  });

  it('are found by a key that the server completed', () => {
    const ports = [
      { containerPort: 80, protocol: 'UDP', foo: 1 },
      { containerPort: 80, foo: 2 },
      { containerPort: 81 },
    ];
    const { spec: _spec, ...rest } = deployment();
    const pruned = withoutUndeclared({ ...rest, ports }, said('.ports[containerPort=80,protocol="TCP"].foo'));
    expect(pruned?.object).toMatchObject({ ports: [ports[0], { containerPort: 80 }, ports[2]] });
    expect(pruned?.object.ports).toHaveProperty('[1]', { containerPort: 80 });
  });

  it('leave the object that was given as it is', () => {
    const given = deployment();
    withoutUndeclared(given, said('.extra'));
    expect(given).toEqual(deployment());
  });

  it.each([
    'something else went wrong',
    said('.absent'),
    said('.spec.template.spec.containers[name="c"].foo'),
    said(''),
  ])('are none in %j', (message) => {
    expect(withoutUndeclared(deployment(), message)).toBeUndefined();
  });
});
