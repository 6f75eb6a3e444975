import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Icon, type IconName } from './parts/icon.tsx';

const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const icons: Readonly<Record<Theme, IconName>> = { system: 'screen', light: 'sun', dark: 'moon' };

/** What somebody chose on this browser; the system's choice when they did not, or when the browser keeps nothing. */
export function storedTheme(): Theme {
  try {
    const found = localStorage.getItem('cutover-theme');
    return themes.find((theme) => theme === found) ?? 'system';
  } catch {
    return 'system';
  }
}

export function applyTheme(theme: Theme, root: HTMLElement): void {
  if (theme === 'system') root.removeAttribute('data-theme');
  else root.setAttribute('data-theme', theme);
}

export function ThemeToggle(): JSX.Element {
  const [theme, setTheme] = useState(storedTheme);
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
  const change = (): void => {
    setTheme(next);
    applyTheme(next, document.documentElement);
    try {
      localStorage.setItem('cutover-theme', next);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
  };
  return (
    <button
      type="button"
      class="button plain tiny"
      onClick={change}
      aria-label={`Colours: ${theme}. Change to ${next}`}
      title={`Colours: ${theme}`}
    >
      <Icon name={icons[theme]} />
    </button>
  );
}
