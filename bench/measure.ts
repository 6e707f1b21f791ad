/** Median time of one call in milliseconds, from several batches that are long enough to measure. */
async function medianTime(work: () => unknown, { batches = 9, batchMs = 100 } = {}): Promise<number> {
  const time = async (calls: number) => {
    const start = performance.now()
    for (let call = 0; call < calls; call++) {
      const result = work()
      if (result instanceof Promise) await result
    }
    return performance.now() - start
  }
  let calls = 1
  while ((await time(calls)) < batchMs / 2 && calls < 1e7) calls *= 2
  const times: number[] = []
  for (let batch = 0; batch < batches; batch++) times.push((await time(calls)) / calls)
  return times.toSorted((a, b) => a - b)[Math.floor(batches / 2)]!
}

/** Medians of two functions measured in turn, so that a slow phase of the machine affects both. */
export async function compareTimes(
  ours: () => unknown,
  bare: () => unknown,
): Promise<{ ours: number; bare: number; ratio: number }> {
  const rounds: { ours: number; bare: number }[] = []
  for (let round = 0; round < 5; round++)
    rounds.push({
      bare: await medianTime(bare, { batches: 3, batchMs: 60 }),
      ours: await medianTime(ours, { batches: 3, batchMs: 60 }),
    })
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
  return {
    ours: median(rounds.map((round) => round.ours)),
    bare: median(rounds.map((round) => round.bare)),
    ratio: median(rounds.map((round) => round.ours / round.bare)),
  }
}

export function formatTime(milliseconds: number): string {
  return milliseconds < 1 ? `${(milliseconds * 1000).toFixed(2)} µs` : `${milliseconds.toFixed(2)} ms`
}
