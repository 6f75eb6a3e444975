import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Dashboard } from '../model/dashboard.ts';
import { Desk } from './desk.ts';
import { FleetScreen } from './fleet/fleet-screen.tsx';
import { GraphScreen } from './graph/graph-screen.tsx';
import { HelpDialog } from './help-dialog.tsx';
import { LoginScreen } from './login-screen.tsx';
import { NowhereScreen } from './nowhere-screen.tsx';
import { Toasts } from './parts/toasts.tsx';
import { TopBar } from './top-bar.tsx';
import { useKeys } from './use-keys.ts';
import { useLinks } from './use-links.ts';
import { WorkloadScreen } from './workload/workload-screen.tsx';

export function App({ desk }: { readonly desk: Dashboard }): JSX.Element {
  const [help, setHelp] = useState(false);
  useLinks(desk);
  useKeys(desk, () => setHelp(true));
  const { value: session } = desk.session;
  return (
    <Desk value={desk}>
      {session === 'none' ? (
        <LoginScreen />
      ) : (
        <>
          <TopBar onHelp={() => setHelp(true)} />
          <main id="main" class="page">
            {session === 'unknown' ? <Asking desk={desk} /> : <Screen desk={desk} />}
          </main>
        </>
      )}
      {help && <HelpDialog onClose={() => setHelp(false)} />}
      <Toasts />
    </Desk>
  );
}

function Asking({ desk }: { readonly desk: Dashboard }): JSX.Element {
  const lost = desk.link.value === 'reconnecting';
  return <p class="empty">{lost ? 'The server cannot be reached. Trying again…' : 'Opening…'}</p>;
}

function Screen({ desk }: { readonly desk: Dashboard }): JSX.Element {
  const { value: route } = desk.route;
  switch (route.at) {
    case 'fleet':
      return <FleetScreen />;
    case 'workload':
      return <WorkloadScreen key={route.id} id={route.id} />;
    case 'graph':
      return <GraphScreen key={route.id} id={route.id} />;
    case 'login':
      return <FleetScreen />;
    case 'nowhere':
      return <NowhereScreen path={route.path} />;
  }
}
