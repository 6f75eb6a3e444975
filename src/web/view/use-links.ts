import { useEffect } from 'preact/hooks';
import type { Dashboard } from '../model/dashboard.ts';
import { routeOf } from '../model/route.ts';

/** Lets plain clicks on links of the dashboard change the place without loading the page. All others are the browser's. */
export function useLinks(desk: Dashboard): void {
  useEffect(() => {
    const onClick = (event: MouseEvent): void => {
      if (
        event.defaultPrevented ||
        event.button !== 0 ||
        event.metaKey ||
        event.ctrlKey ||
        event.shiftKey ||
        event.altKey
      )
        return;
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (link?.target !== '' || link.origin !== location.origin) return;
      if (link.getAttribute('href')?.startsWith('#')) return;
      event.preventDefault();
      desk.go(routeOf(link.pathname, link.search));
      scrollTo(0, 0);
    };
    document.addEventListener('click', onClick);
    return () => document.removeEventListener('click', onClick);
  }, [desk]);
}
