import { readFileSync } from 'node:fs';
import { appendFile, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { attempt } from './attempt.ts';
import { cached, entryName, filesUnder, type Recipe } from './cache.ts';
import { installPackages } from './debian.ts';
import { flinkBaseRecipe } from './flink/base.ts';
import { flinkRecipe } from './flink/distribution.ts';
import { findGo, GO_ENTRY } from './go.ts';
import { archiveImage, archiveLayers, type ImageDescription } from './image.ts';
import type { Progress } from './progress.ts';

export const KUBERNETES = '1.37.1';
const COREDNS = '1.15.0';
const KWOK = '0.8.0';
const CF = '8.18.3';
const SPRIG = '2.22.0';
const HELM = '4.3.1';

/** One Flink of each generation: part → version. */
export const FLINKS = { 'flink-1.20': '1.20.5', 'flink-2.3': '2.3.0' } as const;

const KUBERNETES_ROLES = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubelet',
  'kube-proxy',
  'kubectl',
] as const;

/** The Go module that pins every Kubernetes version we use. */
export const KUBERNETES_MODULE = join(import.meta.dirname, 'kubernetes');
const imagesModule = join(import.meta.dirname, 'images');
const cfModule = join(import.meta.dirname, 'cf');
const templatesModule = join(import.meta.dirname, 'templates');
const helmModule = join(import.meta.dirname, 'helm');

/** What can be built or fetched and then kept in the cache. A new part is a row here and a recipe below. */
const recipes = {
  kubernetes: kubernetesRecipe,
  kwok: kwokRecipe,
  coredns: corednsRecipe,
  images: imagesRecipe,
  cf: cfRecipe,
  templates: templatesRecipe,
  helm: helmRecipe,
  'flink-base': (_cache: string, progress: Progress) => flinkBaseRecipe(progress),
  'flink-1.20': (cache: string, progress: Progress) => flinkRecipe(FLINKS['flink-1.20'], cache, progress),
  'flink-2.3': (cache: string, progress: Progress) => flinkRecipe(FLINKS['flink-2.3'], cache, progress),
} as const;

export type Part = keyof typeof recipes;
export const PARTS = Object.keys(recipes) as readonly Part[];

/** Parts with an `image.tar` that a node can have besides the images it always has. */
export type ImagePart = keyof typeof FLINKS;
export const IMAGE_PARTS = Object.keys(FLINKS) as readonly ImagePart[];

/** Has the named parts ready and returns the directory of each. */
export async function provide<P extends Part>(
  cache: string,
  parts: readonly P[],
  progress: Progress,
): Promise<Record<P, string>> {
  const directories: Partial<Record<P, string>> = {};
  for (const part of parts) directories[part] = await cached(cache, recipes[part](cache, progress), progress);
  return directories as Record<P, string>;
}

/** The names of the cache entries that this version of the rig uses. */
export function currentEntries(cache: string, progress: Progress): ReadonlySet<string> {
  return new Set([GO_ENTRY, ...PARTS.map((part) => entryName(recipes[part](cache, progress)))]);
}

/** Every Kubernetes program and etcd as one binary that picks its role by the name it is called by. */
function kubernetesRecipe(cache: string, progress: Progress): Recipe {
  const [major, minor] = KUBERNETES.split('.');
  const variable = 'k8s.io/component-base/version';
  const linker = [
    '-s -w',
    `-X ${variable}.gitVersion=v${KUBERNETES}`,
    `-X ${variable}.gitMajor=${major}`,
    `-X ${variable}.gitMinor=${minor}`,
    `-X ${variable}.gitTreeState=clean`,
  ].join(' ');
  return {
    name: 'kubernetes',
    version: KUBERNETES,
    inputs: [process.arch, linker, ...sources('cmd/hyper')],
    async make(directory) {
      const title = `building Kubernetes ${KUBERNETES} and etcd (about eight minutes on two idle cores)`;
      await buildGo(cache, progress, title, KUBERNETES_MODULE, join(directory, 'hyper'), './cmd/hyper', linker);
      for (const role of KUBERNETES_ROLES) await symlink('hyper', join(directory, role));
    },
  };
}

/** kwok and the stage files it needs to play nodes and pods; they come with its module. */
function kwokRecipe(cache: string, progress: Progress): Recipe {
  return {
    name: 'kwok',
    version: KWOK,
    inputs: [process.arch, ...sources()],
    async make(directory) {
      const target = 'sigs.k8s.io/kwok/cmd/kwok';
      await buildGo(cache, progress, `building kwok ${KWOK}`, KUBERNETES_MODULE, join(directory, 'kwok'), target);
      const go = await findGo(cache, progress);
      const module = (await go.run(KUBERNETES_MODULE, ['list', '-m', '-f', '{{.Dir}}', 'sigs.k8s.io/kwok'])).trim();
      for (const stage of ['node/fast', 'node/heartbeat-with-lease', 'pod/fast']) {
        const folder = join(module, 'kustomize', 'stage', stage);
        const files = (await readdir(folder)).filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml');
        for (const file of files.sort()) {
          await appendFile(join(directory, 'stages.yaml'), `---\n${await readFile(join(folder, file), 'utf8')}\n`);
        }
      }
    },
  };
}

function corednsRecipe(cache: string, progress: Progress): Recipe {
  return {
    name: 'coredns',
    version: COREDNS,
    inputs: [process.arch, ...sources('cmd/coredns')],
    make: (directory) => {
      const title = `building CoreDNS ${COREDNS}`;
      return buildGo(cache, progress, title, KUBERNETES_MODULE, join(directory, 'coredns'), './cmd/coredns');
    },
  };
}

/** Cloud Foundry's command line, `cf`. */
function cfRecipe(cache: string, progress: Progress): Recipe {
  const variable = 'code.cloudfoundry.org/cli/v8/version';
  const linker = [
    '-s -w',
    `-X ${variable}.binaryVersion=${CF}`,
    `-X ${variable}.binarySHA=rig`,
    `-X ${variable}.binaryBuildDate=1970-01-01`,
  ].join(' ');
  return {
    name: 'cf',
    version: CF,
    inputs: [process.arch, linker, ...filesUnder(cfModule)],
    make: (directory) => {
      const target = 'code.cloudfoundry.org/cli/v8';
      return buildGo(cache, progress, `building the cf CLI ${CF}`, cfModule, join(directory, 'cf'), target, linker);
    },
  };
}

/** Go's own templates with sprig, as a program that answers questions. */
function templatesRecipe(cache: string, progress: Progress): Recipe {
  return {
    name: 'templates',
    version: SPRIG,
    inputs: [process.arch, ...filesUnder(templatesModule)],
    make: (directory) => {
      const title = `building Go's templates with sprig ${SPRIG}`;
      return buildGo(cache, progress, title, templatesModule, join(directory, 'templates'), '.');
    },
  };
}

/** Helm, which people install Cutover with. */
function helmRecipe(cache: string, progress: Progress): Recipe {
  const linker = `-s -w -X helm.sh/helm/v4/internal/version.version=v${HELM}`;
  return {
    name: 'helm',
    version: HELM,
    inputs: [process.arch, linker, ...filesUnder(helmModule)],
    make: (directory) => {
      const target = 'helm.sh/helm/v4/cmd/helm';
      return buildGo(cache, progress, `building Helm ${HELM}`, helmModule, join(directory, 'helm'), target, linker);
    },
  };
}

/** What a program of the Kubernetes module is built from: the module's versions and the program's own folder. */
function sources(folder?: string): readonly string[] {
  const versions = ['go.mod', 'go.sum'].map((name) => readFileSync(join(KUBERNETES_MODULE, name), 'utf8'));
  return folder === undefined ? versions : [...versions, ...filesUnder(join(KUBERNETES_MODULE, folder))];
}

/** What people try in a container, and what files are fetched from one with. */
const BUSYBOX_COMMANDS = 'sh cat date echo env false hostname ls sleep stat tar true'.split(' ');

/** A shell, for those who run commands in a container. */
const SHELL = { files: { 'bin/busybox': '/bin/busybox' }, links: { 'bin/sh': 'busybox' } } as const;

/** The images that are built, and what is in them besides their program. A pod that must not run as root wants a number. */
const IMAGES: Readonly<Record<string, Partial<Pick<ImageDescription, 'files' | 'links' | 'user'>>>> = {
  pause: {},
  app: { ...SHELL, user: 65532 },
};

/** The pod sandbox's `pause`, a small HTTP server with a shell, and Debian's busybox, as image archives. */
function imagesRecipe(cache: string, progress: Progress): Recipe {
  const writers = [archiveImage, archiveLayers].map(String);
  return {
    name: 'images',
    version: '1',
    inputs: [process.arch, ...filesUnder(imagesModule), ...writers, BUSYBOX_COMMANDS.join(), JSON.stringify(IMAGES)],
    async make(directory) {
      await installPackages(['busybox-static'], progress);
      for (const [name, more] of Object.entries(IMAGES)) {
        const program = join(directory, name);
        await buildGo(cache, progress, `building the image rig.local/${name}:1`, imagesModule, program, `./${name}`);
        await archiveImage({
          name: `rig.local/${name}:1`,
          entrypoint: `/bin/${name}`,
          ...more,
          files: { ...more.files, [`bin/${name}`]: program },
          archive: join(directory, `${name}.tar`),
        });
      }
      await archiveImage({
        name: 'docker.io/library/busybox:1.36',
        files: SHELL.files,
        links: Object.fromEntries(BUSYBOX_COMMANDS.map((name) => [`bin/${name}`, 'busybox'])),
        archive: join(directory, 'busybox.tar'),
      });
    },
  };
}

async function buildGo(
  cache: string,
  progress: Progress,
  title: string,
  module: string,
  output: string,
  target: string,
  linker = '-s -w',
): Promise<void> {
  const go = await findGo(cache, progress);
  await progress.step(title, () =>
    attempt(title, progress, () => go.run(module, ['build', '-trimpath', '-ldflags', linker, '-o', output, target])),
  );
}
