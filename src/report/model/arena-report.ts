import type { PageFindings, PagePicture, Unscored } from '../../contract/index.ts'

/** One of a judge's criteria, 0 to 1; without a score if it was not seen. */
interface ArenaReportCriterion {
  label: string
  weight: number
  score?: number
  reason: string
}

/** One model's page in one run. */
export interface ArenaReportPage {
  modelId: string
  /** From 1; only if there are several runs. */
  runNumber?: number
  files: { name: string; code: string }[]
  /** The whole answer, shown if it contains no code. */
  response: string
  score?: number
  criteria: ArenaReportCriterion[]
  /** Explains the score, or why there is none. */
  notes?: string
  unscored?: Unscored
  error?: string
  pictures: PagePicture[]
  findings?: PageFindings
  /** Why the code does not run, or why there are no screenshots. */
  problems: string[]
  /** What the model was not sent of its earlier turns. */
  gaps?: string[]
  cost?: number
  latencyMs?: number
}

/** What a person chose between two pages of a run. */
export interface ArenaReportVote {
  left: string
  right: string
  choice: 'left' | 'right' | 'tie' | 'both-bad'
}

/** The pages of a Code Arena run or series, with everything that a file about them shows. */
export interface ArenaReport {
  prompt: string
  systemPrompt: string
  judgeModel?: string
  isQuickJudge: boolean
  runIds: string[]
  startedAt?: number
  /** The prompts of the earlier turns, first to last. */
  earlierPrompts?: string[]
  votes?: ArenaReportVote[]
  pages: ArenaReportPage[]
  /** Without the names of models and judges, and without what gives them away. */
  isAnonymous?: boolean
}

/** FNV-1a: the order of anonymous pages must not follow the names, and must be the same each time. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0
  return value
}

/** `Page A`, …, `Page Z`, `Page 27`. */
function letterName(index: number): string {
  return `Page ${index < 26 ? String.fromCharCode(65 + index) : index + 1}`
}

/**
 * How a text may call a model: its whole id, and the part after the last slash if nothing else is called like that. A
 * plain word such as "good" must stay: replacing it would change every text that contains it.
 */
function callings(id: string): string[] {
  const short = id.slice(id.lastIndexOf('/') + 1)
  const isTelling = (name: string) => name.length >= 4 && /[\d/:@-]/.test(name)
  return [...new Set([id, short])].filter(isTelling)
}

type Rename = (text: string) => string

function createRename(names: ReadonlyMap<string, string>): Rename {
  const entries = [...names].flatMap(([id, name]) =>
    callings(id).map((calling) => [calling.toLowerCase(), name] as const),
  )
  if (entries.length === 0) return (text) => text
  const nameOf = new Map(entries)
  const escaped = [...nameOf.keys()]
    .toSorted((a, b) => b.length - a.length)
    .map((calling) => calling.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  const pattern = new RegExp(String.raw`(?<![\w/-])(?:${escaped.join('|')})(?![\w-])`, 'gi')
  return (text) => text.replaceAll(pattern, (calling) => nameOf.get(calling.toLowerCase()) ?? '')
}

function renameFindings(findings: PageFindings, rename: Rename): PageFindings {
  return {
    console: findings.console.map(({ level, text }) => ({ level, text: rename(text) })),
    errors: findings.errors.map(rename),
    accessibility: findings.accessibility,
    blocked: findings.blocked.map(({ url, why }) => ({ url: rename(url), why: rename(why) })),
    interactions: findings.interactions.map((interaction) => ({ ...interaction, target: rename(interaction.target) })),
  }
}

/** The judges of a panel stand before their reasons, one a line. */
function renameJudges(reason: string, judges: readonly (readonly [string, string])[]): string {
  return reason
    .split('\n')
    .map((line) => {
      const judge = judges.find(([id]) => line.startsWith(`${id}: `))
      return judge ? judge[1] + line.slice(judge[0].length) : line
    })
    .join('\n')
}

/** A page without what names its model or gives it away: its cost, its speed and its provider's messages. */
function hidePage(
  { cost: _cost, latencyMs: _latency, error, unscored, notes, findings, gaps, ...page }: ArenaReportPage,
  { name, rename, judges }: { name: string; rename: Rename; judges: readonly (readonly [string, string])[] },
): ArenaReportPage {
  return {
    ...page,
    modelId: name,
    files: page.files.map((file) => ({ name: rename(file.name), code: rename(file.code) })),
    response: rename(page.response),
    criteria: page.criteria.map((criterion) => ({
      ...criterion,
      reason: rename(renameJudges(criterion.reason, judges)),
    })),
    problems: page.problems.map(rename),
    // With criteria, the notes only repeat them.
    ...(notes !== undefined && page.criteria.length === 0 && { notes: rename(notes) }),
    ...(error !== undefined && { error: 'There is no page: the request failed.' }),
    ...(unscored && { unscored: { ...unscored, message: `Unscored: ${unscored.code}.` } }),
    ...(findings && { findings: renameFindings(findings, rename) }),
    ...(gaps && gaps.length > 0 && { gaps: ['Not all of the earlier turns was sent to this model.'] }),
  }
}

/** The report with `Page A`, `Page B`, … for the models, in an order that has nothing to do with them. */
export function hideNames(report: ArenaReport): ArenaReport {
  const { judgeModel, startedAt: _started, votes = [], ...rest } = report
  const firstPages = new Map(report.pages.toReversed().map((page) => [page.modelId, page.response]))
  const models = [...firstPages].toSorted(([, a], [, b]) => hash(a) - hash(b)).map(([modelId]) => modelId)
  const names = new Map(models.map((modelId, index) => [modelId, letterName(index)]))
  const judges = judgeModel?.split(',') ?? []
  const judgeNames = judges.map((judge, index): [string, string] => [
    judge,
    judges.length === 1 ? 'the judge' : `judge ${index + 1}`,
  ])
  const rename = createRename(new Map([...judgeNames, ...names]))
  return {
    ...rest,
    isAnonymous: true,
    prompt: rename(report.prompt),
    systemPrompt: rename(report.systemPrompt),
    runIds: [],
    ...(judgeModel !== undefined && { judgeModel: judges.length === 1 ? 'one model' : `${judges.length} models` }),
    ...(report.earlierPrompts && { earlierPrompts: report.earlierPrompts.map(rename) }),
    votes: votes.map(({ left, right, choice }) => ({
      left: names.get(left) ?? '',
      right: names.get(right) ?? '',
      choice,
    })),
    pages: report.pages
      .map((page) => hidePage(page, { name: names.get(page.modelId)!, rename, judges: judgeNames }))
      .toSorted((a, b) => a.modelId.localeCompare(b.modelId) || (a.runNumber ?? 0) - (b.runNumber ?? 0)),
  }
}

/** A message of the program for a file that is passed on: without the addresses and folders of this machine. */
function withoutPlaces(message: string): string {
  return message
    .replaceAll(/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, '[address]')
    .replaceAll(/(?<![\w.])(?:~|[A-Za-z]:)?(?:[\\/][\w.@+-]+){2,}[\\/]?/g, '[path]')
}

/** The report without anything about the machine it was made on. What models and judges wrote stays as it is. */
export function withoutMachine(report: ArenaReport): ArenaReport {
  return {
    ...report,
    pages: report.pages.map(({ error, unscored, notes, gaps, ...page }) => ({
      ...page,
      problems: page.problems.map(withoutPlaces),
      ...(notes !== undefined && { notes: withoutPlaces(notes) }),
      ...(error !== undefined && { error: withoutPlaces(error) }),
      ...(unscored && { unscored: { ...unscored, message: withoutPlaces(unscored.message) } }),
      ...(gaps && { gaps: gaps.map(withoutPlaces) }),
    })),
  }
}

/** The report without prompts, code, pictures and explanations: grades, counts and votes. */
export function leaveOutPages(report: ArenaReport): ArenaReport {
  const { earlierPrompts: _prompts, ...rest } = report
  return {
    ...rest,
    prompt: 'The prompt is left out.',
    systemPrompt: '',
    pages: report.pages.map(({ findings, notes: _notes, error, unscored, gaps: _gaps, ...page }) => ({
      ...page,
      files: [],
      response: '',
      pictures: [],
      problems: [],
      criteria: page.criteria.map((criterion) => ({ ...criterion, reason: '' })),
      ...(findings && {
        findings: {
          console: [],
          errors: findings.errors.map(() => 'left out'),
          accessibility: findings.accessibility,
          blocked: [],
          interactions: [],
        },
      }),
      ...(error !== undefined && { error: 'There is no page: the request failed.' }),
      ...(unscored && { unscored: { ...unscored, message: `Unscored: ${unscored.code}.` } }),
    })),
  }
}
