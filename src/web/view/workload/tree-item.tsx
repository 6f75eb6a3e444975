import type { JSX } from 'preact';
import type { PodPortrait, TreeNode } from '../../../portrait/portrait.ts';
import { harmless } from '../../../portrait/text/harmless.ts';
import { Icon } from '../parts/icon.tsx';
import { PhaseBadge } from '../parts/phase-badge.tsx';
import { Ago } from '../parts/when.tsx';
import { Words } from '../parts/words.tsx';

export interface TreeItemProps {
  readonly node: TreeNode;
  readonly pods: ReadonlyMap<string, PodPortrait>;
  readonly onLogs: (pod: PodPortrait) => void;
}

export function TreeItem({ node, pods, onLogs }: TreeItemProps): JSX.Element {
  const pod = node.kind === 'Pod' ? pods.get(node.name) : undefined;
  return (
    <li>
      <div class="tree-row">
        <span class="wrap">
          <span class="quiet small">{harmless(node.kind)}</span> <Words text={node.name} />
          {pod?.side !== undefined && (
            <>
              {' '}
              <span class="tag">{harmless(pod.side)}</span>
            </>
          )}
        </span>
        <PhaseBadge phase={node.phase} text={harmless(node.status)} />
        {node.info !== undefined && (
          <span class="quiet small wrap">
            <Words text={node.info} />
          </span>
        )}
        {pod !== undefined && pod.restarts > 0 && <span class="tag">{`restarts: ${pod.restarts}`}</span>}
        <span class="right tree-end">
          <span class="quiet small">
            <Ago at={node.createdAt ?? pod?.createdAt} />
          </span>
          {pod && pod.containers.length > 0 && (
            <button
              type="button"
              class="button tiny"
              aria-label={`Logs of ${harmless(pod.name)}`}
              onClick={() => onLogs(pod)}
            >
              <Icon name="lines" /> Logs
            </button>
          )}
        </span>
      </div>
      {pod && pod.reasons.length > 0 && (
        <ul class="reasons">
          {pod.reasons.map(({ when, sentence, at }, index) => (
            <li key={index} class={when}>
              {when === 'will' ? 'to come: ' : ''}
              <Words text={sentence} prose />
              {at !== undefined && (
                <>
                  {' · '}
                  <Ago at={at} after=" ago" />
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {node.children.length > 0 && (
        <ul class="branches">
          {node.children.map((child) => (
            <TreeItem key={`${child.kind}/${child.name}`} node={child} pods={pods} onLogs={onLogs} />
          ))}
        </ul>
      )}
    </li>
  );
}
