import type { CalibrationSet } from '../calibration-samples.ts'
import code from './code.json' with { type: 'json' }
import completeness from './completeness.json' with { type: 'json' }
import facts from './facts.json' with { type: 'json' }
import faithfulness from './faithfulness.json' with { type: 'json' }
import reasoning from './reasoning.json' with { type: 'json' }
import relevance from './relevance.json' with { type: 'json' }
import safety from './safety.json' with { type: 'json' }
import style from './style.json' with { type: 'json' }
import summaries from './summaries.json' with { type: 'json' }

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
