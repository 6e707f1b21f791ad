import { z } from 'zod'
import { passMarkOfMethod, ScoringError, type CheckResult, type PageBench, type SeenPage } from '../contract/index.ts'
import { NO_PAGES } from './page-tests.ts'
import { defineScorer } from './scorer.ts'
import { compareBlocks, type VisualMeasures } from './visual/compare-blocks.ts'

const options = z.object({
  referencePage: z.string().min(1).describe('The page to be rebuilt, as HTML or as a file beside the suite'),
})

const names: Record<keyof VisualMeasures, string> = {
  blocks: 'Blocks that have a counterpart',
  text: 'Text',
  position: 'Position',
  colour: 'Colour',
}

async function see(what: 'answer' | 'reference page', response: string, pages: PageBench): Promise<SeenPage | string> {
  const seen = await pages.seePage(response, {})
  if ('notSeen' in seen)
    throw new ScoringError('page-not-seen', `The ${what} could not be compared here. ${seen.notSeen}`)
  if (!('problem' in seen)) return seen
  if (what === 'answer') return seen.problem
  throw new ScoringError('invalid-options', `referencePage: ${seen.problem}`)
}

/** Compares the page of an answer with the one that it is to look like. */
export const pageSimilarity = defineScorer({
  name: 'page-similarity',
  summary: 'Compares how the page looks with a reference page: its blocks, their text, position and colour',
  expectedOutput: 'unused',
  options,
  opensPages: true,
  passAt: passMarkOfMethod('page-similarity'),
  async score({ response, keepPicture }, { referencePage }, { pages }) {
    if (!pages) throw new ScoringError('page-not-seen', NO_PAGES)
    const reference = await see('reference page', `\`\`\`html\n${referencePage}\n\`\`\``, pages)
    const page = await see('answer', response, pages)
    if (typeof reference === 'string' || typeof page === 'string')
      return { score: 0, notes: typeof page === 'string' ? page : '' }
    await keepPicture?.('reference.png', reference.png)
    await keepPicture?.('page.png', page.png)
    const measures = compareBlocks(reference, page)
    const checks = (['blocks', 'text', 'position', 'colour'] as const).map((measure): CheckResult => ({
      name: names[measure],
      scoringMethod: 'page-measure',
      weight: 1,
      score: measures[measure],
    }))
    return {
      score: checks.reduce((sum, { score }) => sum + score, 0) / checks.length,
      notes: checks.map(({ name, score }) => `${name} ${Math.round(100 * score)}`).join(', '),
      checks,
    }
  },
})
