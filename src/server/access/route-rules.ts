import type { Role } from '../../contract/index.ts'

/** What a route needs and how the log calls it. */
export interface RouteRule {
  role: Role
  /** Undefined for requests that change nothing. */
  action?: string
  /** It calls models outside of a run: refused once the month's budget is spent. */
  spends?: boolean
}

/** Only admins: keys, endpoints, backups, people, budgets and the log. */
const ADMIN = /^\/api\/(?:settings|team)(?:\/|$)/

/** They have a body, but change and send nothing. */
const READS: ReadonlySet<string> = new Set([
  'POST /api/estimate',
  'POST /api/audits/estimate',
  'POST /api/playground/:runId/estimate',
  'POST /api/suites/check',
  'POST /api/code-arena/preview',
])

const SPENDING: ReadonlySet<string> = new Set([
  'POST /api/calibrations',
  'POST /api/audits',
  'POST /api/suites/generate',
  'POST /api/suites/try',
])

/** How the log calls what people do; any other change is logged by its method and route. */
const ACTIONS: Readonly<Record<string, string>> = {
  'POST /api/runs': 'run started',
  'POST /api/runs/:id/resume': 'run resumed',
  'POST /api/runs/:id/stop': 'run cancelled',
  'POST /api/runs/:id/rescore': 'run rescored',
  'DELETE /api/runs/:id': 'run deleted',
  'PUT /api/runs/:id/label': 'run labelled',
  'PUT /api/runs/:id/rating': 'answer rated',
  'POST /api/results/:selection/again': 'run started',
  'POST /api/playground/:runId/ask': 'run started',
  'POST /api/playground/:runId/save': 'suite saved',
  'POST /api/code-arena': 'run started',
  'POST /api/code-arena/:runId/follow-ups': 'run started',
  'POST /api/calibrations': 'judge calibrated',
  'DELETE /api/calibrations/:id': 'calibration deleted',
  'POST /api/audits': 'judge audited',
  'POST /api/audits/:id/stop': 'audit cancelled',
  'DELETE /api/audits/:id': 'audit deleted',
  'POST /api/suites': 'suite saved',
  'PUT /api/suites/:id': 'suite saved',
  'DELETE /api/suites/:id': 'suite deleted',
  'POST /api/suites/import': 'suite imported',
  'POST /api/suites/generate': 'cases generated',
  'POST /api/suites/try': 'scorer tried',
  'POST /api/imports': 'results imported',
  'POST /api/imports/preview': 'results previewed',
  'POST /api/tool-calls': 'tool calls scored',
  'DELETE /api/tool-calls/:id': 'tool calls deleted',
  'PUT /api/settings/keys/:name': 'key saved',
  'DELETE /api/settings/keys/:name': 'key removed',
  'POST /api/settings/keys/:name/test': 'key tested',
  'PUT /api/settings/endpoints/:name': 'endpoint saved',
  'DELETE /api/settings/endpoints/:name': 'endpoint removed',
  'PUT /api/settings/browser': 'browser setting saved',
  'POST /api/settings/restore': 'backup restored',
  'GET /api/settings/backup': 'backup downloaded',
  'POST /api/team/invitations': 'person invited',
  'DELETE /api/team/invitations/:id': 'invitation withdrawn',
  'PUT /api/team/people/:id': 'account changed',
  'PUT /api/team/budgets': 'budget set',
  'GET /api/team/log/csv': 'log exported',
}

/** The rule of a route, by the pattern that it was declared with: a new route is never open by mistake. */
export function ruleOf(method: string, path: string): RouteRule {
  const route = `${method} ${path}`
  const isRead = method === 'GET' || READS.has(route)
  const action = ACTIONS[route] ?? (isRead ? undefined : route)
  return {
    role: ADMIN.test(path) ? 'admin' : isRead ? 'viewer' : 'runner',
    ...(action !== undefined && { action }),
    ...(SPENDING.has(route) && { spends: true }),
  }
}
