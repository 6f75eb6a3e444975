import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Graph } from '../../../portrait/graph.ts';
import { harmless } from '../../../portrait/text/harmless.ts';
import { reach } from '../../layout/reach.ts';
import { pathOf } from '../../model/route.ts';
import { useDesk } from '../desk.ts';
import { Icon } from '../parts/icon.tsx';
import { Words } from '../parts/words.tsx';
import { GraphDrawing } from './graph-drawing.tsx';
import { GraphList } from './graph-list.tsx';

/** What depends on what in a package: choose something to see what a change of it reaches. */
export function GraphScreen({ id }: { readonly id: string }): JSX.Element {
  const { api } = useDesk();
  const [graph, setGraph] = useState<Graph | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const [withPlans, setWithPlans] = useState(false);
  const name = harmless(id.split('/').at(-1) ?? id);
  useEffect(() => {
    document.title = `${name}: what depends on what · Cutover`;
    api.graph(id).then(setGraph, (error: Error) => setProblem(error.message));
  }, [id]);
  const marked = graph && chosen !== undefined ? reach(graph, chosen) : undefined;
  const node = graph?.nodes.find((one) => one.id === chosen);
  return (
    <article>
      <nav class="crumbs" aria-label="Where you are">
        <a href="/">Fleet</a>
        <span aria-hidden="true">›</span>
        <a href={pathOf({ at: 'workload', id })}>{name}</a>
      </nav>
      <h1 tabIndex={-1}>What depends on what in {name}</h1>
      {problem !== undefined && (
        <div class="callout tone-bad">
          <Icon name="alert" />
          <div>
            <Words text={problem} />
          </div>
        </div>
      )}
      {!graph && problem === undefined && <p class="empty">Working it out…</p>}
      {graph && (
        <div class="stack graph-stack">
          {graph.incomplete && (
            <div class="callout tone-ask">
              <Icon name="alert" />
              <div>Not all of it could be looked at: something may depend on more than is shown.</div>
            </div>
          )}
          {graph.nodes.length === 0 ? (
            <p class="card empty">Nothing is known: its package cannot be looked up, or has nothing in it.</p>
          ) : (
            <>
              <div class="graph-bar">
                <p role="status">
                  {node && marked ? (
                    <>
                      <strong>{harmless(node.label)}</strong>
                      {`: a change of it reaches ${marked.down.size}, and it depends on ${marked.up.size}. `}
                      {node.note !== undefined && <Words text={node.note} />}{' '}
                      <button type="button" class="textual" onClick={() => setChosen(undefined)}>
                        show all alike
                      </button>
                    </>
                  ) : (
                    <span class="quiet">Choose something to see what a change of it reaches.</span>
                  )}
                </p>
                <label>
                  <input
                    type="checkbox"
                    checked={withPlans}
                    onChange={(event) => setWithPlans(event.currentTarget.checked)}
                  />{' '}
                  with plans and tasks
                </label>
              </div>
              <GraphDrawing graph={graph} withPlans={withPlans} chosen={chosen} reach={marked} onChoose={setChosen} />
              <GraphList graph={graph} />
            </>
          )}
        </div>
      )}
    </article>
  );
}
