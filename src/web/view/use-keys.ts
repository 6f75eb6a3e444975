import { useEffect } from 'preact/hooks';
import type { Dashboard } from '../model/dashboard.ts';
import { type Shortcut, shortcutOf } from '../model/shortcut.ts';

/** The keyboard. Going through the fleet moves the browser's own focus, so Enter and screen readers work by themselves. */
export function useKeys(desk: Dashboard, onHelp: () => void): void {
  useEffect(() => {
    let before: { readonly key: string; readonly at: number } | undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (document.querySelector('dialog[open]') || event.defaultPrevented || typeof desk.session.value === 'string')
        return;
      const { target } = event;
      const typing = target instanceof Element && target.closest('input, textarea, select') !== null;
      const held = event.ctrlKey || event.metaKey || event.altKey;
      const recent = before && event.timeStamp - before.at < 1000 ? before.key : undefined;
      before = { key: event.key, at: event.timeStamp };
      const shortcut = shortcutOf({ key: event.key, before: recent, typing, held });
      if (shortcut && obey(shortcut, desk, onHelp, typing)) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [desk]);
}

/** Whether it was something to do; otherwise the key keeps its meaning in the browser. */
function obey(shortcut: Shortcut, desk: Dashboard, onHelp: () => void, typing: boolean): boolean {
  const inFleet = desk.route.value.at === 'fleet';
  switch (shortcut) {
    case 'help':
      onHelp();
      return true;
    case 'fleet':
      desk.go({ at: 'fleet', query: '' });
      return true;
    case 'search': {
      const focus = (): void => document.getElementById('search')?.focus();
      // At once where it can be: what is typed next belongs into it, however slow the browser is.
      if (inFleet) focus();
      else {
        desk.go({ at: 'fleet', query: '' });
        requestAnimationFrame(focus);
      }
      return true;
    }
    case 'back':
      if (typing && document.activeElement instanceof HTMLElement) {
        document.activeElement.blur();
        return true;
      }
      if (inFleet) return false;
      desk.up();
      return true;
    case 'down':
    case 'up':
      return inFleet && step(shortcut === 'down' ? 1 : -1);
    case 'open':
      return false;
  }
}

function step(by: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('.fleet a.name')];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 ? rows[0] : rows[at + by];
  next?.focus({ preventScroll: true });
  next?.closest('tr')?.scrollIntoView({ block: 'nearest' });
  return next !== undefined;
}
