import { expect, it } from 'vitest';
import type { TreeNode } from '../../../portrait/portrait.ts';
import { podsIn } from './pods-in.ts';

const node = (kind: string, name: string, ...children: TreeNode[]): TreeNode => ({
  kind,
  name,
  phase: 'healthy',
  status: '',
  children,
});

it('finds pods at any depth, and only pods', () => {
  const deep = node('Deployment', 'd', node('ReplicaSet', 'r', node('Pod', 'p1'), node('Pod', 'p2')));
  expect([...podsIn(node('CFApp', 'a', deep, node('Pod', 'p3')))].sort()).toEqual(['p1', 'p2', 'p3']);
});
