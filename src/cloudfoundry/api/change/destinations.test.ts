import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../clock/random.ts';
import type { CfRoute } from '../../resources/cf-route.ts';
import { type Destination, onlyDestinations, withDestinations, withoutDestination } from './destinations.ts';

const random = seededRandom(1);
const first: Destination = { guid: 'd-1', appRef: { name: 'app-1' }, processType: 'web' };

function routeTo(...destinations: Destination[]): CfRoute {
  return {
    apiVersion: 'korifi.cloudfoundry.org/v1alpha1',
    kind: 'CFRoute',
    metadata: { name: 'route-1', namespace: 'space-1' },
    spec: { host: 'h', domainRef: { name: 'domain-1' }, destinations },
  };
}

describe('destinations of a route', () => {
  it('are added beside those that are there, with label and annotation that say so', () => {
    const patch = withDestinations(routeTo(first), [{ app: { guid: 'app-2' }, port: 9000 }], random);
    expect(patch).toEqual({
      metadata: {
        labels: { 'korifi.cloudfoundry.org/unmapped': 'false' },
        annotations: { 'korifi.cloudfoundry.org/app-guids': 'app-1\napp-2' },
      },
      spec: {
        destinations: [first, { guid: expect.any(String), appRef: { name: 'app-2' }, processType: 'web', port: 9000 }],
      },
    });
  });

  it('are not added twice, nor written when they are all there', () => {
    const again = { app: { guid: 'app-1', process: { type: 'web' } } };
    expect(withDestinations(routeTo(first), [again], random)).toBeUndefined();
    const patch = withDestinations(routeTo(), [again, again], random);
    expect(patch?.spec).toMatchObject({ destinations: [{ appRef: { name: 'app-1' } }] });
  });

  it('keep their GUIDs, and so their Services, when the list is replaced', () => {
    const patch = onlyDestinations(routeTo(first), [{ app: { guid: 'app-2' } }, { app: { guid: 'app-1' } }], random);
    expect(patch.spec).toMatchObject({ destinations: [{ appRef: { name: 'app-2' } }, first] });
  });

  it('are taken away one by one, until the route leads nowhere', () => {
    expect(withoutDestination(routeTo(first), 'd-1')).toEqual({
      metadata: {
        labels: { 'korifi.cloudfoundry.org/unmapped': 'true' },
        annotations: { 'korifi.cloudfoundry.org/app-guids': '' },
      },
      spec: { destinations: [] },
    });
    expect(() => withoutDestination(routeTo(first), 'd-2')).toThrow('Unable to unmap route from destination');
  });
});
