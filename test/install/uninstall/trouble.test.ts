import { describe, expect, it } from 'vitest';
import { KubeError } from '../../../src/kube/error.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { Request, Transport } from '../../../src/kube/transport.ts';
import { disturbed, home, operator, ours, UninstallStage } from './uninstall-stage.ts';

const [first] = ours;
if (!first) throw new Error('there are no finalizers');
const one = { namespace: 'default', name: 'one' };

const isRelease = ({ method }: Request): boolean => method === 'PATCH';

describe('cutover uninstall, when something goes wrong,', () => {
  it('does the rest at the next run, wherever it died', async () => {
    const wholeRun = 2 + ours.length;
    for (let dies = 1; dies <= wholeRun; dies++) {
      await using stage = await UninstallStage.open();
      await stage.hold();
      let left = dies;
      const through = disturbed(({ method }) => {
        if (left <= 0) throw new KubeError('unreachable', 'the process has died');
        if (method !== 'GET') left -= 1;
      });
      const { end } = await stage.ran({ through });
      expect(end, `of write ${dies}`).toBe(dies === wholeRun ? 'done' : 'failed');
      // It held the lease to the last: the next one waits until that has run out.
      expect((await stage.ran()).end, `after write ${dies}`).toBe('done');
      expect(stage.held()).toEqual([]);
    }
  });

  it('reads again when others write in between', async () => {
    await using stage = await UninstallStage.open();
    await stage.hold();
    let edits = 0;
    const through = disturbed(async (request) => {
      if (!isRelease(request) || !request.path.includes(first.type.plural) || edits > 0) return;
      edits += 1;
      const body = { metadata: { finalizers: ['somebody.else/finalizer', first.finalizer] } };
      await stage.person.resource(first.type).patch(one, { type: 'merge', body });
    });
    expect((await stage.ran({ through })).end).toBe('done');
    expect(edits).toBe(1);
    expect(stage.held()).toEqual([`${first.type.kind} default/one somebody.else/finalizer`]);
  });

  it('takes nothing off another resource that has got the name meanwhile', async () => {
    await using stage = await UninstallStage.open();
    await stage.store(first.type, 'default', [first.finalizer]);
    let swapped = false;
    const through = disturbed(async (request) => {
      if (!isRelease(request) || swapped) return;
      swapped = true;
      const resource = stage.person.resource(first.type);
      await resource.patch(one, { type: 'merge', body: { metadata: { finalizers: null } } });
      await resource.delete(one);
      await stage.store(first.type, 'default', ['somebody.else/finalizer']);
    });
    expect((await stage.ran({ through })).end).toBe('done');
    expect(stage.held()).toEqual([`${first.type.kind} default/one somebody.else/finalizer`]);
  });

  it('says what somebody puts back again and again, and releases the others', async () => {
    await using stage = await UninstallStage.open();
    await stage.hold();
    // As a webhook would that completes what is written.
    const through = (transport: Transport): Transport => ({
      ...transport,
      request: (request) => {
        if (!isRelease(request) || !request.path.includes(first.type.plural)) return transport.request(request);
        return transport.request({ ...request, body: '[]' });
      },
    });
    const { end, said } = await stage.ran({ through });
    expect(end).toBe('failed');
    expect(said).toContain(`${first.type.kind} one in default: ${first.finalizer} is put back by somebody`);
    expect(said.at(-1)).toBe(
      `${ours.length - 1} resources released, 1 not, for the reasons above. Run it again: it goes on where it ended.`,
    );
    expect(stage.held()).toEqual([`${first.type.kind} default/one ${first.finalizer}`]);
  });

  it('releases also what is made meanwhile, after its kind was looked at', async () => {
    await using stage = await UninstallStage.open();
    await stage.hold();
    const last = ours.at(-1) ?? first;
    let made = false;
    const through = disturbed(async (request) => {
      if (made || !isRelease(request) || !request.path.includes(last.type.plural)) return;
      made = true;
      await stage.store(first.type, 'default', [first.finalizer], 'late');
    });
    const { end, said } = await stage.ran({ through });
    expect(end).toBe('done');
    expect(stage.held()).toEqual([]);
    expect(said).toContain(`${first.type.kind}: 1 more released, made meanwhile`);
    expect(said.at(-1)).toMatch(new RegExp(`^Done: ${ours.length + 1} resources released`));
  });

  it('stops when the lease is lost on the way', async () => {
    await using stage = await UninstallStage.open();
    await stage.hold();
    let releases = 0;
    const through = disturbed(async (request) => {
      if (!isRelease(request)) return;
      releases += 1;
      if (releases !== 2) return;
      const body = { spec: { holderIdentity: 'operator-9', renewTime: '2026-11-01T10:00:00.000000Z' } };
      await stage.person.resource(kinds.leases).patch({ namespace: home, name: 'cutover' }, { type: 'merge', body });
      await stage.clock.advance(12_000);
    });
    const running = stage.run({ through });
    await stage.until('it ends', () => running.end !== undefined);
    expect(running.end).toBe('failed');
    expect(running.said.at(-1)).toContain('the lease was lost on the way');
    expect(stage.held()).toHaveLength(ours.length - 2);
  });

  it('ends when it is interrupted, and gives the lease back', async () => {
    await using stage = await UninstallStage.open();
    await stage.hold();
    await operator(stage);
    const running = stage.run({ wait: true });
    await stage.until('it asks', () => running.said.length > 0);
    running.interrupt();
    await stage.until('it ends', () => running.end !== undefined);
    expect(running.end).toBe('failed');
    expect(running.said.at(-1)).toMatch(/^Interrupted/);
  });
});
