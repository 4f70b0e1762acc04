import { createHash } from "node:crypto";
import { Refusal } from "./refusal.js";

export interface Locked {
  readonly mode: "GOVERNANCE" | "COMPLIANCE";
  readonly until: number;
}

/** One version of a key; no bytes: a delete marker. */
export interface Version {
  readonly id: string;
  readonly bytes: Buffer | null;
  readonly etag: string;
  /** Base64 of the SHA-256 of the bytes; of an object in parts there is none. */
  readonly checksum: string | null;
  readonly meta: Readonly<Record<string, string>>;
  readonly locked: Locked | null;
  readonly held: boolean;
}

export interface Conditions {
  readonly if_none_match: boolean;
  /** The ETag that must be the current one, without quotes. */
  readonly if_match: string | null;
}

export type Content = Pick<Version, "bytes" | "etag" | "checksum" | "meta" | "locked">;

/** Ways in which servers are known to be less strict. */
export interface Quirks {
  /** A bucket with versions lets every caller win a conditional create. */
  readonly lax_when_versioned?: boolean;
  /** Conditions are accepted and never looked at. */
  readonly lax?: boolean;
  /** Locks are accepted and never looked at. */
  readonly lax_lock?: boolean;
  readonly no_checksum_in_head?: boolean;
}

/** The state of one bucket: what S3 promises of it, and nothing of HTTP. */
export class Bucket {
  readonly objects = new Map<string, Version[]>();
  private made = 0;
  constructor(
    readonly versioned: boolean,
    readonly lockable: boolean,
    readonly quirks: Quirks,
    private readonly now: () => number,
  ) {}

  /** The current version, or the one named. @throws Refusal when there is none with bytes */
  get(key: string, id: string | null): Version {
    const versions = this.objects.get(key) ?? [];
    const found = id === null ? versions[0] : versions.find((v) => v.id === id);
    if (found === undefined)
      throw id === null ? new Refusal(404, "NoSuchKey") : new Refusal(404, "NoSuchVersion");
    if (found.bytes === null)
      throw id === null ? new Refusal(404, "NoSuchKey") : new Refusal(405, "MethodNotAllowed");
    return found;
  }

  /** @throws Refusal 412 when a condition does not hold */
  put(key: string, content: Content, conditions: Conditions): Version {
    this.check(key, conditions);
    if (content.locked !== null && !this.lockable) throw new Refusal(400, "InvalidRequest");
    const id = this.versioned ? `v${String(++this.made).padStart(15, "0")}x` : "null";
    const version = { ...content, id, held: false };
    const before = this.versioned ? (this.objects.get(key) ?? []) : [];
    this.objects.set(key, [version, ...before]);
    return version;
  }

  check(key: string, { if_none_match, if_match }: Conditions): void {
    const { lax, lax_when_versioned } = this.quirks;
    if (lax || (lax_when_versioned && this.versioned)) return;
    const current = this.objects.get(key)?.[0];
    const there = current?.bytes == null ? null : current;
    if (if_none_match && there !== null) throw new Refusal(412, "PreconditionFailed");
    if (if_match !== null && there === null) throw new Refusal(404, "NoSuchKey");
    if (if_match !== null && there?.etag !== if_match) throw new Refusal(412, "PreconditionFailed");
  }

  /**
   * Without an id a bucket with versions hides the key behind a marker; with one the version goes.
   * @throws Refusal 403 while it is locked or held
   */
  remove(key: string, id: string | null, bypass: boolean): { id: string; marker: boolean } | null {
    const versions = this.objects.get(key) ?? [];
    if (id === null && this.versioned) {
      const marker = { ...EMPTY, id: `m${String(++this.made).padStart(15, "0")}x` };
      this.objects.set(key, [marker, ...versions]);
      return { id: marker.id, marker: true };
    }
    const gone = id === null ? versions[0] : versions.find((v) => v.id === id);
    if (gone === undefined) return null;
    if (!this.quirks.lax_lock) this.assertRemovable(gone, bypass);
    const rest = versions.filter((v) => v !== gone);
    if (rest.length === 0) this.objects.delete(key);
    else this.objects.set(key, rest);
    return { id: gone.id, marker: gone.bytes === null };
  }

  private assertRemovable({ locked, held }: Version, bypass: boolean): void {
    const binds = locked !== null && locked.until > this.now();
    if (held || (binds && !(bypass && locked.mode === "GOVERNANCE")))
      throw new Refusal(403, "AccessDenied");
  }

  /** @throws Refusal 403 on a shorter or weaker lock while one binds */
  lock(key: string, id: string | null, locked: Locked, bypass: boolean): void {
    const version = this.get(key, id);
    if (!this.lockable) throw new Refusal(400, "InvalidRequest");
    const now = version.locked;
    const binds = now !== null && now.until > this.now();
    const weaker =
      binds &&
      (locked.until < now.until || (now.mode === "COMPLIANCE" && locked.mode !== "COMPLIANCE"));
    if (weaker && !this.quirks.lax_lock && !(bypass && now.mode === "GOVERNANCE"))
      throw new Refusal(403, "AccessDenied");
    if (this.quirks.lax_lock) return;
    this.replace(key, version, { ...version, locked });
  }

  hold(key: string, id: string | null, held: boolean): void {
    if (!this.lockable) throw new Refusal(400, "InvalidRequest");
    const version = this.get(key, id);
    this.replace(key, version, { ...version, held });
  }

  /** What a disk does that rots. */
  damage(key: string): void {
    const version = this.get(key, null);
    const bytes = Buffer.from(version.bytes ?? []);
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    this.replace(key, version, { ...version, bytes });
  }

  /** Keys with a current version, sorted by bytes. */
  keys(prefix: string): string[] {
    const has = [...this.objects].filter(([, [first]]) => first?.bytes);
    return has
      .map(([key]) => key)
      .filter((key) => key.startsWith(prefix))
      .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  }

  private replace(key: string, old: Version, by: Version): void {
    const versions = this.objects.get(key) ?? [];
    this.objects.set(
      key,
      versions.map((v) => (v === old ? by : v)),
    );
  }
}

const EMPTY: Omit<Version, "id"> = {
  bytes: null,
  etag: "",
  checksum: null,
  meta: {},
  locked: null,
  held: false,
};

export function contentOf(bytes: Buffer): Pick<Content, "bytes" | "etag" | "checksum"> {
  const etag = createHash("md5").update(bytes).digest("hex");
  return { bytes, etag, checksum: createHash("sha256").update(bytes).digest("base64") };
}
