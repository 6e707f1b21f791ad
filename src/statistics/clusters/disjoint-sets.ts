/** Which of the numbers below `size` belong together, by union-find. */
export interface DisjointSets {
  /** The number that stands for all that belong together with this one. */
  find(member: number): number
  join(a: number, b: number): void
}

export function createDisjointSets(size: number): DisjointSets {
  const parents = Uint32Array.from({ length: size }, (_, index) => index)
  const find = (member: number): number => {
    let root = member
    while (parents[root] !== root) {
      parents[root] = parents[parents[root]!]!
      root = parents[root]!
    }
    return root
  }
  return {
    find,
    // The lower one stands for both; halving paths alone keeps them short.
    join: (a, b) => {
      const [low, high] = [find(a), find(b)].toSorted((one, other) => one - other)
      parents[high!] = low!
    },
  }
}
