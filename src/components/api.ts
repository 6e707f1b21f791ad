import { hc } from 'hono/client'
import type { AccountRoutes } from '../server/access/account-routes.ts'
import type { SignInRoutes } from '../server/access/sign-in-routes.ts'
import type { TeamRoutes } from '../server/access/team-routes.ts'
import type { CodeArenaRoutes } from '../server/code-arena/routes.ts'
import type { ComparingRoutes } from '../server/comparing/routes.ts'
import type { ConversationRoutes } from '../server/code-arena/conversation-routes.ts'
import type { AppRoutes } from '../server/http/app-routes.ts'
import type { AuditRoutes } from '../server/judges/audit-routes.ts'
import type { ImportRoutes } from '../server/imports/routes.ts'
import type { JudgeRoutes } from '../server/judges/routes.ts'
import type { PlaygroundRoutes } from '../server/playground/routes.ts'
import type { RatingRoutes } from '../server/ratings/routes.ts'
import type { RankingRoutes } from '../server/rankings/routes.ts'
import type { CompareRoutes } from '../server/results/compare/compare-routes.ts'
import type { CaseRoutes } from '../server/results/cases/case-routes.ts'
import type { OverviewRoutes } from '../server/results/overview/overview-routes.ts'
import type { ResultsRoutes } from '../server/results/routes.ts'
import type { RunRoutes } from '../server/runs/routes.ts'
import type { ModelRoutes } from '../server/settings/model-routes.ts'
import type { SharingRoutes } from '../server/sharing/routes.ts'
import type { SettingsRoutes } from '../server/settings/routes.ts'
import type { SuiteRoutes } from '../server/suites/routes.ts'
import type { ScorerRoutes } from '../server/suites/scorer-routes.ts'
import type { ToolCallRoutes } from '../server/tool-calls/routes.ts'
import type { TrajectoryRoutes } from '../server/trajectories/routes.ts'
import { API_ADDRESS, encodeParams, requestOptions } from './api-request.ts'

const options = requestOptions()

// One client per feature: a single client for all routes would take much longer to compile.
const { app } = encodeParams(hc<AppRoutes>(API_ADDRESS, options))
const { models } = encodeParams(hc<ModelRoutes>(API_ADDRESS, options))
const { suites } = encodeParams(hc<SuiteRoutes>(API_ADDRESS, options))
const { scorers } = encodeParams(hc<ScorerRoutes>(API_ADDRESS, options))
const { runs, estimate } = encodeParams(hc<RunRoutes>(API_ADDRESS, options))
const { results } = encodeParams(hc<ResultsRoutes>(API_ADDRESS, options))
const { results: sharing } = encodeParams(hc<SharingRoutes>(API_ADDRESS, options))
const { results: cases } = encodeParams(hc<CaseRoutes>(API_ADDRESS, options))
const { results: overview } = encodeParams(hc<OverviewRoutes>(API_ADDRESS, options))
const { rankings } = encodeParams(hc<RankingRoutes>(API_ADDRESS, options))
const { compare } = encodeParams(hc<CompareRoutes>(API_ADDRESS, options))
const { playground } = encodeParams(hc<PlaygroundRoutes>(API_ADDRESS, options))
const { judges, calibrations } = encodeParams(hc<JudgeRoutes>(API_ADDRESS, options))
const { ratings } = encodeParams(hc<RatingRoutes>(API_ADDRESS, options))
const { audits } = encodeParams(hc<AuditRoutes>(API_ADDRESS, options))
const { pairwise } = encodeParams(hc<ComparingRoutes>(API_ADDRESS, options))
const { 'tool-calls': toolCalls } = encodeParams(hc<ToolCallRoutes>(API_ADDRESS, options))
const { trajectories } = encodeParams(hc<TrajectoryRoutes>(API_ADDRESS, options))
const { imports } = encodeParams(hc<ImportRoutes>(API_ADDRESS, options))
const { 'code-arena': codeArena } = encodeParams(hc<CodeArenaRoutes>(API_ADDRESS, options))
const { 'code-arena': arenaPages } = encodeParams(hc<ConversationRoutes>(API_ADDRESS, options))
const { settings } = encodeParams(hc<SettingsRoutes>(API_ADDRESS, options))
const { team } = encodeParams(hc<TeamRoutes>(API_ADDRESS, options))
const { account } = encodeParams(hc<AccountRoutes>(API_ADDRESS, options))
// Outside of /api: these answer before anybody has signed in.
const { auth } = encodeParams(hc<SignInRoutes>('/', options))

/** The server's routes, by their paths: `readReply(api.runs[':id'].stop.$post({ param: { id } }))`. */
export const api = {
  app,
  models,
  suites,
  scorers,
  runs,
  estimate,
  results,
  sharing,
  cases,
  overview,
  rankings,
  compare,
  playground,
  judges,
  calibrations,
  ratings,
  audits,
  pairwise,
  toolCalls,
  trajectories,
  imports,
  codeArena,
  arenaPages,
  settings,
  team,
  account,
  auth,
}
