import { describe, expect, it } from 'vitest';
import { judge } from './judge.ts';
import type { Fault } from './plan.ts';
import type { Report } from './simulate.ts';
import { subjects } from './subjects.ts';

const once: Report = {
  violations: [],
  calls: ['GET /a', 'POST /b', 'GET /c'],
  late: [],
  busy: 3,
  writes: { 'Lamp l': { created: 1, changed: 0, deleted: 0 } },
  effects: {},
  end: [],
  written: [],
  virtualMs: 0,
};

/** Of a run in which a lamp was made twice and taken away once. */
function problems(fault: Fault, late: readonly string[] = [], more: Partial<Report> = {}): readonly string[] {
  const [subject] = subjects;
  if (!subject) throw new Error('there is no subject');
  const { name, workloads } = subject;
  const plan = { subject: name, workload: workloads[0] ?? '', seed: 1, faults: { 1: fault } };
  const writes = { 'Lamp l': { created: 2, changed: 0, deleted: 1 } };
  return judge(subject, plan, { ...once, late, writes, ...more }, once);
}

describe('what was created once more', () => {
  it('is wrong', () => {
    expect(problems('crash-after')).toEqual([expect.stringContaining('Lamp l was')]);
  });

  it('may be by a request that arrives late, or is sent by a process that slept while another took over', () => {
    expect(problems('late-effect')).toEqual([]);
    expect(problems('deputy', ['GET /a', 'POST /b'])).toEqual([]);
  });

  it('is wrong when nobody took over, or nothing was about to be created', () => {
    expect(problems('pause', ['POST /b'])).toHaveLength(1);
    expect(problems('deputy')).toHaveLength(1);
    expect(problems('deputy', ['GET /a', 'DELETE /b'])).toHaveLength(1);
    expect(problems('deputy', ['PATCH /lamps/l?fieldManager=cutover'])).toHaveLength(1);
    expect(problems('deputy', ['POST /namespaces/a/events?fieldManager=cutover'])).toHaveLength(1);
    expect(problems('deputy', ['POST /namespaces/a/pods/p/eviction'])).toHaveLength(1);
    expect(problems('deputy', ['POST /namespaces/a/services/http:b:8081/proxy/jobs'])).toHaveLength(1);
  });

  it('may be by a late request only if it has gone again, and nothing outside was done twice', () => {
    expect(problems('deputy', ['PATCH /lamps/l?fieldManager=cutover&force=true'])).toEqual([]);
    const stays = { writes: { 'Lamp l': { created: 2, changed: 0, deleted: 0 } } };
    expect(problems('deputy', ['POST /lamps'], stays)).toEqual(['2 of Lamp l are left instead of 1']);
    expect(problems('deputy', ['POST /lamps'], { effects: { 'call-1': 1 } })).toHaveLength(1);
  });
});
