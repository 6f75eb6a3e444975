import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useDesk } from './desk.ts';
import { Brand } from './parts/brand.tsx';
import { Command } from './parts/command.tsx';
import { Icon } from './parts/icon.tsx';
import { Words } from './parts/words.tsx';

/** The person's own Kubernetes token is all that is asked for; it goes to the server once and is not kept here. */
export function LoginScreen(): JSX.Element {
  const desk = useDesk();
  const [token, setToken] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(desk.problem.value);
  const login = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      desk.entered(await desk.api.login(token.trim()));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };
  return (
    <main class="login" id="main">
      <form class="card" onSubmit={login}>
        <span class="brand">
          <Brand />
          Cutover
        </span>
        <h1>Log in with your Kubernetes token</h1>
        <p class="quiet">You see and do here what Kubernetes lets you see and do, nothing more.</p>
        {problem !== undefined && (
          <div class="callout tone-bad" role="alert">
            <Icon name="alert" />
            <div>
              <Words text={problem} />
            </div>
          </div>
        )}
        <label>
          Token
          <textarea
            rows={4}
            required
            name="token"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }}
          />
        </label>
        <button type="submit" class="button main" disabled={busy || token.trim() === ''}>
          {busy ? 'Logging in…' : 'Log in'}
        </button>
        <div class="small">
          <p class="quiet">For the token of a service account, with a life of one hour:</p>
          <Command text="kubectl create token NAME --namespace NAMESPACE --duration 1h" />
        </div>
      </form>
    </main>
  );
}
