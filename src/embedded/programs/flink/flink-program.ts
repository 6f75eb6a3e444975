import type { Program } from '../program.ts';
import { readConfiguration } from './configuration.ts';
import { entryOf } from './entry.ts';
import type { FlinkWorld } from './flink-world.ts';
import { JobManager } from './job-manager.ts';
import { logLine } from './log-line.ts';
import { TaskManager } from './task-manager.ts';

/** Flink's JobManager or TaskManager, whichever the command line says, native or standalone. */
export function flinkProgram(world: FlinkWorld): Program {
  return {
    name: 'flink',
    runs: (_, argv) => entryOf(argv) !== undefined,
    start(here) {
      const entry = entryOf(here.argv);
      try {
        if (!entry) throw new Error(`${here.argv.join(' ')}: not a command of a Flink image`);
        const configuration = readConfiguration(here.files, here.container.image ?? '').with(entry.properties);
        const process =
          entry.role === 'taskmanager'
            ? new TaskManager(here, world, configuration)
            : new JobManager(here, world, entry, configuration);
        process.boot();
        return process;
      } catch (error) {
        // What keeps the real process from starting, too: no configuration, or one that cannot be.
        here.print(logLine(here.clock.now(), 'ERROR', error instanceof Error ? error.message : String(error)));
        here.exit(1);
        return { stop: () => {}, kill: () => {} };
      }
    },
  };
}
