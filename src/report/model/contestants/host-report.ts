import type { ModelComparison, PairedComparison } from '../../../statistics/index.ts'

/** Answers that are what their JSON Schema or their tools ask for. */
export interface ValidOutput {
  count: number
  of: number
  interval: [low: number, high: number]
}

/** One model at one place: a host of a router, an endpoint, a quantisation. */
export interface Served {
  modelId: string
  medianLatencyMs?: number
  /** Absent if no case asks for it. */
  valid?: ValidOutput
  /** Against the reference, which is side B; absent for the reference, and if they share no scored case. */
  comparison?: ModelComparison & { paired: PairedComparison }
}

/** What should be the same model, served in several places. */
export interface HostGroup {
  reference: string
  /** The reference first. */
  served: Served[]
}

/** What one host served of a model that the run left to its router to place. */
export interface HostShare {
  modelId: string
  host: string
  cells: number
  mean?: number
  medianLatencyMs?: number
}

/** Who served what, if it was more than one. */
export interface HostReport {
  groups: HostGroup[]
  /** Of models: compared here with a reference, and in the whole report. */
  pairs: { here: number; inAll: number }
  /** Of models that several hosts answered for: other cases at each, so that their means are no comparison. */
  shares: HostShare[]
}
