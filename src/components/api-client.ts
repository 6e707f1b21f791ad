import type {
  ApiError,
  AppInfo,
  Calibration,
  CaseDetail,
  CasePage,
  Exchange,
  GeneratedCases,
  KeyTest,
  ModelList,
  PairView,
  PanelAgreement,
  Problem,
  ResultsView,
  RunEstimate,
  RunList,
  RunsComparison,
  ScorerInfo,
  SettingsView,
  StartedRun,
  SuiteCheck,
  SuiteDocument,
  SuiteHistory,
  SuiteImport,
  SuiteSummary,
  ToolCallComparison,
  ToolCallFile,
  ToolCallFileList,
  ToolCallRecord,
  ToolCallRecords,
  TriedScore,
} from '../server/api.ts'
import type {
  ArenaPair,
  ArenaRanking,
  ArenaRunList,
  ArenaView,
  PreviewView,
  VoteResult,
} from '../server/code-arena/api.ts'
import type {
  CalibrateRequest,
  CodeArenaRequestInput,
  GenerateCasesRequest,
  PreviewRequest,
  RateCellRequest,
  ResumeRequest,
  RunRequestInput,
  SaveEndpointRequest,
  TryScorerRequest,
  VoteRequest,
} from '../contract/index.ts'

/** What the server refused, in its words. */
export class ApiFailure extends Error {
  override name = 'ApiFailure'
  readonly code: string
  readonly status: number
  readonly problems: Problem[]

  constructor(status: number, code: string, message: string, problems: Problem[] = []) {
    super(message)
    this.status = status
    this.code = code
    this.problems = problems
  }
}

type Query = Record<string, string | number | undefined>

function withQuery(path: string, query: Query = {}): string {
  const parts = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(parts.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? path : `${path}?${text}`
}

function isApiError(value: unknown): value is ApiError {
  return (
    typeof value === 'object' &&
    value !== null &&
    'error' in value &&
    typeof value.error === 'object' &&
    value.error !== null &&
    'message' in value.error
  )
}

async function send<T>(method: string, path: string, init: RequestInit = {}): Promise<T> {
  const reply = await fetch(`/api${path}`, { method, ...init }).catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw new ApiFailure(
      0,
      'no-connection',
      'Benchmaker does not answer. Is it still running in its terminal? What was stored is safe.',
    )
  })
  const isJson = reply.headers.get('content-type')?.startsWith('application/json') ?? false
  const value: unknown = isJson ? await reply.json() : undefined
  if (reply.ok) return value as T
  if (!isApiError(value))
    throw new ApiFailure(reply.status, 'failed', `The server answered ${reply.status}. Try again.`)
  throw new ApiFailure(reply.status, value.error.code, value.error.message, value.error.problems)
}

const get = <T>(path: string, query?: Query, signal?: AbortSignal) =>
  send<T>('GET', withQuery(path, query), signal ? { signal } : {})
const write = <T>(method: string, path: string, body: unknown = {}) =>
  send<T>(method, path, { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
const part = encodeURIComponent

/** Every route of the server as a function. */
export const api = {
  app: () => get<AppInfo>('/app'),
  models: (refresh = false) => get<ModelList>('/models', refresh ? { refresh: 1 } : {}),

  suites: () => get<SuiteSummary[]>('/suites'),
  suite: (id: string, version?: number) => get<SuiteDocument>(`/suites/${part(id)}`, { version }),
  createSuite: (suite: Record<string, unknown>) => write<SuiteDocument>('POST', '/suites', { suite }),
  saveSuite: (id: string, suite: Record<string, unknown>, after?: number) =>
    write<SuiteDocument>('PUT', `/suites/${part(id)}`, { suite, after }),
  deleteSuite: (id: string) => write<void>('DELETE', `/suites/${part(id)}`),
  checkSuite: (suite: Record<string, unknown>) => write<SuiteCheck>('POST', '/suites/check', { suite }),
  importSuite: (fileName: string, text: string) => write<SuiteImport>('POST', '/suites/import', { fileName, text }),
  suiteHistory: (id: string) => get<SuiteHistory>(`/suites/${part(id)}/history`),
  suiteExportUrl: (id: string, format: 'yaml' | 'json' | 'csv' | 'jsonl') =>
    `/api${withQuery(`/suites/${part(id)}/export`, { format })}`,
  scorers: () => get<ScorerInfo[]>('/scorers'),
  tryScorer: (request: TryScorerRequest) => write<TriedScore>('POST', '/suites/try', request),
  generateCases: (request: GenerateCasesRequest) => write<GeneratedCases>('POST', '/suites/generate', request),

  estimate: (request: RunRequestInput) => write<RunEstimate>('POST', '/estimate', request),
  startRun: (request: RunRequestInput) => write<StartedRun>('POST', '/runs', request),
  runs: (query: { offset?: number; limit?: number } = {}) => get<RunList>('/runs', query),
  stopRun: (id: string) => write<void>('POST', `/runs/${part(id)}/stop`),
  resumeRun: (id: string, request: ResumeRequest = {}) =>
    write<StartedRun>('POST', `/runs/${part(id)}/resume`, request),
  rescoreRun: (id: string) => write<StartedRun>('POST', `/runs/${part(id)}/rescore`),
  deleteRun: (id: string) => write<void>('DELETE', `/runs/${part(id)}`),
  /** Goes out even when the page is being left. */
  rateCell: (runId: string, rating: RateCellRequest) =>
    send<void>('PUT', `/runs/${part(runId)}/rating`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(rating),
      keepalive: true,
    }),
  exchange: (runId: string, testCase: string, model: string) =>
    get<Exchange>(`/runs/${part(runId)}/exchange`, { case: testCase, model }),
  runEventsUrl: (id: string) => `/api/runs/${part(id)}/events`,

  startCodeArena: (request: CodeArenaRequestInput) => write<StartedRun>('POST', '/code-arena', request),
  codeArenaRuns: (query: { offset?: number; limit?: number } = {}) => get<ArenaRunList>('/code-arena', query),
  codeArenaRun: (id: string) => get<ArenaView>(`/code-arena/${part(id)}`),
  codeArenaEventsUrl: (id: string) => `/api/code-arena/${part(id)}/events`,
  preview: (request: PreviewRequest) => write<PreviewView>('POST', '/code-arena/preview', request),
  codeArenaPair: (runId?: string) => get<ArenaPair>('/code-arena/pair', { runId }),
  vote: (request: VoteRequest) => write<VoteResult>('POST', '/code-arena/votes', request),
  codeArenaRanking: () => get<ArenaRanking>('/code-arena/ranking'),

  results: (selection: string) => get<ResultsView>(`/results/${part(selection)}`),
  cases: (
    selection: string,
    query: {
      offset?: number
      limit?: number
      sort?: string
      order?: 'asc' | 'desc'
      search?: string
      category?: string
      tag?: string
      state?: string
    },
    signal?: AbortSignal,
  ) => get<CasePage>(`/results/${part(selection)}/cases`, query, signal),
  caseDetail: (selection: string, id: string) => get<CaseDetail>(`/results/${part(selection)}/case`, { id }),
  answerUrl: (selection: string, { id, model, run }: { id: string; model: string; run: string }) =>
    `/api${withQuery(`/results/${part(selection)}/answer`, { id, model, run })}`,
  comparePair: (selection: string, a: string, b: string) =>
    get<PairView>(`/results/${part(selection)}/compare`, { a, b }),
  exportUrl: (selection: string, format: string) =>
    `/api${withQuery(`/results/${part(selection)}/export`, { format })}`,
  compareRuns: (a: string, b: string) => get<RunsComparison>('/compare', { a, b }),

  toolCallFiles: () => get<ToolCallFileList>('/tool-calls'),
  addToolCallFile: (file: File, options: { answersFor?: string; salvage?: 1 } = {}) =>
    send<ToolCallFile>('POST', withQuery('/tool-calls', { name: file.name, credit: 'seed', ...options }), {
      headers: { 'content-type': 'application/json' },
      body: file,
    }),
  toolCallFile: (id: string, credit: 'seed' | 'effects') => get<ToolCallFile>(`/tool-calls/${part(id)}`, { credit }),
  deleteToolCallFile: (id: string) => write<void>('DELETE', `/tool-calls/${part(id)}`),
  toolCallRecords: (
    id: string,
    query: {
      credit: 'seed' | 'effects'
      offset?: number
      limit?: number
      search?: string
      range?: string
      reward?: string
    },
  ) => get<ToolCallRecords>(`/tool-calls/${part(id)}/records`, query),
  toolCallRecord: (id: string, index: number, credit: 'seed' | 'effects') =>
    get<ToolCallRecord>(`/tool-calls/${part(id)}/records/${index}`, { credit }),
  scoredToolCallsUrl: (id: string, credit: 'seed' | 'effects') =>
    `/api${withQuery(`/tool-calls/${part(id)}/scored`, { credit })}`,
  compareToolCalls: (a: string, b: string, credit: 'seed' | 'effects') =>
    get<ToolCallComparison>('/tool-calls/compare', { a, b, credit }),

  calibrations: () => get<Calibration[]>('/calibrations'),
  calibration: (id: string) => get<Calibration>(`/calibrations/${part(id)}`),
  calibrate: (request: CalibrateRequest) => write<Calibration>('POST', '/calibrations', request),
  judgeAgreement: () => get<PanelAgreement[]>('/judges/agreement'),
  deleteCalibration: (id: string) => write<void>('DELETE', `/calibrations/${part(id)}`),

  settings: () => get<SettingsView>('/settings'),
  saveKey: (name: string, key: string) => write<SettingsView>('PUT', `/settings/keys/${part(name)}`, { key }),
  removeKey: (name: string) => write<SettingsView>('DELETE', `/settings/keys/${part(name)}`),
  testKey: (name: string) => write<KeyTest>('POST', `/settings/keys/${part(name)}/test`),
  saveEndpoint: (endpoint: SaveEndpointRequest) =>
    write<SettingsView>('PUT', `/settings/endpoints/${part(endpoint.name)}`, endpoint),
  removeEndpoint: (name: string) => write<SettingsView>('DELETE', `/settings/endpoints/${part(name)}`),
  backupUrl: () => '/api/settings/backup',
  restore: (file: File) =>
    send<{ runs: number }>('POST', '/settings/restore', {
      headers: { 'content-type': 'application/octet-stream' },
      body: file,
    }),
}
