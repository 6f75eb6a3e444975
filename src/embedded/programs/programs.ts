import type { Program } from './program.ts';
import { pause, service } from './service.ts';
import { shellProgram } from './shell-program.ts';
import { webServer } from './web-server.ts';

/** Every program there is, the most particular first; the last one runs anything. A new program is a new row. */
export const programs: readonly Program[] = [pause, shellProgram, webServer, service];

/** The program that an image with this command means. */
export function programFor(table: readonly Program[], image: string, argv: readonly string[]): Program {
  return table.find((program) => program.runs(image, argv)) ?? service;
}
