import type { ArtefactName } from "../model/ids.js";
import { formatOf } from "../model/job.js";
import { csv } from "./csv.js";
import type { Format } from "./format.js";
import { parquet } from "./parquet.js";
import { xlsx } from "./xlsx.js";

const FORMATS: Readonly<Record<Format["name"], Format>> = { csv, parquet, xlsx };

/** The format of a file by its name's ending. */
export function formatNamed(name: ArtefactName): Format {
  return FORMATS[formatOf(name)];
}

/** Whether the file is rendered from a Parquet twin that is kept beside it. */
export function needsTwin(name: ArtefactName): boolean {
  return formatNamed(name).twin;
}
