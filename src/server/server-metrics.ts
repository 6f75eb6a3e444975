import { Counter, Gauge, Registry } from 'prom-client';
import { catalogueOf } from '../control/metric-catalogue.ts';
import type { Metrics } from '../control/metrics.ts';

/** What became of a notification. */
export type Delivery =
  /** The receiver took it. */
  | 'sent'
  /** One try did not work; it is tried again unless it is given up. */
  | 'failed'
  /** It was given up, or made room for newer ones. */
  | 'dropped';

/** What the dashboard and its notifications tell about themselves. */
export interface ServerMetrics {
  sessions(count: () => number): void;
  streams(count: () => number): void;
  loggedIn(result: 'ok' | 'refused'): void;
  personActed(verb: string, outcome: 'done' | 'refused'): void;
  notified(event: string, delivery: Delivery): void;
  /** How many notifications wait. */
  waiting(count: () => number): void;
}

/** The operator's metrics with those of the server on the same page. */
export function withServerMetrics(metrics: Metrics): Metrics & ServerMetrics {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string): ((count: () => number) => void) => {
    let read: () => number = () => 0;
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
    return (count) => {
      read = count;
    };
  };
  const logins = new Counter({
    name: 'cutover_dashboard_logins_total',
    help: 'Attempts to log in to the dashboard, by result.',
    labelNames: ['result'],
    registers,
  });
  const actions = new Counter({
    name: 'cutover_dashboard_actions_total',
    help: 'What people did by the dashboard, by verb and outcome.',
    labelNames: ['verb', 'outcome'],
    registers,
  });
  const notifications = new Counter({
    name: 'cutover_notifications_total',
    help: 'Notifications by event class and what became of them: sent, failed (one try), dropped.',
    labelNames: ['event', 'delivery'],
    registers,
  });
  return {
    ...metrics,
    async page() {
      const [{ contentType, text }, own] = await Promise.all([metrics.page(), registry.metrics()]);
      return { contentType, text: `${text.endsWith('\n') ? text : `${text}\n`}${own}` };
    },
    catalogue: () => [...metrics.catalogue(), ...catalogueOf(registry)],
    sessions: gauge('cutover_dashboard_sessions', 'People who are logged in to the dashboard.'),
    streams: gauge('cutover_dashboard_streams', 'Open dashboards that are told of changes.'),
    waiting: gauge('cutover_notifications_waiting', 'Notifications that wait to be sent.'),
    loggedIn: (result) => logins.inc({ result }),
    personActed: (verb, outcome) => actions.inc({ verb, outcome }),
    notified: (event, delivery) => notifications.inc({ event, delivery }),
  };
}
