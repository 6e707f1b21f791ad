import type { Trajectory } from '../../scoring/tool-calls/index.ts'

/** A file whose format is to be found out. */
export interface TrajectorySource {
  path: string
  /** As people name it. */
  file: string
  /** The objects of a file of JSON lines, or the one value of a JSON file; each loop parses them again. */
  records(): Iterable<unknown>
  /** The first records, by which a format is recognised. */
  sample: readonly unknown[]
  isLines: boolean
  /** How many lines of the last loop were no JSON: a file can end in a cut line. */
  badLines(): number
  /** Reads another file, such as one of a sub-agent; undefined if it is not there or of another kind. */
  readRelated(path: string): Promise<Trajectory[] | undefined>
  /** The text of a small file; undefined if it is not there. */
  readText(path: string): Promise<string | undefined>
  listFolder(path: string): Promise<string[]>
}

/** A format of recorded runs: how to recognise it, and how to read it. */
export interface TrajectoryReader {
  name: string
  /** Describes it, for the error about an unknown file. */
  looksLike: string
  recognises(sample: readonly unknown[], file: string): boolean
  /** The ids of the traces in a file, for formats of which several files can have parts of one trace. */
  listTraces?(records: Iterable<unknown>): string[]
  read(source: TrajectorySource): Trajectory[] | Promise<Trajectory[]>
}
