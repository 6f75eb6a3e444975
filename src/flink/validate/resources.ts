import type { FlinkConfig } from '../config/flink-config.ts';
import { parsePodMemory } from '../config/memory-size.ts';
import { quantityAmount } from '../manifests/quantity.ts';
import type { JobManagerSpec, TaskManagerSpec } from '../resources/processes.ts';
import { type Finding, type Rule, shown } from './rule.ts';
import type { DeploymentSubject } from './subject.ts';

type Process = 'jobManager' | 'taskManager';

const titles = { jobManager: 'JobManager', taskManager: 'TaskManager' } as const;

/** Keys of which any set, given completely, tells Flink how much memory a process has. */
const memoryKeys: Readonly<Record<Process, readonly (readonly string[])[]>> = {
  jobManager: [
    ['jobmanager.memory.process.size'],
    ['jobmanager.memory.flink.size'],
    ['jobmanager.memory.heap.size'],
    ['jobmanager.heap.size'],
  ],
  taskManager: [
    ['taskmanager.memory.process.size'],
    ['taskmanager.memory.flink.size'],
    ['taskmanager.memory.task.heap.size', 'taskmanager.memory.managed.size'],
    ['taskmanager.heap.size'],
  ],
};

/** What a pod of one process gets. */
export function resourceRules(process: Process): readonly Rule<DeploymentSubject>[] {
  const title = titles[process];
  const at = `spec.${process}`;
  const name = title.toLowerCase();
  return [
    {
      rule: `${name}-memory`,
      field: `${at}.resource.memory`,
      says: `The memory of the ${title} is given: in resource, in resources, or in the configuration of Flink.`,
      check: ({ spec, config }) =>
        hasMemory(spec[process], process, config)
          ? undefined
          : `${title} resource memory must be defined using \`${at}.resource.memory\`: it is ${shown(spec[process]?.resource?.memory)}. Write how much a pod gets, such as 2g or 2Gi; ${at}.resources.requests.memory or ${memoryKeys[process][0]?.[0]} in spec.flinkConfiguration will do as well.`,
    },
    amountRule({
      rule: `${name}-memory-size`,
      field: `${at}.resource.memory`,
      title,
      what: 'memory',
      read: (spec) => spec[process]?.resource?.memory,
    }),
    amountRule({
      rule: `${name}-ephemeral-storage`,
      field: `${at}.resource.ephemeralStorage`,
      title,
      what: 'ephemeral storage',
      read: (spec) => spec[process]?.resource?.ephemeralStorage,
    }),
    {
      rule: `${name}-cpu`,
      field: `${at}.resource.cpu`,
      says: `The CPU of the ${title} is more than 0.`,
      check({ spec }) {
        const cpu = spec[process]?.resource?.cpu;
        return cpu === undefined || cpu > 0
          ? undefined
          : `${title} resource cpu must be larger than 0: ${at}.resource.cpu is ${cpu}. Write cores, such as 1 or 0.5, or leave it out.`;
      },
    },
    {
      rule: `${name}-resources`,
      field: `${at}.resources`,
      says: `Amounts in resources of the ${title} are Kubernetes' own; CPU and memory are more than 0, and no request is more than its limit.`,
      check: ({ spec }) => requirementFindings(spec[process]?.resources, title, `${at}.resources`),
    },
  ];
}

function hasMemory(process: JobManagerSpec | TaskManagerSpec | undefined, name: Process, config: FlinkConfig): boolean {
  const { resource, resources } = process ?? {};
  if (resource?.memory?.trim()) return true;
  if (resources?.requests?.memory !== undefined || resources?.limits?.memory !== undefined) return true;
  return memoryKeys[name].some((keys) => keys.every((key) => config.has(key)));
}

interface AmountRule {
  readonly rule: string;
  readonly field: string;
  readonly title: string;
  readonly what: string;
  readonly read: (spec: DeploymentSubject['spec']) => string | undefined;
}

function amountRule({ rule, field, title, what, read }: AmountRule): Rule<DeploymentSubject> {
  return {
    rule,
    field,
    says: `The ${what} of the ${title} is an amount of bytes, in the notation of Flink or of Kubernetes.`,
    check({ spec }) {
      const text = read(spec);
      if (!text?.trim()) return undefined;
      const bytes = parsePodMemory(text);
      if (bytes !== undefined && bytes > 0) return undefined;
      const why = bytes === undefined ? 'it is not an amount of bytes' : 'it is nothing at all';
      return `${title} resource ${what} parse error: ${field} is ${shown(text)}, and ${why}. Write a number and a unit: 2048m, 2g (Flink) or 2Gi (Kubernetes).`;
    },
  };
}

type Requirements = NonNullable<JobManagerSpec['resources']>;

function requirementFindings(resources: Requirements | undefined, title: string, at: string): readonly Finding[] {
  const { requests = {}, limits = {} } = resources ?? {};
  const amounts = [
    ...Object.entries(requests).map((entry) => ['requests', ...entry] as const),
    ...Object.entries(limits).map((entry) => ['limits', ...entry] as const),
  ].map(([part, name, value]) => ({
    part,
    name,
    value,
    field: `${at}.${part}.${name}`,
    amount: quantityAmount(value),
  }));
  const wrong = amounts.flatMap(({ field, name, value, amount }) => {
    const needed = name === 'cpu' || name === 'memory';
    if (amount !== undefined && (needed ? amount > 0 : amount >= 0)) return [];
    const why =
      amount === undefined ? 'is not a quantity of Kubernetes' : `must be ${needed ? 'more than 0' : '0 or more'}`;
    return [
      {
        field,
        message: `${title} resources ${name} ${why}: ${field} is ${shown(value)}. Write an amount such as ${name === 'cpu' ? '500m or 2' : '2Gi'}.`,
      },
    ];
  });
  const crossed = amounts.flatMap(({ part, field, name, value, amount }) => {
    const limit = part === 'requests' && Object.hasOwn(limits, name) ? limits[name] : undefined;
    const most = limit === undefined ? undefined : quantityAmount(limit);
    if (amount === undefined || most === undefined || amount <= most) return [];
    return [
      {
        field,
        message: `${title} resources ${name} request must not be more than its limit: ${field} is ${shown(value)}, and the limit is ${shown(limit)}. Lower the request or raise ${at}.limits.${name}.`,
      },
    ];
  });
  return [...wrong, ...crossed];
}
