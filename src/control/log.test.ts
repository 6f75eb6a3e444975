import { expect, it } from 'vitest';
import { createLog } from './log.ts';
import { sealer } from './sealed.ts';

function capture(): { lines: string[]; log: ReturnType<typeof createLog> } {
  const lines: string[] = [];
  return { lines, log: createLog({ level: 'debug', destination: { write: (line) => void lines.push(line) } }) };
}

it('writes one JSON object per line with the fields of its parents', () => {
  const { lines, log } = capture();
  log.child({ controller: 'lamp' }).child({ reconcile: 'r1' }).info({ key: 'a/b' }, 'switched on');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'info',
    controller: 'lamp',
    reconcile: 'r1',
    key: 'a/b',
    msg: 'switched on',
  });
});

it('prints no secret: not by name, not sealed, not in a Secret', () => {
  const { lines, log } = capture();
  const value = 'hunter2';
  log.info({ token: value, request: { headers: { authorization: value } }, sealed: sealer()(value) }, 'x');
  log.info({ object: { kind: 'Secret', data: { p: value }, stringData: { p: value }, metadata: { name: 's' } } }, 'x');
  log.child({ config: { password: value } }).warn({}, 'x');
  expect(lines.join('')).not.toContain(value);
  expect(lines.join('')).toContain('"name":"s"');
});

it('tells an error with its kind and its cause', () => {
  const { lines, log } = capture();
  log.error({ error: new Error('outer', { cause: new TypeError('inner') }) }, 'x');
  expect(JSON.parse(lines[0] ?? '').error).toMatchObject({
    message: 'outer',
    cause: { name: 'TypeError', message: 'inner' },
  });
});
