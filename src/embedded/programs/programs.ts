import { flinkProgram } from './flink/flink-program.ts';
import type { FlinkWorld } from './flink/flink-world.ts';
import type { Program } from './program.ts';
import { pause, service } from './service.ts';
import { shellProgram } from './shell-program.ts';
import { webApp } from './web-app.ts';
import { webServer } from './web-server.ts';

/**
 * Every program there is, the most particular first; the last one runs anything. A new program is a new row. What
 * programs of one cluster share beyond their pods is handed to them here, not kept in modules.
 */
export function builtInPrograms(flink: FlinkWorld): readonly Program[] {
  return [flinkProgram(flink), pause, shellProgram, webApp, webServer, service];
}

/** The program that an image with this command means. */
export function programFor(table: readonly Program[], image: string, argv: readonly string[]): Program {
  return table.find((program) => program.runs(image, argv)) ?? service;
}
