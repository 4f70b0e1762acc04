/**
 * What holds of every run, by the number that findings, tests and broken fixtures name it with. A
 * number is never given twice, and each has a `fixtures/broken/I0NN-*` that the checker reports.
 */
export const INVARIANTS = [
  {
    id: "I001",
    says: "The layout alone makes the paths of a run, from its id, its attempt and declared names.",
  },
  {
    id: "I002",
    says:
      "A file has its final name only when all of it " +
      "is on the disk, and no name is given twice.",
  },
  {
    id: "I003",
    says: "What was sealed keeps its bytes, and is hashed again before anybody builds on it.",
  },
  {
    id: "I004",
    says: "Where a manifest is, everything is that it lists: it is written after all the rest.",
  },
  {
    id: "I005",
    says: "A run is done when its commit, its manifest and the store's own hashes all say so.",
  },
  {
    id: "I006",
    says: "A read has a bound, says how much there is in full, and says where and why it was cut.",
  },
  {
    id: "I007",
    says: "Every record of an input is a row, a reject or a declared skip, and the counts add up.",
  },
  {
    id: "I009",
    says: "An amount stays decimal text or an exact decimal from the input to the output.",
  },
  {
    id: "I010",
    says: "The same inputs, job and versions give the same bytes, in whatever order rows arrive.",
  },
  {
    id: "I011",
    says: "An earlier run's file is read by the key, version and hash that its commit leads to.",
  },
  {
    id: "I012",
    says: "A number in a summary is a figure that can be computed again from a sealed artefact.",
  },
  {
    id: "I013",
    says: "Nothing is removed before the store was asked again and has it.",
  },
  {
    id: "I014",
    says:
      "What is kept is kept until a date that never " +
      "comes nearer, as many days as was declared.",
  },
  {
    id: "I015",
    says: "One attempt of a run is committed at most, and a late one changes nothing of another's.",
  },
  {
    id: "I016",
    says: "SQL of a job or an agent reads the relations it was given and writes nothing.",
  },
  {
    id: "I017",
    says:
      "A journal and a run's ledger only grow, each entry names the one before, " +
      "and only a journal's last line may be torn.",
  },
  {
    id: "I018",
    says: "Logs, journals and errors tell places and counts, never a row of data or a secret.",
  },
] as const;
export type InvariantId = (typeof INVARIANTS)[number]["id"];
