/**
 * What `work` gives for each item, in the items' order, with at most `limit` of them under way at
 * once. They are begun in their order, and the next only when one has ended: no clock decides, so
 * over ports that answer in a fixed order all calls are made in a fixed order.
 * @param limit at least 1
 * @throws the first failure. After it no item is begun, and it is thrown only when all that were
 * under way have ended: nothing goes on behind the caller's back
 */
export async function mapBounded<A, B>(
  items: readonly A[],
  limit: number,
  work: (item: A) => Promise<B>,
): Promise<B[]> {
  const results: B[] = [];
  const failures: unknown[] = [];
  const waiting = items.entries();
  const worker = async (): Promise<void> => {
    for (const [i, item] of waiting) {
      if (failures.length > 0) return;
      try {
        results[i] = await work(item);
      } catch (e) {
        failures.push(e);
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}
