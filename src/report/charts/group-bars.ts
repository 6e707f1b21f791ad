/** A group of models that cannot be told apart, as a bar next to the rows of the leaderboard. */
interface GroupBar {
  /** Bars in the same lane do not overlap. */
  lane: number
  first: number
  last: number
  /** Rows in the group: a bar may also pass rows that are not. */
  members: ReadonlySet<number>
}

export interface GroupBars {
  bars: GroupBar[]
  lanes: number
}

/** Puts each group into the first lane where it overlaps no other. Ignores groups of one and members without a row. */
export function placeGroupBars(rows: readonly string[], groups: readonly (readonly string[])[]): GroupBars {
  const rowOf = new Map(rows.map((id, index) => [id, index]))
  const spans = groups
    .map((group) => new Set(group.flatMap((id) => rowOf.get(id) ?? [])))
    .filter((members) => members.size > 1)
    .map((members) => ({ members, first: Math.min(...members), last: Math.max(...members) }))
    .toSorted((a, b) => a.first - b.first || b.last - a.last)

  const endOfLane: number[] = []
  const bars = spans.map((span) => {
    const free = endOfLane.findIndex((end) => end < span.first)
    const lane = free === -1 ? endOfLane.length : free
    endOfLane[lane] = span.last
    return { ...span, lane }
  })
  return { bars, lanes: endOfLane.length }
}
