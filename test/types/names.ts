/** A plain string is no name, path or key: each `@ts-expect-error` is an error that has to be there. */
import type { Folder } from "../../src/folders/folder.js";
import {
  ArtefactName,
  type Key,
  type Outside,
  type Path,
  RelationName,
  RunId,
  type Sha256,
} from "../../src/model/ids.js";
import { attemptLayout, inputKey, runKeys } from "../../src/model/layout.js";
import type { Store } from "../../src/stores/store.js";

export function parsed(root: Path): Path {
  const layout = attemptLayout(root, RunId.parse("refunds-2026-08-10"), 1);
  return layout.draft(RelationName.parse("joined"), ArtefactName.parse("joined.csv"), 1);
}

export function plain(text: string, root: Path, digest: Sha256): void {
  // @ts-expect-error a run id was parsed
  const _run: RunId = text;
  // @ts-expect-error a hash was parsed
  const _sha: Sha256 = text;
  // @ts-expect-error a path comes from the layout
  const _path: Path = text;
  // @ts-expect-error a key comes from the layout
  const _key: Key = text;
  // @ts-expect-error an outside file comes from a source
  const _outside: Outside = text;
  // @ts-expect-error a run folder is that of a run id
  attemptLayout(root, text, 1);
  // @ts-expect-error a run's keys are those of a run id
  runKeys(text);
  // @ts-expect-error a root is absolute, and somebody said so
  attemptLayout(text, RunId.parse(text), 1);
  // @ts-expect-error an artefact's name is no relation's name
  attemptLayout(root, RunId.parse(text), 1).pinned(ArtefactName.parse(text), 0);
  inputKey(digest);
}

export async function crossed(
  folder: Folder,
  store: Store,
  path: Path,
  key: Key,
  outside: Outside,
): Promise<void> {
  await folder.copy(outside, path);
  // @ts-expect-error nothing is written outside the run
  await folder.copy(path, outside);
  // @ts-expect-error a key is no path
  await folder.hash(key);
  // @ts-expect-error a path is no key
  await store.head(path);
}
