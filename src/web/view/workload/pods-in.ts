import type { TreeNode } from '../../../portrait/portrait.ts';

/** The names of the pods that a tree shows. Without recursion: how deep it is, others decide. */
export function podsIn(tree: TreeNode): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [tree];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.kind === 'Pod') found.add(node.name);
    open.push(...node.children);
  }
  return found;
}
