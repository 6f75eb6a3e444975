import type { PodPortrait, TreeNode } from '../../../portrait/portrait.ts';
import { ageSince } from '../../../portrait/text/age.ts';
import { type Cell, grid } from './grid.ts';
import type { Line } from './line.ts';
import { phaseMark } from './marks.ts';

/** Below this many lines a tree is shown in full; what is more is counted. */
const most = 200;

/** The object and all that it made, down to pods with the newest reason of each. */
export function treeLines(
  root: TreeNode,
  { pods, now }: { readonly pods: readonly PodPortrait[]; readonly now: number },
): readonly Line[] {
  const reasons = new Map(pods.map((pod) => [pod.name, reasonOf(pod)]));
  const rows: (readonly Cell[])[] = [];
  let left = 0;
  const add = (node: TreeNode, before: string, below: string): void => {
    if (rows.length >= most) left++;
    else rows.push(rowOf(node, before));
    node.children.forEach((child, index) => {
      const last = index === node.children.length - 1;
      add(child, `${below}${last ? '└─ ' : '├─ '}`, `${below}${last ? '   ' : '│  '}`);
    });
  };
  const rowOf = (node: TreeNode, before: string): readonly Cell[] => {
    const reason = node.kind === 'Pod' ? (reasons.get(node.name) ?? '') : '';
    const info = [node.info ?? '', reason].filter((text) => text !== '').join('; ');
    return [
      `${before}${node.name}`,
      node.kind,
      phaseMark(node.phase, node.status),
      ageSince(node.createdAt, now),
      info,
    ];
  };
  add(root, '', '');
  const lines = grid(rows, ['NAME', 'KIND', 'STATUS', 'AGE', 'INFO']);
  return left === 0 ? lines : [...lines, [{ text: `… and ${left} more`, tone: 'faint' }]];
}

/** What is going to happen to a pod matters more than what has. */
function reasonOf({ reasons, restarts }: PodPortrait): string {
  const reason = reasons.find(({ when }) => when === 'will') ?? reasons[0];
  const crashed = restarts > 0 ? `restarted ${restarts}×` : '';
  return [crashed, reason?.sentence ?? ''].filter((text) => text !== '').join('; ');
}
