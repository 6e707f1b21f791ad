import { messageOf, isRecord } from '../../contract/index.ts'
/** The fields that are points of 100 on screen and 0 to 1 in files and requests. */
const SCORES = ['expectedScore', 'tolerance'] as const

function toShare(points: unknown): unknown {
  return typeof points === 'number' ? Number((points / 100).toFixed(8)) : points
}

/** Scores from a file, which are 0 to 1, must not be taken for points: 0.8 would be less than one of 100. */
function findScaleProblem(samples: readonly Record<string, unknown>[]): string | undefined {
  const fraction = samples.findIndex((sample) =>
    SCORES.some((name) => typeof sample[name] === 'number' && sample[name] > 0 && sample[name] < 1),
  )
  const scores = samples.map(({ expectedScore }) => expectedScore).filter((score) => typeof score === 'number')
  const isAllOrNothing = scores.length > 0 && scores.every((score) => score === 0 || score === 1)
  if (fraction < 0 && !(isAllOrNothing && scores.includes(1))) return undefined
  const which = fraction < 0 ? 'The expected scores are' : `Entry ${fraction + 1} is`
  return `${which} on the scale of files, 0 to 1. On this screen scores are points from 0 to 100: write 80 for 0.8, and 100 for 1.`
}

/** Reads samples typed by the user as a list of objects, in points of 100; the server checks each one. */
export function readSamples(text: string): { samples: Record<string, unknown>[] } | { problem: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { problem: `Not valid JSON: ${messageOf(error)}` }
  }
  if (!Array.isArray(value)) return { problem: 'Not a list: put [ and ] around the samples.' }
  const samples = value.filter(isRecord)
  if (samples.length === 0) return { problem: 'The list has no samples.' }
  if (samples.length < value.length)
    return { problem: `Entry ${value.findIndex((entry) => !isRecord(entry)) + 1} is not an object.` }
  const problem = findScaleProblem(samples)
  if (problem !== undefined) return { problem }
  const beyond = samples.findIndex((sample) =>
    SCORES.some((name) => typeof sample[name] === 'number' && (sample[name] < 0 || sample[name] > 100)),
  )
  if (beyond >= 0) return { problem: `Entry ${beyond + 1} has a score that is not from 0 to 100.` }
  return {
    samples: samples.map((sample) => ({
      ...sample,
      ...Object.fromEntries(SCORES.flatMap((name) => (name in sample ? [[name, toShare(sample[name])]] : []))),
    })),
  }
}
