import type { StateLook } from '../runs/states.ts'

/** What can be said about a run at a glance. */
export type VerdictState = 'decided' | 'same' | 'undecided' | 'broken' | 'alone' | 'none' | 'running' | 'pending'

/** The chip above the verdict. */
export const verdictStates: Record<VerdictState, StateLook> = {
  decided: { word: 'Decided', icon: 'check', tone: 'accent' },
  same: { word: 'Practically the same', icon: 'equal', tone: 'accent' },
  undecided: { word: 'Undecided', icon: 'approximate', tone: 'plain' },
  broken: { word: 'Everything failed', icon: 'alert', tone: 'failure' },
  alone: { word: 'One model', icon: 'dashed', tone: 'plain' },
  none: { word: 'No scores', icon: 'question', tone: 'plain' },
  running: { word: 'Running', icon: 'loader', tone: 'plain' },
  pending: { word: 'Comparing', icon: 'loader', tone: 'plain' },
}
