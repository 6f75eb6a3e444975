import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Dashboard } from '../model/dashboard.ts';

export const Desk = createContext<Dashboard | undefined>(undefined);

/** The dashboard that a component is part of. */
export function useDesk(): Dashboard {
  const desk = useContext(Desk);
  if (!desk) throw new Error('a component of the dashboard is used outside of it');
  return desk;
}
