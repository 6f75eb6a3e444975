import { describe, expect, it } from 'vitest';
import { manifestDiff } from './manifest-diff.ts';

const web1 = {
  name: 'web1',
  docker: { image: 'r/app:1' },
  env: { K: 'v', '~/x': '1' },
  routes: [{ route: 'web1.apps.example' }],
  processes: [{ type: 'web', instances: 1, memory: '1024M', disk_quota: '512M', 'health-check-type': 'port' }],
};
const diff = (...applications: Readonly<Record<string, unknown>>[]) =>
  manifestDiff(applications, (name) => (name === 'web1' ? web1 : undefined));

describe('the difference that a manifest makes', () => {
  it('is none when it says what is', () => {
    expect(diff(web1)).toEqual([]);
    expect(diff({ name: 'web1', memory: '1G', instances: 1, 'disk-quota': '512M', 'no-route': true })).toEqual([]);
  });

  it('is a whole app when there is none of that name', () => {
    expect(diff({ name: 'web1' }, { name: 'new', memory: '1G' })).toEqual([
      { op: 'add', path: '/applications/1', value: { name: 'new', memory: '1G' } },
    ]);
  });

  it('names what is replaced and what is added, and takes nothing away', () => {
    const env = { K: 'w', NEW: 'n', '~/x': '2' };
    expect(diff({ name: 'web1', memory: '2G', timeout: 5, env, docker: { image: 'r/app:2' } })).toEqual([
      { op: 'replace', path: '/applications/0/memory', value: '2G', was: '1024M' },
      { op: 'add', path: '/applications/0/timeout', value: 5 },
      { op: 'replace', path: '/applications/0/env/K', value: 'w', was: 'v' },
      { op: 'add', path: '/applications/0/env/NEW', value: 'n' },
      { op: 'replace', path: '/applications/0/env/~0~1x', value: '2', was: '1' },
      { op: 'replace', path: '/applications/0/docker/image', value: 'r/app:2', was: 'r/app:1' },
    ]);
  });

  it('knows processes and routes by what they are called, not by their place', () => {
    const processes = [
      { type: 'worker', instances: 1 },
      { type: 'web', instances: 2 },
    ];
    const routes = [{ route: 'b.apps.example' }, { route: 'web1.apps.example' }];
    expect(diff({ name: 'web1', processes, routes })).toEqual([
      { op: 'add', path: '/applications/0/processes/0', value: { type: 'worker', instances: 1 } },
      { op: 'replace', path: '/applications/0/processes/1/instances', value: 2, was: 1 },
      { op: 'add', path: '/applications/0/routes/0', value: { route: 'b.apps.example' } },
    ]);
  });
});
