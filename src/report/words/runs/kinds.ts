import type { RunKind } from '../../../contract/index.ts'

/** What kinds of runs are called in lists. */
export const runKinds: Record<RunKind, string> = {
  suite: 'Benchmarks',
  page: 'Code Arena',
  agent: 'Agents',
  playground: 'Experiments',
  imported: 'Imported',
  rerun: 'Reruns of a gate',
}
