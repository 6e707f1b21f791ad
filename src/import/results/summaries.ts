import type { ResultsFile } from './foreign-results.ts'
import { listTopKeys, readFirstRecord } from './top-keys.ts'

/** Files that other tools write beside their results: what they are, and which file to import instead. */
const SUMMARIES: { has: readonly string[]; says: string }[] = [
  {
    has: ['dataset_name', 'model_name', 'metrics'],
    says: 'a report of EvalScope, which has means and no answers: import the reviews, reviews/MODEL/DATASET.jsonl',
  },
  {
    has: ['adapter_spec', 'scenario_spec'],
    says: 'the description of a HELM run, without scores: import per_instance_stats.json, which is beside it',
  },
  {
    has: ['results', 'configs', 'n-shot'],
    says: 'a summary of lm-evaluation-harness, which has means and no answers: import samples_….jsonl, which is beside it',
  },
  {
    has: ['results', 'config', 'higher_is_better'],
    says: 'a summary of lm-evaluation-harness, which has means and no answers: import samples_….jsonl, which is beside it',
  },
]

/** What a file is that belongs to results but holds none itself; undefined for any other file. */
export async function describeSummary(file: ResultsFile): Promise<string | undefined> {
  const keys = await listTopKeys(file)
  const summary = SUMMARIES.find(({ has }) => has.every((key) => keys.has(key)))
  if (summary) return summary.says
  const first = await readFirstRecord(file)
  const isStat =
    first !== undefined && ['name', 'count', 'sum', 'sum_squared'].every((key) => Object.hasOwn(first, key))
  return isStat ? 'the means of a HELM run: import per_instance_stats.json, which is beside it' : undefined
}
