import { auditRequestSchema, InputError, type AuditRequest } from '../../../contract/index.ts'
import { auditWords, describeAuditReplies, formatCost, formatCount, describeCost } from '../../../report/words/index.ts'
import { drawRandom } from '../../../runner/index.ts'
import {
  auditJudge,
  estimateAudit,
  loadRunAnswers,
  saveAudit,
  systemClock,
  type AuditEstimate,
  type AuditSettings,
  type StoredAudit,
  type AuditProgress,
} from '../../../services/index.ts'
import { composeApp, createId, type App, type AppOptions } from '../../compose.ts'
import { listenForCancel } from '../../output/end-signals.ts'
import { EXIT_CANCELLED, EXIT_MISSING } from '../../output/exit-codes.ts'
import { printWarnings } from '../../output/notice.ts'
import {
  printForPeople,
  printJson,
  styleFor,
  type Terminal,
  clearLine,
  clearToEnd,
  onStderr,
  startOfLine,
} from '../../output/terminal.ts'
import { auditTable } from '../../../report/tables/judges.ts'
import type { Table } from '../../../report/tables/table.ts'
import { summariseAudit } from '../../../report/words/judges/audit.ts'
import type { AuditFinding } from '../../../scoring/index.ts'
import { cleanText, drawTable, wrapText } from '../../output/text-table.ts'
import { findRunId } from '../results/find-run.ts'
import { drawProgress, REDRAW_MS } from '../../output/progress.ts'

/** Shows how far an audit is, on stderr; nothing if stderr is not a terminal. */
function createAuditProgress(terminal: Terminal, now = () => performance.now()) {
  const { stderr, progress, columns } = onStderr(terminal)
  const startedAt = now()
  let drawnAt = -Infinity
  return {
    show({ done, total, cost, failed }: AuditProgress): void {
      if (!progress || now() - drawnAt < REDRAW_MS) return
      drawnAt = now()
      const line = drawProgress({
        label: '',
        done,
        total,
        cost,
        errors: failed,
        seconds: (drawnAt - startedAt) / 1000,
        columns,
      })
      stderr.write(`${startOfLine}${line}${clearToEnd}`)
    },
    clear(): void {
      if (progress) stderr.write(clearLine)
    },
  }
}

interface AuditCommandOptions extends AppOptions {
  run?: string
  only?: string[]
  limit?: number
  maxCost?: number
  dryRun?: boolean
  json?: boolean
}

/** Shown for each finding; JSON has all. */
const CASES_SHOWN = 3

function readRequest(judgeModelId: string, { only, limit, maxCost }: AuditCommandOptions): AuditRequest {
  const parsed = auditRequestSchema.safeParse({ judgeModelId, only, limit, maxCost })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new InputError(`--${String(issue?.path[0]).replace('maxCost', 'max-cost')}: ${issue?.message}`)
}

/** The settings of an audit, and what it uses, in words. */
interface Prepared {
  settings: AuditSettings
  source: string
  runId?: string
}

async function prepare(app: App, request: AuditRequest, run: string | undefined): Promise<Prepared> {
  if (run === undefined) return { settings: request, source: 'built-in answers' }
  const storage = await app.storage()
  const runId = await findRunId(storage, run)
  const { answers, judgeSystemPrompt, name } = await loadRunAnswers(storage, runId, { limit: request.limit })
  return {
    settings: { ...request, answers, judgeSystemPrompt },
    source: `${formatCount(answers.length, 'answer')} of run ${runId} (${name.slice(0, 100)})`,
    runId,
  }
}

const MARKS = { found: '✗', 'not-tested': '?', 'not-found': '✓' } as const

/** What a line has room for: which audit it is, its result says. */
const findingTable: Table<AuditFinding> = [
  { key: 'mark', label: '', text: ({ status }) => MARKS[status] },
  ...auditTable.filter(({ key }) => ['result', 'figure', 'interval', 'meaning'].includes(key)),
]

function drawFindings({ findings, judgeModelId, source, asked, cost }: StoredAudit, terminal: Terminal): string {
  const style = styleFor(terminal)
  const colours = { found: 'red', 'not-tested': 'yellow' } as const
  const table = drawTable(findingTable, findings, {
    ...terminal,
    paint: (text, { key }, { status }) =>
      status !== 'not-found' && (key === 'mark' || key === 'result') ? style(colours[status], text) : text,
  })
  const sentences = findings
    .filter(({ status }) => status !== 'not-found')
    .map(({ audit, status, sentence, cases }) => {
      const title = auditWords[audit].title
      const text = wrapText(`${title}: ${cleanText(sentence)}`, terminal.columns, '  ')
      const shown = status === 'found' ? cases.filter(({ supports }) => supports).slice(0, CASES_SHOWN) : []
      const lines = shown.map((one) =>
        wrapText(`  ${cleanText(one.id)} – ${cleanText(describeAuditReplies(one))}`, terminal.columns, '    '),
      )
      return [`${style('bold', title)}${text.slice(title.length)}`, ...lines].join('\n')
    })
  const spent = `${formatCount(asked, 'request')}, ${describeCost(cost)}`
  const title = `${style('bold', cleanText(judgeModelId))} · ${cleanText(source)} · ${spent}`
  return `${[title, style('bold', `${summariseAudit(findings)}.`), table.trimEnd(), ...sentences].join('\n\n')}\n`
}

function drawEstimate(estimate: AuditEstimate): string {
  const { judgeModelId, requests, mostRequests, cost, likelyCost, notTestable } = estimate
  const price =
    cost === null
      ? 'The price is unknown.'
      : `About ${formatCost(likelyCost)} if its replies are short, at most ${formatCost(cost)}.`
  const lines = notTestable.map((reason) => `${cleanText(reason)}\n`)
  return `${cleanText(judgeModelId)} · nothing was sent\n\nIt would send ${formatCount(requests, 'request')}, or up to ${formatCount(mostRequests)} if unreadable replies are retried. ${price}\n${lines.join('')}`
}

/** `benchmaker audit JUDGE` */
export async function auditCommand(judge: string, options: AuditCommandOptions, terminal: Terminal): Promise<number> {
  const request = readRequest(judge, options)
  const app = await composeApp({ ...options, warn: (warning) => printWarnings([warning], terminal) })
  try {
    const connections = app.connect({ cache: false }, 0)
    connections.clientOf(judge).checkModel?.(judge)
    const { settings, source, runId } = await prepare(app, request, options.run)
    if (options.dryRun) {
      const prices = await connections.readPrices([judge])
      const estimate = await estimateAudit(settings, prices.get(judge), await app.loadTokenCounter())
      if (options.json) printJson({ nothingSent: true, ...estimate }, terminal)
      printForPeople(() => drawEstimate(estimate), options, terminal)
      return 0
    }
    // What was paid for must have a place before it is bought.
    const storage = await app.storage()
    const { signal, stop } = listenForCancel(terminal, 'Stopping; the audits that are finished are kept.')
    const progress = createAuditProgress(terminal)
    try {
      const { loadTokenCounter } = app
      const pacing = await app.pacing()
      const tools = { connections, clock: systemClock, random: drawRandom, pacing, loadTokenCounter }
      const result = await auditJudge(settings, tools, { signal, onProgress: progress.show })
      progress.clear()
      const kept = { ...result, id: createId(), source, ...(runId !== undefined && { runId }) }
      const audit = await saveAudit(storage, kept)
      if (options.json) printJson(audit, terminal)
      printForPeople((room) => drawFindings(audit, room), options, terminal)
      if (signal.aborted) return EXIT_CANCELLED
      return audit.findings.some(({ status }) => status === 'not-tested') ? EXIT_MISSING : 0
    } finally {
      progress.clear()
      stop()
    }
  } finally {
    await app.close()
  }
}
