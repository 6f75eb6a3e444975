import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { PodPortrait, TreeNode } from '../../../portrait/portrait.ts';
import { Card } from '../parts/card.tsx';
import { LogsDialog } from './logs-dialog.tsx';
import { podsIn } from './pods-in.ts';
import { TreeItem } from './tree-item.tsx';

export interface ObjectsCardProps {
  readonly id: string;
  readonly tree: TreeNode;
  readonly pods: readonly PodPortrait[];
}

/** The object and all that it made, down to pods, each with why it was or will be restarted. */
export function ObjectsCard({ id, tree, pods }: ObjectsCardProps): JSX.Element {
  const [open, setOpen] = useState<PodPortrait | undefined>(undefined);
  const byName = new Map(pods.map((pod) => [pod.name, pod]));
  const drawn = podsIn(tree);
  const loose = pods.filter((pod) => !drawn.has(pod.name));
  const ready = pods.filter((pod) => pod.ready).length;
  const aside = pods.length > 0 && <span class="quiet small">{`${ready} of ${pods.length} pods ready`}</span>;
  return (
    <Card title="Objects and pods" aside={aside}>
      <ul>
        <TreeItem node={tree} pods={byName} onLogs={setOpen} />
        {loose.map((pod) => (
          <TreeItem
            key={pod.name}
            node={{ kind: 'Pod', name: pod.name, phase: pod.phase, status: pod.status, children: [] }}
            pods={byName}
            onLogs={setOpen}
          />
        ))}
      </ul>
      {open && <LogsDialog id={id} pod={open} onClose={() => setOpen(undefined)} />}
    </Card>
  );
}
