import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Text } from "./prose.js";

export const project = fileURLToPath(new URL("../..", import.meta.url));

const FOLDERS = ["src", "test", "scripts", "bench", "jobs", "fixtures", "schemas", "docs", ".ci"];
const LEGAL = new Set(["LICENSE", "package-lock.json"]);
const WORDS = /\.(ts|mjs|md|ya?ml|json|sql|txt)$|(^|\/)(Dockerfile|NOTICE|run|\.\w+ignore)$/;

/** All text files of the project that people write, by their path from its folder. */
export function texts(): Text[] {
  const own = readdirSync(project, { withFileTypes: true });
  const top = own.filter((e) => e.isFile() && !LEGAL.has(e.name)).map((e) => e.name);
  const deep = own
    .filter((e) => e.isDirectory() && FOLDERS.includes(e.name))
    .flatMap((e) =>
      readdirSync(`${project}${e.name}`, { recursive: true, withFileTypes: true })
        .filter((f) => f.isFile())
        .map((f) => `${f.parentPath.slice(project.length)}/${f.name}`),
    );
  return [...top, ...deep]
    .filter((file) => WORDS.test(file))
    .sort()
    .map((file) => ({ file, text: readFileSync(`${project}${file}`, "utf8") }));
}
