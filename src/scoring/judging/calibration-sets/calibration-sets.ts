import type { CalibrationSet } from './calibration-set.ts'
import { code } from './code.ts'
import { completeness } from './completeness.ts'
import { facts } from './facts.ts'
import { faithfulness } from './faithfulness.ts'
import { reasoning } from './reasoning.ts'
import { relevance } from './relevance.ts'
import { safety } from './safety.ts'
import { style } from './style.ts'
import { summaries } from './summaries.ts'

/** The built-in sets of calibration samples: six domains, then those of presets that no domain covers. */
export const calibrationSets: readonly CalibrationSet[] = Object.freeze([
  facts,
  reasoning,
  code,
  summaries,
  safety,
  style,
  faithfulness,
  relevance,
  completeness,
])

export function findCalibrationSet(name: string): CalibrationSet | undefined {
  return calibrationSets.find((set) => set.name === name)
}
