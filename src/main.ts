import { basename } from 'node:path';
import { complain, fail } from './cli/complaint.ts';
import { nodeTooOld } from './cli/node-too-old.ts';
import { program } from './cli/program.ts';
import { keepCompiledCode } from './main/compile-cache.ts';
import { controllerNames, familyNames } from './main/families.ts';
import { neededNode, version } from './main/version.ts';

/** The composition root: this file and `main/` know everybody. What a command needs is loaded when it runs. */

/** `kubectl kudo` and `kubectl cutover` find programs of these names. */
const name = basename(process.argv[1] ?? '');
const asKudo = name.startsWith('kubectl-kudo');
const called = name.startsWith('kubectl-cutover') ? 'kubectl cutover' : 'cutover';
const kudo = async (words: readonly string[], called: string): Promise<void> =>
  (await import('./main/kudo.ts')).kudo(words, called);

const tooOld = nodeTooOld(process.versions.node, neededNode);
if (tooOld !== undefined) complain(tooOld);
else if (asKudo) await kudo(process.argv.slice(2), 'kubectl kudo').catch(fail);
else
  await program(
    {
      start: async (options) => (await import('./main/start.ts')).start(options),
      embedded: async (options) => (await import('./main/embedded.ts')).embedded(options),
      operator: async (options) => (await import('./main/operator.ts')).operator(options),
      kudo: (words) => kudo(words, `${called} kudo`),
      steer: async (word, args) => {
        keepCompiledCode(process.env);
        await (await import('./main/steer.ts')).steer(word, args, called);
      },
      uninstall: async (options) => (await import('./main/uninstall.ts')).uninstall(options),
      install: {
        generate: async (options) => (await import('./main/install.ts')).generate(options),
        create: async (options) => (await import('./main/install.ts')).create(options),
      },
      version: () => version,
      controllers: controllerNames,
      families: familyNames,
    },
    called,
  )
    .parseAsync()
    .catch(fail);
