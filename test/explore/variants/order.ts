import { acting, deleting, isReadySeen, other, statusIn, suspending, type Variant, writing } from './variant.ts';

/** Things done in the wrong order, or to the wrong side. */
export const orderVariants: readonly Variant[] = [
  {
    name: 'deletion before traffic',
    bug: 'The old side is deleted first, then the Ingress is led to the new one.',
    seenIn: 'Java operator 1.15: once the new side is ready, the old one is deleted, then the Ingress updated',
    breaks: 'traffic to the ready',
    scenario: { edits: ['image'], budget: { edits: 1 } },
    of: (decide) => (view) => {
      const decision = decide(view);
      const transition = statusIn(decision)?.transition;
      const old = transition?.phase === 'switching' && transition.from ? view.sides[transition.from] : undefined;
      return old
        ? acting(decision, ([status, ...rest]) => [...(status ? [status] : []), deleting(old), ...rest])
        : decision;
    },
  },
  {
    name: 'deletion before traffic, without an Ingress',
    bug: 'The same where external routing follows the status.',
    seenIn: 'Java operator 1.15',
    breaks: 'serves until succeeded',
    scenario: { edits: ['image'], budget: { edits: 1 }, ingress: false },
    of: (decide) => (view) => {
      const transition = view.resource.status?.transition;
      const old = transition?.from ? view.sides[transition.from] : undefined;
      const decision = decide(view);
      if (!old || old.terminating || statusIn(decision)?.transition?.phase !== 'switching') return decision;
      return { ...decision, actions: [deleting(old)] };
    },
  },
  {
    name: 'traffic before readiness',
    bug: 'The Ingress is led to the new side as soon as it exists.',
    seenIn: 'a natural mistake: “the target was created” taken for “the target runs”',
    breaks: 'traffic to the ready',
    scenario: { edits: ['image'], budget: { edits: 1 } },
    of: (decide) => (view) => {
      const { transition } = view.resource.status ?? {};
      const decision = decide(view);
      if (transition?.phase !== 'starting' || !transition.from || !view.sides[transition.to]) return decision;
      const [from, to] = [transition.from, transition.to].map((color) => `app-${color.toLowerCase()}-rest`);
      return acting(decision, (actions) =>
        actions.map((action) =>
          action.do === 'apply' ? JSON.parse(JSON.stringify(action).replaceAll(from ?? '', to ?? '')) : action,
        ),
      );
    },
  },
  {
    name: 'abort after the deletion',
    bug: 'The new side is given up in favour of an old one whose deletion was accepted already.',
    seenIn: 'FLINK-40092 (PR #1154; PR #1161 is open on the rest of it)',
    breaks: 'abort spares the server',
    scenario: { edits: ['image'], budget: { edits: 1, failures: 1 } },
    of: (decide) => (view) => {
      const { transition } = view.resource.status ?? {};
      const decision = decide(view);
      const target = transition && view.sides[transition.to];
      const old = transition?.from && view.sides[transition.from];
      if (!transition?.retire || !target || isReadySeen(target) || (old && !old.terminating)) return decision;
      const { id, from = 'BLUE', to, spec = '' } = transition;
      const aborted = writing(view, decision, ({ transition: _, ...status }) => ({
        ...status,
        blueGreenState: `ACTIVE_${from}`,
        aborted: { id, at: '', color: to, spec, reason: 'not ready' },
      }));
      return acting(aborted, (actions) => [...actions.slice(0, 1), suspending(target)]);
    },
  },
  {
    name: 'abort of the serving side',
    bug: 'An abort suspends the side that serves instead of the one that failed.',
    seenIn: 'Java operator 1.15: a left-over side makes it take the one for the other',
    breaks: 'abort spares the server',
    scenario: { edits: ['image'], budget: { edits: 1, failures: 1 } },
    of: (decide) => (view) => {
      const decision = decide(view);
      const aborted = statusIn(decision)?.aborted;
      const serving = aborted && !view.resource.status?.aborted ? view.sides[other(aborted.color)] : undefined;
      return serving ? acting(decision, (actions) => [...actions.slice(0, 1), suspending(serving)]) : decision;
    },
  },
  {
    name: 'abort of an in-place patch',
    bug: 'A change in place arms the grace period of a transition, and the only side is suspended when it ends.',
    seenIn: 'Java operator 1.15: PATCH_CHILD, SUSPEND and RESUME go through TRANSITIONING_TO_x',
    breaks: 'serves until succeeded',
    scenario: { edits: ['small change'], budget: { edits: 1, failures: 1, slow: 1 } },
    of: (decide) => (view) => {
      const decision = decide(view);
      const { transition, serving, abortTimestamp = '' } = view.resource.status ?? {};
      const side = serving && view.sides[serving.color];
      if (transition || !side) return decision;
      const armedUntil = Date.parse(abortTimestamp);
      const armed = armedUntil > 0 && !isReadySeen(side);
      if (armed && view.now >= armedUntil) {
        return { ...decision, actions: [suspending(side)] };
      }
      const patched = decision.actions.some((action) => action.do === 'patch' && action.of.uid === side.ref.uid);
      if (!patched && !(armedUntil > 0)) return decision;
      const until = patched ? view.now + 600_000 : armedUntil;
      const text = new Date(until).toISOString();
      const marked = writing(view, decision, (status) => ({ ...status, abortTimestamp: text }));
      return until > view.now ? { ...marked, wakeAt: until } : marked;
    },
  },
];
