/** How an interval was computed. */
export type IntervalMethod =
  | 'clopper-pearson'
  | 't'
  | 't-and-unseen-mass'
  | 'unseen-mass'
  | 'identical-runs'
  | 'over-cases'

export interface Interval {
  low: number
  high: number
  method: IntervalMethod
}
