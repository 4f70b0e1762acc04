import { CREATE_RACE, CREATE_TWICE } from "../model/capabilities.js";
import { outcome, put, type Question, type Room } from "./s3-probe-room.js";

const RACERS = 8;

/** What claims, commits and ledgers stand on. */
export function createProbes(room: Room): Question[] {
  return [
    {
      probe: CREATE_TWICE,
      expected: "412",
      needed: true,
      run: async () => {
        await put(room, "twice", "first", { IfNoneMatch: "*" });
        const said = await outcome(() => put(room, "twice", "second", { IfNoneMatch: "*" }));
        const found = said === "200" ? "the second one won too" : said;
        return { found, holds: /^(412|409)/.test(said) };
      },
    },
    {
      probe: CREATE_RACE,
      expected: "1 winner",
      needed: true,
      run: async () => {
        const all = await Promise.all(
          Array.from({ length: RACERS }, (_, i) =>
            outcome(() => put(room, "race", `racer ${i}`, { IfNoneMatch: "*" })).catch(() => "-"),
          ),
        );
        const won = all.filter((said) => said === "200").length;
        return { found: won === 1 ? "1 winner" : `${won} winners`, holds: won === 1 };
      },
    },
    ...matchProbes(room),
  ];
}

/** Compare-and-swap: told only, for nothing of a run uses it. */
function matchProbes(room: Room): Question[] {
  const swap = async (name: string, tag: (etag: string) => string, wanted: RegExp) => {
    const { ETag = "" } = await put(room, name, "first");
    const said = await outcome(() => put(room, name, "second", { IfMatch: tag(ETag) }));
    return { found: said, holds: wanted.test(said) };
  };
  const bare = (etag: string): string => etag.replaceAll('"', "");
  return [
    {
      probe: "If-Match with the current ETag, quoted",
      expected: "200",
      needed: false,
      run: () => swap("match-quoted", (etag) => `"${bare(etag)}"`, /^200/),
    },
    {
      probe: "If-Match with the current ETag, unquoted",
      expected: "200",
      needed: false,
      run: () => swap("match-bare", bare, /^200/),
    },
    {
      probe: "If-Match with a stale ETag",
      expected: "412",
      needed: false,
      run: () => swap("match-stale", () => '"0123456789abcdef0123456789abcdef"', /^412/),
    },
  ];
}
