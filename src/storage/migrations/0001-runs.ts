import type { Table, Migration } from './migration.ts'

const ofCell = 'REFERENCES cells (id) ON DELETE CASCADE'
const money = 'in 1e-12 US dollars (divide by 1e12); empty when unknown, which is not 0'

const tables: Table[] = [
  {
    name: 'suites',
    comment: 'Each content of a suite once, however many runs used it',
    columns: {
      hash: { type: 'text', rule: 'PRIMARY KEY', comment: 'SHA-256 of content' },
      name: { type: 'text', comment: 'as the suite calls itself' },
      content: { type: 'text', rule: 'NOT NULL', comment: 'JSON: the whole suite with its prompts' },
    },
  },
  {
    name: 'runs',
    comment: 'One row a run: every model asked every test case once',
    columns: {
      number: { type: 'key', comment: 'for joins only; people and programs use id' },
      id: { type: 'text', rule: 'NOT NULL UNIQUE', comment: 'what the command line takes' },
      series_id: { type: 'text', comment: 'the same for runs that repeat one another' },
      suite: { type: 'text', rule: 'REFERENCES suites (hash)', comment: 'the suite as it was' },
      suite_id: { type: 'text', comment: 'the suite by its own id' },
      suite_name: { type: 'text', comment: 'the suite by its name' },
      models: { type: 'text', rule: 'NOT NULL', comment: 'JSON: list of model ids' },
      parameters: { type: 'text', comment: 'JSON: temperature and the others' },
      judge_model: { type: 'text', comment: 'who judged, if anybody' },
      versions: { type: 'text', comment: 'JSON: of the program, the prompts, the judge' },
      status: { type: 'text', rule: 'NOT NULL', comment: 'idle, running, completed, failed or cancelled' },
      started_at: { type: 'number', rule: 'NOT NULL', comment: 'milliseconds since 1970' },
      completed_at: { type: 'number', comment: 'milliseconds since 1970' },
    },
  },
  {
    name: 'cells',
    comment: 'One row for each test case and model of a run, in the order of the suite',
    columns: {
      id: { type: 'key', comment: 'for joins only' },
      run: { type: 'integer', rule: 'NOT NULL REFERENCES runs (number) ON DELETE CASCADE', comment: 'runs.number' },
      case_id: { type: 'text', rule: 'NOT NULL', comment: 'id of the test case' },
      model_id: { type: 'text', rule: 'NOT NULL', comment: 'id of the model, with @variant if it has one' },
      state: {
        type: 'text',
        rule: 'NOT NULL',
        comment: 'pending, answered (not scored yet), scored, unscored or error',
      },
      outcome: { type: 'text', comment: 'ok, empty, refusal, filtered, truncated, error, timeout or cancelled' },
      error: { type: 'text', comment: 'why there is no answer' },
    },
    constraints: ['UNIQUE (run, case_id, model_id)'],
  },
  {
    name: 'attempts',
    comment:
      'The ledger: one row a request, written before it leaves; without ended_at its process died or still waits',
    columns: {
      id: { type: 'key', comment: 'in the order of sending' },
      cell: { type: 'integer', rule: `NOT NULL ${ofCell}`, comment: 'cells.id' },
      purpose: { type: 'text', rule: 'NOT NULL', comment: 'answer or judge' },
      asked_model: { type: 'text', rule: 'NOT NULL', comment: 'the model asked: the one of the cell, or a judge' },
      started_at: { type: 'number', rule: 'NOT NULL', comment: 'milliseconds since 1970' },
      ended_at: { type: 'number', comment: 'milliseconds since 1970' },
      outcome: { type: 'text', comment: 'as in cells' },
      prompt_tokens: { type: 'number', comment: 'as the provider counts' },
      completion_tokens: { type: 'number', comment: 'as the provider counts' },
      cost: { type: 'integer', comment: money },
      latency_ms: { type: 'number', comment: 'request to last byte' },
      first_token_ms: { type: 'number', comment: 'request to first token' },
      http_status: { type: 'number', comment: 'of the reply' },
      error: { type: 'text', comment: 'what went wrong' },
    },
  },
  {
    name: 'answers',
    comment: 'What a model answered, at most one a cell',
    columns: {
      cell: { type: 'integer', rule: `PRIMARY KEY ${ofCell}`, comment: 'cells.id' },
      attempt: { type: 'integer', rule: 'NOT NULL', comment: 'attempts.id that brought it' },
      outcome: { type: 'text', rule: 'NOT NULL', comment: 'as in cells' },
      prompt_tokens: { type: 'number', comment: 'as the provider counts' },
      completion_tokens: { type: 'number', comment: 'as the provider counts' },
      cost: { type: 'integer', comment: money },
      latency_ms: { type: 'number', rule: 'NOT NULL', comment: 'request to last byte' },
      first_token_ms: { type: 'number', comment: 'request to first token' },
      finish_reason: { type: 'text', comment: 'why it stopped, in the words of the provider' },
      left_out: { type: 'text', comment: 'JSON: parameters that the model does not take' },
      tool_calls: { type: 'text', comment: 'JSON: list of name and arguments' },
      response: { type: 'text', rule: 'NOT NULL', comment: 'the text' },
      reasoning: { type: 'text', comment: 'what it thought aloud' },
    },
  },
  {
    name: 'scores',
    comment: 'What the scorer said of an answer: a score, or why there is none',
    columns: {
      cell: { type: 'integer', rule: `PRIMARY KEY ${ofCell}`, comment: 'cells.id' },
      score: { type: 'number', comment: '0 to 1; empty when unscored, which is not 0' },
      confidence: { type: 'number', comment: '0 to 1' },
      raw_score: { type: 'number', comment: 'on the scale of the scorer' },
      max_score: { type: 'number', comment: 'the end of that scale' },
      notes: { type: 'text', comment: 'how the score came about' },
      checks: { type: 'text', comment: 'JSON: the result of each check' },
      details: { type: 'text', comment: 'JSON: what else the scorer said' },
      unscored_code: { type: 'text', comment: 'the kind of reason for no score' },
      unscored_message: { type: 'text', comment: 'the reason for no score' },
    },
  },
  {
    name: 'ratings',
    comment: 'What a person thinks of an answer',
    columns: {
      cell: { type: 'integer', rule: `PRIMARY KEY ${ofCell}`, comment: 'cells.id' },
      rating: { type: 'number', comment: '0 to 1' },
      note: { type: 'text', comment: 'in words' },
      rated_at: { type: 'number', rule: 'NOT NULL', comment: 'milliseconds since 1970' },
    },
  },
]

const indexes = [
  'CREATE INDEX cells_by_run ON cells (run, id)',
  'CREATE INDEX attempts_by_cell ON attempts (cell, purpose, cost)',
  'CREATE INDEX runs_by_series ON runs (series_id)',
  'CREATE INDEX runs_by_suite ON runs (suite)',
]

/** Valid in both databases. */
const resultsView = `CREATE VIEW results AS -- One row a cell, for people: SELECT * FROM results WHERE run = '…'
SELECT
  runs.id AS run,
  cells.case_id AS test_case,
  cells.model_id AS model,
  cells.state AS state,
  cells.outcome AS outcome,
  round(CAST(scores.score * 100 AS numeric), 4) AS score, -- 0 to 100
  scores.unscored_message AS unscored,
  (SELECT round(CAST(sum(attempts.cost / 1e12) AS numeric), 12) FROM attempts WHERE attempts.cell = cells.id) AS cost, -- US dollars, all attempts
  (SELECT count(*) FROM attempts WHERE attempts.cell = cells.id AND attempts.purpose = 'answer') AS attempts,
  answers.latency_ms AS latency_ms,
  ratings.rating AS rating,
  ratings.note AS note,
  cells.error AS error,
  answers.response AS response
FROM cells
JOIN runs ON runs.number = cells.run
LEFT JOIN answers ON answers.cell = cells.id
LEFT JOIN scores ON scores.cell = cells.id
LEFT JOIN ratings ON ratings.cell = cells.id`

export const runs: Migration = {
  name: 'runs, cells, attempts, answers, scores, ratings',
  tables,
  statements: () => [...indexes, resultsView],
}
