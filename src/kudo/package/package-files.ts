/** The files of a package, read: everything after this is pure. */
export interface PackageFiles {
  /** What messages call the package: the folder or archive it came from. */
  readonly origin: string;
  /** Path inside the package, with `/`, → text. A path has no `..` and does not begin with `/`. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * How much of a package is read. An operator is one object in etcd and so can have little more than a megabyte; what is far
 * beyond that is a mistake or an attack.
 */
export interface PackageLimits {
  /** Bytes of the archive as it is on disk. */
  readonly archiveBytes: number;
  /** Bytes of all files together, headers of the archive included. */
  readonly unpackedBytes: number;
  /** How many times its own size an archive may unpack to; counted only beyond the first megabyte. */
  readonly ratio: number;
  /** Bytes of one file. */
  readonly fileBytes: number;
  readonly files: number;
  /** Folders inside one another. */
  readonly depth: number;
}

export const PACKAGE_LIMITS: PackageLimits = {
  archiveBytes: 8 << 20,
  unpackedBytes: 32 << 20,
  ratio: 200,
  fileBytes: 4 << 20,
  files: 2000,
  depth: 12,
};

/** The part of a package that lies in one of its folders, as a package of its own: an operator inside an operator. */
export function packageInside({ origin, files }: PackageFiles, folder: string): PackageFiles {
  const inside = new Map<string, string>();
  for (const [path, text] of files) {
    if (path.startsWith(`${folder}/`)) inside.set(path.slice(folder.length + 1), text);
  }
  return { origin: `${origin}/${folder}`, files: inside };
}
