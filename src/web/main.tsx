import { render } from 'preact';
import { api } from './model/api.ts';
import { dashboard } from './model/dashboard.ts';
import { App } from './view/app.tsx';
import { applyTheme, storedTheme } from './view/theme-toggle.tsx';

/** The dashboard begins here: the only place that takes clock, network and window from the browser. */
const place = document.getElementById('app');
if (place) {
  applyTheme(storedTheme(), document.documentElement);
  const now = (): number => Date.now();
  const desk = dashboard({ api: api(fetch.bind(window), now), open: (url) => new EventSource(url), now, window });
  render(<App desk={desk} />, place);
  desk.start();
}
