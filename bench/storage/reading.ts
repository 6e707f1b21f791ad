/**
 * The cost of reading a run of many cells: whole, without its texts, and by search, compared with a bare SELECT of the
 * same columns through node:sqlite into arrays; and of listing 200 runs of 1,000 cells, compared with the bare sums.
 * Run: `node bench/storage/reading.ts [cells]`
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openStorage } from '../../src/storage/index.ts'

const cells = Number(process.argv[2] ?? 100_000)
const folder = mkdtempSync(join(tmpdir(), 'benchmaker-bench-'))
const response = 'The answer is forty-two, because it always is. '.repeat(20)
const models = Array.from({ length: 10 }, (_, index) => `vendor/some-model-${index}`)

/** Writes runs as the engine leaves them, every other cell judged by two judges. Uses SQL, because only reading counts. */
async function writeRuns(file: string, { runs, cellsPerRun }: { runs: number; cellsPerRun: number }) {
  const storage = await openStorage({ file })
  const names = Array.from({ length: cellsPerRun }, (_, index) => ({
    testCaseId: `case-${Math.floor(index / 10)}`,
    modelId: models[index % 10]!,
  }))
  for (let run = 0; run < runs; run++)
    await storage.createRun({ id: `run-${run}`, kind: 'suite', models, startedAt: run }, names)
  await storage.close()
  const judges = (reasoning: string) =>
    JSON.stringify({ judges: ['a', 'b'].map((judgeModelId) => ({ judgeModelId, score: 0.9, reasoning })) })
  const database = new DatabaseSync(file)
  database.exec(`BEGIN;
    UPDATE cells SET state = 'scored', outcome = 'ok';
    INSERT INTO attempts (cell, purpose, asked_model, started_at, ended_at, outcome, cost, latency_ms) SELECT id, 'answer', model_id, 1, 2, 'ok', 123400000 + id, 812.25 FROM cells;
    INSERT INTO answers (cell, attempt, outcome, prompt_tokens, completion_tokens, cost, latency_ms, first_token_ms, finish_reason, response)
      SELECT id, id, 'ok', 120, 80, 123400000, 800.25 + id % 1000, 201.5, 'stop', '${response}' FROM cells;
    INSERT INTO scores (cell, score, confidence, raw_score, max_score, notes, details, figures)
      SELECT id, (id % 101) / 100.0, 1, id % 11, 10, 'expected text found in the response',
        CASE WHEN id % 2 THEN '${judges(response)}' END, CASE WHEN id % 2 THEN '${judges('')}' END FROM cells;
    COMMIT`)
  database.close()
}

async function medianOf(work: () => unknown, rounds = 7): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)]!
}

const show = (name: string, ours: number, bare: number) =>
  console.log(
    `${name.padEnd(34)} ${ours.toFixed(0).padStart(6)} ms   bare ${bare.toFixed(0).padStart(6)} ms   ratio ${(ours / bare).toFixed(2)}`,
  )

function prepareBare(file: string) {
  const database = new DatabaseSync(file, { readOnly: true })
  return (sql: string) => {
    const statement = database.prepare(sql)
    statement.setReturnArrays(true)
    return () => statement.all()
  }
}

const joins = (index: (name: string) => string) =>
  `FROM cells LEFT JOIN answers ${index('answers_numbers')} ON answers.cell = cells.id LEFT JOIN scores ${index('scores_numbers')} ON scores.cell = cells.id WHERE run = 1 ORDER BY cells.id`
const numbers = `case_id, model_id, state, cells.outcome, substr(cells.error, 1, 1500), answers.prompt_tokens, answers.completion_tokens, answers.latency_ms, answers.first_token_ms,
  answers.left_out, score, confidence, raw_score, max_score, unscored_code, unscored_message, figures`

try {
  const file = join(folder, 'large.db')
  await writeRuns(file, { runs: 1, cellsPerRun: cells })
  const storage = await openStorage({ file })
  const bare = prepareBare(file)
  console.log(
    `${cells.toLocaleString('en')} cells with ${response.length} characters each, half of them judged by two judges`,
  )
  show(
    'loadRun without texts',
    await medianOf(() => storage.loadRun('run-0', { texts: false })),
    await medianOf(bare(`SELECT ${numbers} ${joins((name) => `INDEXED BY ${name}`)}`)),
  )
  show(
    'loadRun',
    await medianOf(() => storage.loadRun('run-0'), 3),
    await medianOf(bare(`SELECT ${numbers}, response, tool_calls, notes, checks, details ${joins(() => '')}`), 3),
  )
  for (const text of ['forty-two', 'nowhere'])
    show(
      `searchAnswers "${text}"`,
      await medianOf(() => storage.searchAnswers('run-0', text)),
      await medianOf(
        bare(
          `SELECT case_id, model_id, response FROM cells JOIN answers ON answers.cell = cells.id WHERE response LIKE '%${text}%'`,
        ),
      ),
    )
  await storage.close()
  const many = join(folder, 'many.db')
  await writeRuns(many, { runs: 200, cellsPerRun: 1000 })
  const list = await openStorage({ file: many })
  const bareOfMany = prepareBare(many)
  const sums = [
    bareOfMany('SELECT run, state, count(*) FROM cells GROUP BY run, state'),
    bareOfMany('SELECT count(*), count(cost), sum(cost / 1000000), sum(cost % 1000000) FROM attempts'),
  ]
  show(
    'listRuns, 200 runs of 1,000 cells',
    await medianOf(() => list.listRuns()),
    await medianOf(() => sums.map((sum) => sum())),
  )
  show(
    'listRuns, the first 20 of them',
    await medianOf(() => list.listRuns({ limit: 20 })),
    (await medianOf(() => sums.map((sum) => sum()))) / 10,
  )
  await list.close()
} finally {
  rmSync(folder, { recursive: true })
}
