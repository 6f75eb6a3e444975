import type { JSX } from 'preact';
import { harmless } from '../../portrait/text/harmless.ts';
import { useDesk } from './desk.ts';
import { LinkState } from './link-state.tsx';
import { Brand } from './parts/brand.tsx';
import { Icon } from './parts/icon.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

export function TopBar({ onHelp }: { readonly onHelp: () => void }): JSX.Element {
  const desk = useDesk();
  const { value: session } = desk.session;
  return (
    <header class="top">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <a class="brand" href="/">
        <Brand />
        Cutover
      </a>
      <LinkState />
      <span class="room" />
      {typeof session === 'object' && (
        <>
          {session.readOnly && <span class="tag">read-only</span>}
          <span class="who quiet small" title={harmless(session.user)}>
            {harmless(session.user)}
          </span>
        </>
      )}
      <button type="button" class="button plain tiny" onClick={onHelp} aria-label="Keys" title="Keys (?)">
        <Icon name="question" />
      </button>
      <ThemeToggle />
      <button
        type="button"
        class="button plain tiny"
        onClick={() => desk.logout()}
        aria-label="Log out"
        title="Log out"
      >
        <Icon name="leave" />
      </button>
    </header>
  );
}
