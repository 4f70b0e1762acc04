import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** Stands for the base image: the machine's own libraries, with this node and npm over them. */
export interface Base {
  /** Folder with `bin/node`, and npm's own folder. */
  readonly node: string;
  readonly npm: string;
}

export interface Root {
  /** The root folder; `/usr/local` of it lies beside, for it covers the machine's. */
  readonly root: string;
  readonly local: string;
  readonly path: string;
}

const SYSTEM = ["usr", "bin", "sbin", "lib", "lib64"];
const NODE_USER = 1000;

/** A root as the base image would have it: a user `node`, empty folders, node and npm. */
export function bareRoot(at: string, base: Base): Root {
  const root = join(at, "root");
  const local = join(at, "local");
  const folders = ["etc", "root", "tmp", "proc", "dev", "home/node", "srv", "opt", "run", "var"];
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
  for (const name of SYSTEM) {
    if (!existsSync(`/${name}`)) continue;
    if (lstatSync(`/${name}`).isSymbolicLink())
      symlinkSync(readlinkSync(`/${name}`), join(root, name));
    else mkdirSync(join(root, name));
  }
  const users = [
    "root:x:0:0:root:/root:/bin/sh",
    `node:x:${NODE_USER}:${NODE_USER}::/home/node:/bin/sh`,
  ];
  writeFileSync(join(root, "etc/passwd"), `${users.join("\n")}\n`);
  writeFileSync(join(root, "etc/group"), `root:x:0:\nnode:x:${NODE_USER}:\n`);
  for (const file of ["resolv.conf", "nsswitch.conf", "hosts", "ssl"])
    if (existsSync(`/etc/${file}`))
      cpSync(`/etc/${file}`, join(root, "etc", file), { recursive: true, dereference: true });
  mkdirSync(join(local, "bin"), { recursive: true });
  cpSync(join(base.node, "bin/node"), join(local, "bin/node"));
  cpSync(base.npm, join(local, "lib/node_modules/npm"), { recursive: true });
  symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(local, "bin/npm"));
  return { root, local, path: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin" };
}

/**
 * A shell script for a fresh mount namespace: the root's mounts, then `$INSIDE` within it by
 * chroot. Read-only leaves nothing writable but /dev and the volumes, and drops to user `node`
 * with no way back.
 * @param volumes - folders of the machine by where they are mounted
 */
export function script(
  { root, local }: Root,
  how: "writable" | "read-only",
  volumes: Readonly<Record<string, string>> = {},
): string {
  const closed = how === "read-only";
  const bind = (from: string, to: string, ro: boolean): string[] => [
    `mount --bind ${from} ${to}`,
    ...(ro ? [`mount -o remount,bind,ro ${to}`] : []),
  ];
  const system = SYSTEM.filter((n) => existsSync(`/${n}`) && !lstatSync(`/${n}`).isSymbolicLink());
  const inside = closed
    ? `exec chroot ${root} /usr/bin/setpriv --reuid=${NODE_USER} --regid=${NODE_USER} ` +
      `--clear-groups --no-new-privs --bounding-set=-all /bin/sh -ec "$INSIDE"`
    : `exec chroot ${root} /bin/sh -ec "$INSIDE"`;
  return [
    "mount --make-rprivate /",
    ...bind(root, root, false),
    ...system.flatMap((name) => bind(`/${name}`, `${root}/${name}`, true)),
    ...bind(local, `${root}/usr/local`, closed),
    ...Object.entries(volumes).flatMap(([at, from]) => bind(from, `${root}${at}`, false)),
    ...(closed ? [`mount -o remount,bind,ro ${root}`] : []),
    `mount -t proc proc ${root}/proc`,
    `mount -t tmpfs tmpfs ${root}/dev`,
    ...["null", "zero", "random", "urandom"].flatMap((d) => [
      `touch ${root}/dev/${d}`,
      `mount --bind /dev/${d} ${root}/dev/${d}`,
    ]),
    inside,
  ].join("\n");
}
