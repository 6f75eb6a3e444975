import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const LABELS = { app: 'web' } as const;

/** Two pods with a volume each, behind a Service, as a user other than root. */
const web = {
  apiVersion: 'v1',
  kind: 'List',
  items: [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web' },
      spec: { selector: LABELS, ports: [{ port: 80, targetPort: 8080 }] },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'web' },
      spec: {
        serviceName: 'web',
        replicas: 2,
        selector: { matchLabels: LABELS },
        template: {
          metadata: { labels: LABELS },
          spec: {
            securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } },
            containers: [
              {
                name: 'app',
                image: 'rig.local/app:1',
                readinessProbe: { httpGet: { path: '/ready', port: 8080 }, periodSeconds: 1 },
                securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
                volumeMounts: [{ name: 'data', mountPath: '/data' }],
              },
            ],
          },
        },
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
    },
  ],
};

describe('the real node', () => {
  it('runs a StatefulSet with volumes and takes the volumes away with their claims', async () => {
    await kubectl(['apply', '-f', '-'], JSON.stringify(web));
    await kubectl(['rollout', 'status', 'statefulset/web', '--timeout=90s']);
    expect(await kubectl(['get', 'pvc', '-o', 'jsonpath={.items[*].status.phase}'])).toBe('Bound Bound');

    expect(await kubectl(['logs', 'web-0'])).toContain('app listening on 8080 as web-0');
    expect(await kubectl(['exec', 'web-1', '--', 'app', 'get', 'http://localhost:8080'])).toContain('hello from web-1');
    expect(await kubectl(['exec', 'web-0', '--', 'app', 'api', '/version'])).toContain('"gitVersion": "v1.37.1"');
    await expect.poll(() => get('web-0', 'http://web'), LONG).toMatch(/hello from web-[01]/);
    expect(await kubectl(['get', '--raw', '/api/v1/namespaces/default/services/web/proxy/'])).toContain('hello from');

    await kubectl(['delete', 'statefulset/web', 'service/web', '--wait']);
    await kubectl(['delete', 'pvc', '--all', '--wait']);
    await kubectl(['wait', '--for=delete', 'pv', '--all', '--timeout=90s']);
    expect(await kubectl(['get', 'pv', '-o', 'name'])).toBe('');
  });
});

const LONG = { timeout: 60_000, interval: 250 } as const;

function get(pod: string, url: string): Promise<string> {
  return kubectl(['exec', pod, '--', 'app', 'get', url]);
}

async function kubectl(args: readonly string[], input = ''): Promise<string> {
  const kubeconfig = process.env.CUTOVER_KUBECONFIG ?? '';
  const running = promisify(execFile)('kubectl', ['--kubeconfig', kubeconfig, ...args]);
  running.child.stdin?.end(input);
  return (await running).stdout;
}
