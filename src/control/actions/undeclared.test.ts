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
