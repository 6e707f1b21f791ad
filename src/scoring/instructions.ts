import { z } from 'zod'
import { INSTRUCTIONS, ScoringError, type CheckResult, type ScoringResult } from '../contract/index.ts'
import { instructionKinds } from './instructions/kinds.ts'
import { defineScorer } from './scorer.ts'
import { dropThinking } from './text/read-answer.ts'

const instructionSchema = z.looseObject({
  kind: z.string().describe('IFEval’s name, such as punctuation:no_comma; its own fields are written beside it'),
})

type Instruction = z.output<typeof instructionSchema>

/** The fields of an instruction. Published datasets write those of all other kinds as null. */
function fieldsOf({ kind: _kind, ...fields }: Instruction): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

function checkInstruction(instruction: Instruction, index: number): void {
  const { kind } = instruction
  const known = Object.hasOwn(instructionKinds, kind) ? instructionKinds[kind] : undefined
  if (!known)
    throw new ScoringError(
      'invalid-options',
      `checks.${index}: there is no instruction ${JSON.stringify(kind)}; use one of ${Object.keys(instructionKinds).join(', ')}`,
    )
  const [issue] = known.fields.safeParse(fieldsOf(instruction)).error?.issues ?? []
  if (issue)
    throw new ScoringError('invalid-options', `checks.${index}: ${kind}: ${issue.path.join('.')}: ${issue.message}`)
}

/** IFEval's loose accuracy: without the first or last line, which introduce and close, and without asterisks. */
function looseVariants(response: string): string[] {
  const lines = response.split('\n')
  const parts = [lines, lines.slice(1), lines.slice(0, -1), lines.slice(1, -1)].map((part, index) =>
    index === 0 ? response : part.join('\n').trim(),
  )
  return parts.flatMap((part) => [part, part.replaceAll('*', '')])
}

async function isFollowed(instruction: Instruction, variants: readonly string[]): Promise<boolean> {
  const known = instructionKinds[instruction.kind]!
  for (const variant of variants)
    if (variant.trim() !== '' && (await known.follows(variant, fieldsOf(instruction)))) return true
  return false
}

export async function checkInstructions(
  response: string,
  checks: readonly Instruction[],
  strict = true,
): Promise<ScoringResult> {
  checks.forEach(checkInstruction)
  const answer = dropThinking(response)
  const variants = strict ? [answer] : looseVariants(answer)
  const results = await Promise.all(
    checks.map(async (instruction): Promise<CheckResult> => ({
      name: instruction.kind,
      scoringMethod: INSTRUCTIONS,
      score: (await isFollowed(instruction, variants)) ? 1 : 0,
      weight: 1,
    })),
  )
  const followed = results.filter(({ score }) => score === 1).length
  const missed = results.filter(({ score }) => score === 0).map(({ name }) => name)
  const notes = `${followed} of ${results.length} instructions followed`
  return {
    score: followed / results.length,
    notes: missed.length === 0 ? notes : `${notes}; not ${missed.join(', ')}`,
    checks: results,
  }
}

const DETECTING = /^language:|^change_case:english/

/** A keyword is a pattern of the suite's, which may never end. */
function hasPattern({ keyword, keywords, forbidden_words, section_spliter }: Instruction): boolean {
  return /[*+{(|]/.test(JSON.stringify([keyword, keywords, forbidden_words, section_spliter]))
}

export const instructions = defineScorer({
  name: INSTRUCTIONS,
  summary: 'The share of instructions that the answer follows, of the 25 kinds that IFEval checks by program',
  expectedOutput: 'unused',
  options: z.object({
    checks: z
      .array(instructionSchema)
      .min(1)
      .describe('The instructions: { kind: length_constraints:number_words, relation: at least, num_words: 300 }'),
    strict: z
      .boolean()
      .default(true)
      .describe('Without it, an instruction also counts without the first or last line, or without asterisks'),
  }),
  validate: (_expected, { checks }) => checks.forEach(checkInstruction),
  // The threads have no detector of languages: it is larger than all of their code.
  isSlow: (_input, { checks }) => checks.some(hasPattern) && !checks.some(({ kind }) => DETECTING.test(kind)),
  score: ({ response }, { checks, strict }) => checkInstructions(response, checks, strict),
})
