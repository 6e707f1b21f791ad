-- A database as version 1 of the tables left it, statement by statement; each ends with a semicolon and an empty line.

CREATE TABLE benchmaker_migrations ( -- Which changes to the tables have been made
  version INTEGER PRIMARY KEY, -- counts from 1
  name TEXT NOT NULL, -- what it brought
  applied_at NUMERIC NOT NULL -- milliseconds since 1970
);

CREATE TABLE suites ( -- Each content of a suite once, however many runs used it
  hash TEXT PRIMARY KEY, -- SHA-256 of content
  name TEXT, -- as the suite calls itself
  content TEXT NOT NULL -- JSON: the whole suite with its prompts
);

CREATE TABLE runs ( -- One row a run: every model asked every test case once
  number INTEGER PRIMARY KEY AUTOINCREMENT, -- for joins only; people and programs use id
  id TEXT NOT NULL UNIQUE, -- what the command line takes
  series_id TEXT, -- the same for runs that repeat one another
  suite TEXT REFERENCES suites (hash), -- the suite as it was
  suite_id TEXT, -- the suite by its own id
  suite_name TEXT, -- the suite by its name
  models TEXT NOT NULL, -- JSON: list of model ids
  parameters TEXT, -- JSON: temperature and the others
  judge_model TEXT, -- who judged, if anybody
  versions TEXT, -- JSON: of the program, the prompts, the judge
  status TEXT NOT NULL, -- idle, running, completed, failed or cancelled
  started_at NUMERIC NOT NULL, -- milliseconds since 1970
  completed_at NUMERIC -- milliseconds since 1970
);

CREATE TABLE cells ( -- One row for each test case and model of a run, in the order of the suite
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- for joins only
  run INTEGER NOT NULL REFERENCES runs (number) ON DELETE CASCADE, -- runs.number
  case_id TEXT NOT NULL, -- id of the test case
  model_id TEXT NOT NULL, -- id of the model, with @variant if it has one
  state TEXT NOT NULL, -- pending, answered (not scored yet), scored, unscored or error
  outcome TEXT, -- ok, empty, refusal, filtered, truncated, error, timeout or cancelled
  error TEXT, -- why there is no answer
  UNIQUE (run, case_id, model_id)
);

CREATE TABLE attempts ( -- The ledger: one row a request, written before it leaves; without ended_at its process died or still waits
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- in the order of sending
  cell INTEGER NOT NULL REFERENCES cells (id) ON DELETE CASCADE, -- cells.id
  purpose TEXT NOT NULL, -- answer or judge
  asked_model TEXT NOT NULL, -- the model asked: the one of the cell, or a judge
  started_at NUMERIC NOT NULL, -- milliseconds since 1970
  ended_at NUMERIC, -- milliseconds since 1970
  outcome TEXT, -- as in cells
  prompt_tokens NUMERIC, -- as the provider counts
  completion_tokens NUMERIC, -- as the provider counts
  cost INTEGER, -- in 1e-12 US dollars (divide by 1e12); empty when unknown, which is not 0
  latency_ms NUMERIC, -- request to last byte
  first_token_ms NUMERIC, -- request to first token
  http_status NUMERIC, -- of the reply
  error TEXT -- what went wrong
);

CREATE TABLE answers ( -- What a model answered, at most one a cell
  cell INTEGER PRIMARY KEY REFERENCES cells (id) ON DELETE CASCADE, -- cells.id
  attempt INTEGER NOT NULL, -- attempts.id that brought it
  outcome TEXT NOT NULL, -- as in cells
  prompt_tokens NUMERIC, -- as the provider counts
  completion_tokens NUMERIC, -- as the provider counts
  cost INTEGER, -- in 1e-12 US dollars (divide by 1e12); empty when unknown, which is not 0
  latency_ms NUMERIC NOT NULL, -- request to last byte
  first_token_ms NUMERIC, -- request to first token
  finish_reason TEXT, -- why it stopped, in the words of the provider
  left_out TEXT, -- JSON: parameters that the model does not take
  tool_calls TEXT, -- JSON: list of name and arguments
  response TEXT NOT NULL, -- the text
  reasoning TEXT -- what it thought aloud
);

CREATE TABLE scores ( -- What the scorer said of an answer: a score, or why there is none
  cell INTEGER PRIMARY KEY REFERENCES cells (id) ON DELETE CASCADE, -- cells.id
  score NUMERIC, -- 0 to 1; empty when unscored, which is not 0
  confidence NUMERIC, -- 0 to 1
  raw_score NUMERIC, -- on the scale of the scorer
  max_score NUMERIC, -- the end of that scale
  notes TEXT, -- how the score came about
  checks TEXT, -- JSON: the result of each check
  details TEXT, -- JSON: what else the scorer said
  unscored_code TEXT, -- the kind of reason for no score
  unscored_message TEXT -- the reason for no score
);

CREATE TABLE ratings ( -- What a person thinks of an answer
  cell INTEGER PRIMARY KEY REFERENCES cells (id) ON DELETE CASCADE, -- cells.id
  rating NUMERIC, -- 0 to 1
  note TEXT, -- in words
  rated_at NUMERIC NOT NULL -- milliseconds since 1970
);

CREATE INDEX cells_by_run ON cells (run, id);

CREATE INDEX attempts_by_cell ON attempts (cell, purpose, cost);

CREATE INDEX runs_by_series ON runs (series_id);

CREATE INDEX runs_by_suite ON runs (suite);

CREATE VIEW results AS -- One row a cell, for people: SELECT * FROM results WHERE run = '…'
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
LEFT JOIN ratings ON ratings.cell = cells.id;

INSERT INTO benchmaker_migrations VALUES (1, 'runs, cells, attempts, answers, scores, ratings', 1700000100000);

INSERT INTO suites VALUES ('9471fff7b20cf0ae392d86c1dd8f4df8d3c6d9dd7ad9ce2c93092ef73336d962', 'Capitals', '{"name":"Capitals","systemPrompt":"Answer in one word.","testCases":[{"id":"france","prompt":"Capital of France?","expectedOutput":"Paris","scoringMethod":"exact-match","weight":1},{"id":"italy","prompt":"Capital of Italy?","expectedOutput":"Rome","scoringMethod":"exact-match","weight":2}]}');

INSERT INTO runs VALUES (1, 'old run', 'series', '9471fff7b20cf0ae392d86c1dd8f4df8d3c6d9dd7ad9ce2c93092ef73336d962', NULL, 'Capitals', '["good","poor"]', '{"temperature":0,"topP":1,"maxTokens":100,"frequencyPenalty":0,"presencePenalty":0,"benchmarkMode":true}', NULL, '{"benchmaker":"0.1.0"}', 'completed', 1700000000000, 1700000200000);

INSERT INTO cells VALUES (1, 1, 'france', 'good', 'scored', 'truncated', NULL);

INSERT INTO cells VALUES (2, 1, 'france', 'poor', 'scored', 'ok', NULL);

INSERT INTO cells VALUES (3, 1, 'italy', 'good', 'unscored', 'ok', NULL);

INSERT INTO cells VALUES (4, 1, 'italy', 'poor', 'error', 'timeout', 'no token in 120 s');

INSERT INTO attempts VALUES (1, 1, 'answer', 'good', 1700000000500, 1700000001000, 'ok', NULL, NULL, 250000000000, NULL, NULL, NULL, NULL);

INSERT INTO attempts VALUES (2, 1, 'judge', 'judge-model', 1700000000500, 1700000001000, 'ok', NULL, NULL, 50000000000, NULL, NULL, NULL, NULL);

INSERT INTO attempts VALUES (3, 2, 'answer', 'poor', 1700000000500, 1700000001000, 'ok', NULL, NULL, NULL, NULL, NULL, NULL, NULL);

INSERT INTO attempts VALUES (4, 3, 'answer', 'good', 1700000000500, 1700000001000, 'ok', NULL, NULL, NULL, NULL, NULL, NULL, NULL);

INSERT INTO attempts VALUES (5, 4, 'answer', 'poor', 1700000000500, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

INSERT INTO answers VALUES (1, 1, 'truncated', 12, 7, 123400000, 812.25, 201.5, 'length', '["temperature"]', '[{"name":"look_up","arguments":{"country":"France","nested":[1,{"deep":null}]}}]', 'Paris, of cour', 'The user wants a capital.');

INSERT INTO answers VALUES (2, 3, 'ok', NULL, NULL, NULL, 100, NULL, NULL, NULL, NULL, 'PARIS', NULL);

INSERT INTO answers VALUES (3, 4, 'ok', NULL, NULL, NULL, 100, NULL, NULL, NULL, NULL, 'Rome', NULL);

INSERT INTO scores VALUES (1, 0.85, 0.9, 8.5, 10, 'a 0.9, b 0.8', NULL, '{"judges":[{"judgeModelId":"a","score":0.9,"reasoning":"It''s right \u0000 indeed."},{"judgeModelId":"b","score":0.8,"reasoning":"Half \ud800 right"}],"criteria":{"clear":3}}', NULL, NULL);

INSERT INTO scores VALUES (2, 0.5, NULL, NULL, NULL, NULL, '[{"scoringMethod":"llm-judge","weight":1,"score":0.5,"notes":"half","judges":[{"judgeModelId":"a","score":0.5,"reasoning":"half"}]},{"scoringMethod":"exact-match","weight":2,"score":0.5,"notes":"contains"}]', NULL, NULL, NULL);

INSERT INTO scores VALUES (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'judge-unreadable', 'no number');

INSERT INTO ratings VALUES (1, 0.75, 'fair', 1700000100001);
