import type { Printer } from '../resource.ts';
import { autoscalerPrinter } from './printers/autoscaler.ts';
import { clusterPrinters } from './printers/cluster.ts';
import { networkPrinters } from './printers/network.ts';
import { podPrinter } from './printers/pod.ts';
import { storagePrinters } from './printers/storage.ts';
import { workloadPrinters } from './printers/workloads.ts';

const printers: Readonly<Record<string, Printer>> = {
  '/Pod': podPrinter,
  'autoscaling/HorizontalPodAutoscaler': autoscalerPrinter,
  ...workloadPrinters,
  ...clusterPrinters,
  ...networkPrinters,
  ...storagePrinters,
};

/** How a built-in kind is shown; `undefined` for kinds that the real server shows by name and creation time only. */
export function printerOf(group: string, kind: string): Printer | undefined {
  const key = `${group}/${kind}`;
  return Object.hasOwn(printers, key) ? printers[key] : undefined;
}
