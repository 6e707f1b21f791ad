import { z } from 'zod'

/** Scripted tests of a page: what to do on it, and what must then be so. Nothing in them is code. */

const text = z.string().min(1)

/** A key, after the keys that are held with it: `Enter`, `a`, `Control+Shift+K`. */
const KEY =
  /^(?:(?:Control|Shift|Alt|Meta)\+)*(?:Arrow(?:Left|Right|Up|Down)|Enter|Escape|Space|Tab|Backspace|Delete|Home|End|PageUp|PageDown|Insert|F\d{1,2}|Control|Shift|Alt|Meta|[ -~])$/

const keySchema = text.regex(KEY, 'must be a key such as Enter, ArrowLeft, Space, a or Control+K')

const targetSchema = z.union([
  text.describe('A CSS selector'),
  z
    .strictObject({
      css: text.optional().describe('A CSS selector'),
      role: z
        .string()
        .regex(/^[a-z]+$/, 'must be a role such as button, link, heading, textbox or checkbox')
        .optional()
        .describe('What it is to people: button, link, heading, textbox, checkbox, listitem, …'),
      text: text.optional().describe('What it says or is called, ignoring case; or /a pattern/'),
      label: text.optional().describe('Of a field: its label or placeholder'),
      nth: z.int().optional().describe('Which of several: 1 is the first, -1 the last'),
    })
    .refine(({ css, role, text: says, label }) => [css, role, says, label].some((given) => given !== undefined), {
      message: 'needs css, role, text or label',
    }),
])

const plainSchema = z.union([z.string(), z.number(), z.boolean()])

const matchSchema = z.union([
  plainSchema.describe('It is this, ignoring case and spacing'),
  z
    .strictObject({
      is: plainSchema.optional().describe('The same, ignoring case and spacing'),
      not: plainSchema.optional().describe('Anything but this'),
      contains: z.union([text, z.number()]).optional().describe('Has this in it'),
      matches: text.refine(isPattern, 'is not a pattern').optional().describe('A regular expression, as p or /p/i'),
      atLeast: z.number().optional().describe('Of the first number in it'),
      atMost: z.number().optional().describe('Of the first number in it'),
      within: z.number().min(0).optional().describe('How far a number may be from `is`'),
    })
    .refine((match) => Object.keys(match).some((key) => key !== 'within'), {
      message: 'needs is, not, contains, matches, atLeast or atMost',
    }),
])

/** `/p/i` or `p`. */
export function readPattern(pattern: string): RegExp {
  const [, source, flags] = /^\/(.*)\/([imsu]*)$/s.exec(pattern) ?? []
  return source === undefined ? new RegExp(pattern) : new RegExp(source, flags)
}

function isPattern(pattern: string): boolean {
  try {
    readPattern(pattern)
    return true
  } catch {
    return false
  }
}

const ofElement = {
  text: matchSchema.optional().describe('What it says; of a field, what is in it'),
  texts: z.array(z.string()).optional().describe('What all of them say, in the order of the page'),
  value: matchSchema.optional().describe('What is in the field'),
  count: matchSchema.optional().describe('How many there are to see'),
  visible: z.boolean().optional().describe('Whether there is one to see'),
  checked: z.boolean().optional().describe('Whether a switch is on'),
  disabled: z.boolean().optional().describe('Whether it cannot be used'),
  focused: z.boolean().optional().describe('Whether keys go to it'),
  attributes: z
    .record(text, z.union([matchSchema, z.null()]))
    .optional()
    .describe('By name; null: it has none'),
  style: z.record(text, matchSchema).optional().describe('CSS properties as computed; colours in any notation'),
  width: matchSchema.optional().describe('In pixels'),
  height: matchSchema.optional().describe('In pixels'),
  left: matchSchema.optional().describe('From the left edge of the screen'),
  top: matchSchema.optional().describe('From the top of the screen'),
  leftOf: targetSchema.optional().describe('Ends where this begins, or before'),
  rightOf: targetSchema.optional().describe('Begins where this ends, or after'),
  above: targetSchema.optional().describe('Ends above this'),
  below: targetSchema.optional().describe('Begins below this'),
  inside: targetSchema.optional().describe('Lies within the borders of this'),
}

const expectationSchema = z
  .strictObject({
    of: targetSchema.optional().describe('What it is about'),
    ...ofElement,
    title: matchSchema.optional().describe('The title of the page'),
    noErrors: z.literal(true).optional().describe('No uncaught error and no console.error so far'),
  })
  .superRefine((expectation, context) => {
    const given = Object.keys(expectation)
    const named = given.filter((name) => Object.hasOwn(ofElement, name))
    if (!given.includes('of') && named.length > 0)
      context.addIssue(`${named.join(', ')}: say of which element (of: a CSS selector, or { role, text })`)
    else if (given.includes('of') && named.length === 0)
      context.addIssue('says nothing of the element: give text, count, visible, style, …')
    else if (given.length === 0) context.addIssue('expects nothing')
  })

/** What goes with each action. */
const actions = new Map<string, readonly string[]>([
  ['click', ['times']],
  ['hover', []],
  ['type', ['into']],
  ['press', ['seconds']],
  ['drag', ['to', 'by']],
  ['wait', ['seconds']],
  ['resize', []],
  ['reload', []],
  ['expect', []],
])

const stepSchema = z
  .strictObject({
    click: targetSchema.optional().describe('Presses it with the pointer'),
    times: z.int().min(1).max(100).optional().describe('With click'),
    hover: targetSchema.optional().describe('Moves the pointer there'),
    type: z.string().max(10_000).optional().describe('Replaces what is in the field; in a list, what is chosen'),
    into: targetSchema.optional().describe('With type: the field'),
    press: z
      .union([keySchema, z.array(keySchema).min(1)])
      .optional()
      .describe('A key or several: Enter, ArrowLeft, a'),
    drag: targetSchema.optional().describe('Drags it with the pointer'),
    to: targetSchema.optional().describe('With drag: where it is dropped'),
    by: z.tuple([z.number(), z.number()]).optional().describe('With drag: how far, right and down, in pixels'),
    wait: z
      .union([z.number().positive().max(30), expectationSchema])
      .optional()
      .describe('Seconds, or what to wait for'),
    seconds: z.number().positive().max(30).optional().describe('With wait: at most (5); with press: how long'),
    resize: z
      .union([z.int().min(200).max(4000), z.tuple([z.int().min(200).max(4000), z.int().min(200).max(4000)])])
      .optional()
      .describe('The width of the screen, or width and height, in pixels'),
    reload: z.literal(true).optional().describe('Loads the page again; what it stored is kept'),
    expect: expectationSchema.optional().describe('What must now be so'),
  })
  .superRefine((step, context) => {
    const given = Object.keys(step)
    const [action, ...more] = given.filter((name) => actions.has(name))
    if (action === undefined || more.length > 0) {
      context.addIssue(`a step has exactly one of ${[...actions.keys()].join(', ')}`)
      return
    }
    const stray = given.find((name) => name !== action && !actions.get(action)?.includes(name))
    if (stray !== undefined) context.addIssue(`${stray} does not belong to ${action}`)
    if (action === 'type' && step.into === undefined) context.addIssue('type needs into: the field')
    if (action === 'drag' && (step.to === undefined) === (step.by === undefined))
      context.addIssue('drag needs either to or by')
  })

export const pageTestSchema = z.strictObject({
  name: text.describe('What the page must do'),
  weight: z.number().positive('must be greater than 0').default(1).describe('In the score; default 1'),
  steps: z.array(stepSchema).min(1).max(100).describe('In order, on a page that was loaded for this test'),
})

export const pageTestsSchema = z.array(pageTestSchema).min(1).max(50)

export type PageTarget = z.output<typeof targetSchema>
export type PageMatch = z.output<typeof matchSchema>
export type PageExpectation = z.output<typeof expectationSchema>
export type PageTestStep = z.output<typeof stepSchema>
export type PageTest = z.output<typeof pageTestSchema>
