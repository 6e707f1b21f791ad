/** A file with the traces that parts of are in it. */
export interface Traced<File> {
  file: File
  traces: ReadonlySet<string>
}

/** Files that have parts of the same trace belong together: collectors begin another one when a file is full. */
export function joinTraced<File>(given: readonly Traced<File>[]): File[][] {
  const groups: { files: File[]; traces: Set<string> }[] = []
  for (const { file, traces } of given) {
    const [first, ...others] = groups.filter((group) => [...traces].some((trace) => group.traces.has(trace)))
    if (!first) {
      groups.push({ files: [file], traces: new Set(traces) })
      continue
    }
    for (const other of others) groups.splice(groups.indexOf(other), 1)
    first.files.push(...others.flatMap(({ files }) => files), file)
    for (const trace of [...others.flatMap((other) => [...other.traces]), ...traces]) first.traces.add(trace)
  }
  return groups.map(({ files }) => files)
}
