import { describe, expect, it } from 'vitest';
import { normalise } from './normalise.ts';
import { formatTranscript, headingOf, parseTranscript } from './transcript.ts';

const text = `# Two commands.

$ kubectl get x
NAME   AGE
a   AGE

$ kubectl get none
Error from server (NotFound): x "none" not found
[1]
`;

describe('a transcript', () => {
  it('is commands, outputs and exit codes', () => {
    expect(parseTranscript(text)).toEqual([
      { command: 'kubectl get x', output: 'NAME   AGE\na   AGE', exitCode: 0 },
      { command: 'kubectl get none', output: 'Error from server (NotFound): x "none" not found', exitCode: 1 },
    ]);
  });

  it('is written as it was read', () => {
    expect(formatTranscript(headingOf(text), parseTranscript(text))).toBe(text);
  });
});

describe('normalising', () => {
  it.each([
    ['pod/web-7d4b9c6f5-x2x4z', 'pod/web-HASH-RANDOM'],
    ['replicaset.apps/web-7d4b9c6f5', 'replicaset.apps/web-HASH'],
    ['uid: 4bfcb572-a6e9-45c3-881a-f285637c1f50', 'uid: UID'],
    ['created 2026-11-15T23:52:03Z', 'created TIME'],
    ['web    ClusterIP   10.96.0.7   80/TCP   5m3s', 'web   ClusterIP   IP   80/TCP   AGE'],
    ['in ns-abc namespace', 'in NAMESPACE namespace'],
    ['store-0   1/1   Running   0   3s', 'store-0   1/1   Running   0   AGE'],
    ['deployment.apps/web created', 'deployment.apps/web created'],
  ])('%s', (before, after) => {
    expect(normalise(before, 'ns-abc')).toBe(after);
  });
});
