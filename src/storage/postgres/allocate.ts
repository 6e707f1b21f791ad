interface Claimant {
  holder: string
  held: number
  wanted: number
}

export interface SharedOut {
  /** What the holder may have in progress from now on. */
  allowed: number
  /** What counts as taken: what it keeps for the moment included. */
  held: number
}

/**
 * What one holder gets of a limit: as much as it wants, but no more than an equal share if the others want more too, and
 * never what another one still holds. So the sum of all `held` never exceeds the limit.
 */
export function allocate(
  limit: number,
  own: { holder: string; kept: number; wanted: number },
  others: readonly Claimant[],
  /** Changes every few seconds: if the limit is smaller than the number of holders, they take turns. */
  turn: number,
): SharedOut {
  const free = limit - others.reduce((sum, { held }) => sum + held, 0)
  const fair = fairShare(limit, own, others, turn)
  const held = Math.max(own.kept, Math.min(fair, free))
  return { held, allowed: Math.min(held, fair) }
}

function fairShare(
  limit: number,
  { holder, wanted }: { holder: string; wanted: number },
  others: readonly Claimant[],
  turn: number,
): number {
  const wanting = [{ holder, wanted }, ...others]
    .filter((one) => one.wanted > 0)
    .toSorted((a, b) => (a.holder < b.holder ? -1 : 1))
  const granted = new Map(wanting.map((one) => [one.holder, 0]))
  let left = limit
  // Those that want little get it; the rest is divided among the others.
  for (let open = wanting; open.length > 0 && left > 0;) {
    const each = Math.floor(left / open.length)
    if (each === 0) {
      for (let place = 0; place < left; place++) {
        const lucky = open[(place + turn) % open.length]!.holder
        granted.set(lucky, granted.get(lucky)! + 1)
      }
      break
    }
    for (const one of open) {
      const more = Math.min(each, one.wanted - granted.get(one.holder)!)
      granted.set(one.holder, granted.get(one.holder)! + more)
      left -= more
    }
    open = open.filter((one) => granted.get(one.holder)! < one.wanted)
  }
  return granted.get(holder) ?? 0
}
