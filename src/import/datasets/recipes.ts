import type { Recipe } from './recipe.ts'
import { code } from './recipes/code.ts'
import { completions } from './recipes/completions.ts'
import { conversations } from './recipes/conversations.ts'
import { entailment } from './recipes/entailment.ts'
import { facts, reading } from './recipes/facts.ts'
import { guess } from './recipes/guess.ts'
import { instructions } from './recipes/instructions.ts'
import { judgments } from './recipes/judgments.ts'
import { keywords } from './recipes/keywords.ts'
import { labels } from './recipes/labels.ts'
import { lastWord } from './recipes/last-word.ts'
import { maths } from './recipes/maths.ts'
import { multipleChoice } from './recipes/multiple-choice.ts'
import { rightAndWrong } from './recipes/right-and-wrong.ts'
import { samples } from './recipes/samples.ts'
import { summaries } from './recipes/summaries.ts'
import { translations } from './recipes/translations.ts'

/** In the order in which they are tried: the surest signs first. To add one, write its file and add a line here. */
export const recipes: readonly Recipe[] = [
  instructions,
  code,
  samples,
  rightAndWrong,
  completions,
  conversations,
  keywords,
  judgments,
  entailment,
  multipleChoice,
  translations,
  summaries,
  reading,
  maths,
  facts,
  labels,
  lastWord,
  guess,
]
