import type { ArtefactName } from "../model/ids.js";
import { formatOf } from "../model/job.js";
import { csv } from "./csv.js";
import type { Format } from "./format.js";
import { parquet } from "./parquet.js";
import { xlsx } from "./xlsx.js";

const FORMATS: Readonly<Record<Format["name"], Format>> = { csv, parquet, xlsx };

/** Whether the file is rendered from a Parquet twin that is kept beside it. */
export function needsTwin(name: ArtefactName): boolean {
  return FORMATS[formatOf(name)].twin;
}
