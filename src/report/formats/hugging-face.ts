import { countNoun, InputError, writeInterval } from '../../contract/index.ts'
import type { Report } from '../model/report.ts'
import type { ReportRow } from '../model/standings/report-row.ts'
import type { ReportFormat } from './report-format.ts'

const NO_BENCHMARK =
  'the suite is of no benchmark on Hugging Face: read it from there (hf://datasets/OWNER/NAME), or name the benchmark in the suite (benchmark: { dataset: OWNER/NAME, task: ID })'

const benchmarkOf = ({ runs }: Report) => runs[0]?.testSuiteSnapshot?.benchmark

/**
 * A result for the `.eval_results` folder of a model on Hugging Face, from which benchmarks make their leaderboards:
 * https://huggingface.co/docs/hub/eval-results, https://github.com/huggingface/hub-docs/blob/main/eval_results.yaml.
 * JSON texts are YAML texts too.
 */
function writeResult(report: Report, { score, isSimulated, unscored, errors, notRun }: ReportRow): string {
  const { runs, caseCount } = report
  const [benchmark, run] = [benchmarkOf(report), runs[0]]
  // A model without a score has no result: 0 would be one.
  if (!benchmark || !run || !score) return '[]\n'
  const missing = unscored + errors + notRun
  const notes = [
    `95 % CI ${writeInterval(score)}`,
    countNoun(caseCount, 'case'),
    ...(missing > 0 ? [`${countNoun(missing, 'answer')} without a score left out`] : []),
    ...(runs.length > 1 ? [`mean of ${runs.length} runs`] : []),
    ...(isSimulated ? ['simulated'] : []),
  ].join(', ')
  return [
    '- dataset:',
    `    id: ${JSON.stringify(benchmark.dataset)}`,
    `    task_id: ${JSON.stringify(benchmark.task)}`,
    // In percent, as the documentation has it.
    `  value: ${Number((100 * score.mean).toFixed(2))}`,
    ...(run.startedAt === undefined ? [] : [`  date: "${new Date(run.startedAt).toISOString()}"`]),
    `  notes: ${JSON.stringify(notes)}`,
    '',
  ].join('\n')
}

export const huggingFaceFormat: ReportFormat = {
  name: 'hugging-face',
  label: 'Hugging Face results',
  extension: '.results.yaml',
  mediaType: 'application/yaml',
  write: (report) =>
    benchmarkOf(report)
      ? report.rows.map((row) => `# ${row.modelId}\n${writeResult(report, row)}`).join('---\n')
      : `# ${NO_BENCHMARK}\n[]\n`,
  writeFiles(report) {
    if (!benchmarkOf(report)) throw new InputError(NO_BENCHMARK)
    return report.rows.map((row) => ({ of: row.modelId, bytes: new TextEncoder().encode(writeResult(report, row)) }))
  },
}
