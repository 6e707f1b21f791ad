/** The ranks that an id may have: `{ best: 1, worst: 3 }` is first to third. */
export interface RankRange {
  best: number
  worst: number
}

/** From 1 plus the number of ids that are significantly better, to the number of ids less those significantly worse. */
export function rankBySignificance(ids: string[], beats: (a: string, b: string) => boolean): Map<string, RankRange> {
  return new Map(
    ids.map((id) => {
      const others = ids.filter((other) => other !== id)
      const better = others.filter((other) => beats(other, id)).length
      const worse = others.filter((other) => beats(id, other)).length
      return [id, { best: 1 + better, worst: ids.length - worse }]
    }),
  )
}

/**
 * The largest groups in which no two members differ, in the given order: the compact letter display (Piepho, Journal of
 * Computational and Graphical Statistics 13, 2004), as the maximal cliques of the graph of pairs that do not differ
 * (Bron & Kerbosch, 1973, with Tomita's pivot).
 */
export function indistinguishableGroups(
  idsInOrderOfMean: string[],
  differs: (a: string, b: string) => boolean,
): string[][] {
  const ids = [...new Set(idsInOrderOfMean)]
  const alike = ids.map(() => new Set<number>())
  for (let i = 0; i < ids.length; i++) {
    for (let j = i + 1; j < ids.length; j++) {
      if (differs(ids[i]!, ids[j]!)) continue
      alike[i]!.add(j)
      alike[j]!.add(i)
    }
  }
  const groups = ids.length === 0 ? [] : findMaximalCliques(alike).map((group) => group.sort((a, b) => a - b))
  return groups.sort(comparePositions).map((group) => group.map((index) => ids[index]!))
}

function findMaximalCliques(neighbours: Set<number>[]): number[][] {
  const cliques: number[][] = []
  const extend = (clique: number[], candidates: number[], excluded: number[]) => {
    if (candidates.length === 0) {
      if (excluded.length === 0) cliques.push(clique)
      return
    }
    const nearPivot = neighbours[choosePivot(neighbours, candidates, excluded)]!
    let open = candidates
    const closed = [...excluded]
    for (const member of candidates) {
      if (nearPivot.has(member)) continue
      const isNear = (other: number) => neighbours[member]!.has(other)
      extend([...clique, member], open.filter(isNear), closed.filter(isNear))
      open = open.filter((other) => other !== member)
      closed.push(member)
    }
  }
  extend([], [...neighbours.keys()], [])
  return cliques
}

/** The member with the most neighbours among the candidates: without it, every subset of a group would be tried. */
function choosePivot(neighbours: Set<number>[], candidates: number[], excluded: number[]): number {
  let pivot = 0
  let most = -1
  for (const member of [...candidates, ...excluded]) {
    let count = 0
    for (const candidate of candidates) if (neighbours[member]!.has(candidate)) count++
    if (count <= most) continue
    most = count
    pivot = member
  }
  return pivot
}

function comparePositions(a: number[], b: number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! - b[i]!
  return a.length - b.length
}
