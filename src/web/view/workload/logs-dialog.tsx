import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PodPortrait } from '../../../portrait/portrait.ts';
import { harmless, harmlessText } from '../../../portrait/text/harmless.ts';
import { appended, emptyTail } from '../../model/log-tail.ts';
import { useDesk } from '../desk.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Modal } from '../parts/modal.tsx';

export interface LogsDialogProps {
  readonly id: string;
  readonly pod: PodPortrait;
  readonly onClose: () => void;
}

/** The end of a pod's log as it is written. Scrolled up, it stays where it is; at the end, it follows. */
export function LogsDialog({ id, pod, onClose }: LogsDialogProps): JSX.Element {
  const { api } = useDesk();
  const [container, setContainer] = useState(pod.containers[0] ?? '');
  const [tail, setTail] = useState(emptyTail);
  const [state, setState] = useState('following');
  const pre = useRef<HTMLPreElement>(null);
  const follow = useRef(true);
  useEffect(() => {
    const left = new AbortController();
    let so = emptyTail;
    setTail(so);
    setState('following');
    const onText = (text: string): void => {
      so = appended(so, text);
      setTail(so);
    };
    api.logs({ id, pod: pod.name, container }, left.signal, onText).then(
      () => setState('the log has ended'),
      (error: unknown) => {
        if (!left.signal.aborted) setState(error instanceof Error ? error.message : String(error));
      },
    );
    return () => left.abort();
  }, [id, pod.name, container]);
  useEffect(() => {
    if (pre.current && follow.current) pre.current.scrollTop = pre.current.scrollHeight;
  }, [tail]);
  const text = harmlessText([...tail.lines, tail.rest].join('\n'));
  return (
    <Modal title={`Logs of ${harmless(pod.name)}`} class="logs" onClose={onClose}>
      <form method="dialog">
        <div class="logs-bar">
          {pod.containers.length > 1 && (
            <select
              aria-label="Container"
              value={container}
              onChange={(event) => setContainer(event.currentTarget.value)}
            >
              {pod.containers.map((name) => (
                <option key={name} value={name}>
                  {harmless(name)}
                </option>
              ))}
            </select>
          )}
          <span class="quiet small" role="status">
            {harmless(state)}
            {tail.dropped > 0 && ` · the last ${tail.lines.length} lines, ${tail.dropped} older ones are not shown`}
          </span>
          <span class="right">
            <CopyButton text={text} what="the log" />
          </span>
        </div>
        <pre
          ref={pre}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          onScroll={({ currentTarget: box }) => {
            follow.current = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
          }}
        >
          {text === '' ? 'Nothing has been written yet.' : text}
        </pre>
        <div class="actions">
          <button type="submit" class="button">
            Close
          </button>
        </div>
      </form>
    </Modal>
  );
}
