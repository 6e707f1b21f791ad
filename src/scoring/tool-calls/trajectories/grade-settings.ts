import { z } from 'zod'
import { ScoringError } from '../../../contract/index.ts'

/** How the arguments of two calls of one tool are compared. */
export type ArgumentMatch =
  /** The tool earns 0.4, and its arguments 0.6 times their similarity. */
  | 'similar'
  /** Equal, in any order of keys. */
  | 'exact'
  /** Everything expected is there; more does not matter. */
  | 'part'
  /** Everything that the call gives is as expected; what it leaves out does not matter (tau2-bench). */
  | 'given'
  /** Only the tool counts. */
  | 'names'
  /** Equal but for these. */
  | { ignore: readonly string[] }

/** Which actual call an expected one is compared with. */
export type CallAlignment =
  /** Its best one; a call may serve twice. */
  | 'reuse'
  | 'one-to-one'
  /** One to one, in the same order. */
  | 'in-order'
  /** The first with the first, the second with the second. */
  | 'positional'

/** What the sum of similarities is divided by. */
type ExtraCalls =
  /** The number of expected calls. */
  | 'free'
  /** The larger number. */
  | 'cost'
  /** The mean of both numbers. */
  | 'f1'
  /** The number of expected calls, and 0 if there is any other. */
  | 'forbid'
  /** The number of actual calls: missing ones are free. */
  | 'only'

export interface GradeSetting {
  args: ArgumentMatch
  align: CallAlignment
  extra: ExtraCalls
  /** All calls, those that change something, or turn by turn. */
  scope: 'all' | 'writes' | 'turn'
  /** All or nothing: less than 1 is 0. */
  isWhole?: boolean
  /** Each tool counts once, however often it is called. */
  isDistinct?: boolean
}

/** The grades that people know, as settings of one definition. */
export const gradeSettings = {
  effects: { args: 'similar', align: 'one-to-one', extra: 'cost', scope: 'writes' },
  calls: { args: 'similar', align: 'reuse', extra: 'free', scope: 'all' },
  'tool-call-f1': { args: 'names', align: 'one-to-one', extra: 'f1', scope: 'all', isDistinct: true },
  'tool-used': { args: 'names', align: 'reuse', extra: 'free', scope: 'all', isWhole: true },
  'tool-args-match': { args: 'part', align: 'reuse', extra: 'free', scope: 'all', isWhole: true },
  'tool-sequence': { args: 'names', align: 'in-order', extra: 'free', scope: 'all', isWhole: true },
  'tool-sequence-exact': { args: 'names', align: 'positional', extra: 'cost', scope: 'all', isWhole: true },
  superset: { args: 'exact', align: 'one-to-one', extra: 'free', scope: 'all', isWhole: true },
  subset: { args: 'exact', align: 'one-to-one', extra: 'only', scope: 'all', isWhole: true },
  unordered: { args: 'exact', align: 'one-to-one', extra: 'cost', scope: 'all', isWhole: true },
  strict: { args: 'exact', align: 'positional', extra: 'cost', scope: 'all', isWhole: true },
  adk: { args: 'exact', align: 'positional', extra: 'cost', scope: 'turn', isWhole: true },
  'adk-in-order': { args: 'exact', align: 'in-order', extra: 'free', scope: 'turn', isWhole: true },
  'adk-any-order': { args: 'exact', align: 'one-to-one', extra: 'free', scope: 'turn', isWhole: true },
  tau2: { args: 'given', align: 'reuse', extra: 'free', scope: 'all' },
} as const satisfies Record<string, GradeSetting>

export type GradeName = keyof typeof gradeSettings

const settingSchema = z.strictObject({
  args: z.union([
    z.enum(['similar', 'exact', 'part', 'given', 'names']),
    z.strictObject({ ignore: z.array(z.string()) }),
  ]),
  align: z.enum(['reuse', 'one-to-one', 'in-order', 'positional']),
  extra: z.enum(['free', 'cost', 'f1', 'forbid', 'only']),
  scope: z.enum(['all', 'writes', 'turn']),
  isWhole: z.boolean().optional(),
  isDistinct: z.boolean().optional(),
}) satisfies z.ZodType<GradeSetting>

const SWITCHES = [
  'args: similar, exact, part, names or { ignore: [...] }',
  'align: reuse, one-to-one, in-order or positional',
  'extra: free, cost, f1, forbid or only',
  'scope: all, writes or turn',
]

/** A name, and switches that are set otherwise than there. */
export function readGradeSetting(
  credit: string | Partial<GradeSetting>,
  switches: Readonly<Partial<Record<keyof GradeSetting, unknown>>>,
): GradeSetting {
  const found = findGradeSetting(typeof credit === 'string' ? credit : 'effects')
  if (!found)
    throw new ScoringError(
      'invalid-options',
      `credit is ${JSON.stringify(credit)}; it must be one of ${Object.keys(gradeSettings).join(', ')}`,
    )
  const given = Object.entries({ ...(typeof credit !== 'string' && credit), ...switches })
  const setting = settingSchema.safeParse({
    ...found.setting,
    ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
  })
  if (setting.success) return setting.data
  const wrong = given.find(([name]) =>
    setting.error.issues.some(({ path, ...issue }) =>
      path.length > 0 ? path[0] === name : issue.code === 'unrecognized_keys' && issue.keys.includes(name),
    ),
  )
  throw new ScoringError(
    'invalid-options',
    `${wrong?.[0]} is ${JSON.stringify(wrong?.[1])}; the switches are ${SWITCHES.join('; ')}`,
  )
}

/** Reads a name; `seed` is the old name of `calls`, and promptfoo's assertions can have their prefix. */
export function findGradeSetting(name: string): { name: GradeName; setting: GradeSetting } | undefined {
  const known = name === 'seed' ? 'calls' : name.replace(/^trajectory:/, '')
  return isGradeName(known) ? { name: known, setting: gradeSettings[known] } : undefined
}

const isGradeName = (name: string): name is GradeName => Object.hasOwn(gradeSettings, name)
