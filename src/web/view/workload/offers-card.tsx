import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Offer } from '../../../portrait/wire.ts';
import { useDesk } from '../desk.ts';
import { Card } from '../parts/card.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { OfferLine } from './offer-line.tsx';

export interface OffersCardProps {
  readonly id: string;
  readonly name: string;
  readonly offers: readonly Offer[];
}

/** What can be done now, and why the rest cannot. What puts state or availability at stake is asked about first. */
export function OffersCard({ id, name, offers }: OffersCardProps): JSX.Element {
  const desk = useDesk();
  const [busy, setBusy] = useState<string | undefined>(undefined);
  const [asked, setAsked] = useState<Offer | undefined>(undefined);
  const { value: session } = desk.session;
  const act = async ({ verb }: Offer): Promise<void> => {
    if (typeof session !== 'object') return;
    setBusy(verb);
    try {
      desk.toast((await desk.api.act(id, verb, session.csrf)).said, true);
    } catch (error) {
      desk.toast(error instanceof Error ? error.message : String(error), false);
    } finally {
      setBusy(undefined);
    }
  };
  const possible = offers.filter((offer) => offer.whyNot === undefined);
  const impossible = offers.filter((offer) => offer.whyNot !== undefined);
  const readOnly = typeof session === 'object' && session.readOnly;
  return (
    <Card title="What you can do" class="second" aside={readOnly && <span class="tag">read-only</span>}>
      {possible.length === 0 && (
        <p class="quiet">
          {readOnly ? 'This dashboard is read-only; use the commands in a terminal.' : 'Nothing, as it is now.'}
        </p>
      )}
      <div class="offers">
        {[...possible, ...impossible].map((offer) => (
          <OfferLine
            key={offer.verb}
            offer={offer}
            busy={busy}
            onPress={() => (offer.stake ? setAsked(offer) : act(offer))}
          />
        ))}
      </div>
      {asked && (
        <ConfirmDialog name={name} offer={asked} onYes={() => act(asked)} onClose={() => setAsked(undefined)} />
      )}
    </Card>
  );
}
