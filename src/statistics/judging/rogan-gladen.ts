import { clamp, writeNumber } from '../../contract/index.ts'
import { checkWhole } from '../numbers/check-arguments.ts'
import { normalQuantile } from '../numbers/distributions.ts'

export interface RoganGladenInput {
  /** The share of answers that the judge let pass. */
  observedRate: number
  /** The answers that only the judge has seen. */
  n: number
  /** The share of bad answers that the judge failed, and of how many. */
  specificity: number
  negatives: number
  /** The share of good answers that the judge passed, and of how many. */
  sensitivity: number
  positives: number
}

function checkShare(value: number, name: string): void {
  if (!(value >= 0 && value <= 1)) throw new RangeError(`${name} is ${value}: it must be from 0 to 1.`)
}

/**
 * The true pass rate behind a judge's verdicts, from how often it is right on answers that people have rated (Rogan &
 * Gladen, American Journal of Epidemiology 107, 1978). The 95 % interval is that of Lee et al. (arXiv 2511.21140),
 * after Lang & Reiczigel (Preventive Veterinary Medicine 113, 2014): every rate is moved towards ½ before its variance
 * is taken, and the centre is shifted for the curvature.
 */
export function roganGladen(input: RoganGladenInput): { rate: number; low: number; high: number } {
  const { observedRate, n, specificity, negatives, sensitivity, positives } = input
  checkShare(observedRate, 'observedRate')
  checkShare(specificity, 'specificity')
  checkShare(sensitivity, 'sensitivity')
  checkWhole(n, 1, 'n')
  checkWhole(negatives, 1, 'negatives')
  checkWhole(positives, 1, 'positives')
  if (sensitivity + specificity <= 1)
    throw new RangeError(
      `sensitivity and specificity add up to ${writeNumber(sensitivity + specificity, 3)}: a judge at or below 1 is no better than chance, and nothing can be learned from its verdicts.`,
    )

  const z = normalQuantile(0.975)
  const answers = n + z * z
  const passed = (n * observedRate + (z * z) / 2) / answers
  const right = (share: number, count: number) => ({ share: (count * share + 1) / (count + 2), count: count + 2 })
  const good = right(sensitivity, positives)
  const bad = right(specificity, negatives)
  const advantage = good.share + bad.share - 1
  // Moved towards ½ by few ratings, a judge that was better than chance may no longer be.
  if (advantage <= 0)
    return { rate: clamp((observedRate + specificity - 1) / (sensitivity + specificity - 1)), low: 0, high: 1 }

  const centre = (passed + bad.share - 1) / advantage
  const variance = ({ share, count }: { share: number; count: number }) => (share * (1 - share)) / count
  const shift = 2 * z * z * (centre * variance(good) - (1 - centre) * variance(bad))
  const standardError =
    Math.sqrt((passed * (1 - passed)) / answers + (1 - centre) ** 2 * variance(bad) + centre ** 2 * variance(good)) /
    advantage
  return {
    rate: clamp((observedRate + specificity - 1) / (sensitivity + specificity - 1)),
    low: clamp(centre + shift - z * standardError),
    high: clamp(centre + shift + z * standardError),
  }
}
