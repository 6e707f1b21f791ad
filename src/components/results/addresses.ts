import type { RunKind } from '../../contract/index.ts'

/** The results to show: a whole series, or some runs and series. */
type Selection = { kind: 'series'; seriesId: string } | { kind: 'runs'; runIds: string[] }

const SERIES = 'series:'

export function parseSelection(text: string): Selection | undefined {
  if (text.startsWith(SERIES) && !text.includes(',')) {
    const seriesId = text.slice(SERIES.length)
    return seriesId === '' ? undefined : { kind: 'series', seriesId }
  }
  const runIds = [
    ...new Set(
      text
        .split(',')
        .map((id) => id.trim())
        .filter((id) => id !== ''),
    ),
  ]
  return runIds.length === 0 ? undefined : { kind: 'runs', runIds }
}

function withQuery(path: string, query: Record<string, string | undefined>): string {
  const parts = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== '') parts.set(name, value)
  const text = parts.toString()
  return text === '' ? path : `${path}?${text}`
}

export function resultsAddress(selection: string): string {
  return `/results/${encodeURIComponent(selection)}`
}

interface StartedRun {
  runId: string
  seriesId?: string | undefined
}

/** A series is shown as a whole. */
export function selectionOf({ runId, seriesId }: StartedRun): string {
  return seriesId === undefined ? runId : `${SERIES}${seriesId}`
}

/** Where a run in progress is shown. */
export function watchAddress({ id, kind, seriesId }: { id: string; kind: RunKind; seriesId?: string }): string {
  return kind === 'page' ? `/code-arena/${encodeURIComponent(id)}` : runAddress({ runId: id, seriesId })
}

/** The results of a run, which show how far it is while it goes on. */
export function runAddress(run: StartedRun): string {
  return resultsAddress(selectionOf(run))
}

/** The four views of results, in the order of their tabs. */
export const resultViews = {
  overview: { title: 'Overview', path: '' },
  cases: { title: 'Cases', path: '/cases' },
  statistics: { title: 'Statistics', path: '/statistics' },
  cost: { title: 'Cost', path: '/cost' },
} as const

export type ResultViewName = keyof typeof resultViews

/** What holds for every view, and stays when another is opened. */
const SHARED = ['group', 'difference']

export function viewAddress(
  selection: string,
  view: ResultViewName,
  { from, ...query }: { from?: URLSearchParams } & Record<string, string | URLSearchParams | undefined> = {},
): string {
  const kept = SHARED.map((name) => [name, from?.get(name) ?? undefined])
  const texts = Object.entries(query).filter(([, value]) => typeof value === 'string')
  return withQuery(`${resultsAddress(selection)}${resultViews[view].path}`, Object.fromEntries([...kept, ...texts]))
}

export function readResultView(path: string): ResultViewName {
  const end = /^\/results\/[^/]+(\/[a-z]+)\/?$/.exec(path)?.[1]
  const found = Object.entries(resultViews).find(([, { path: own }]) => own === end)?.[0]
  return found === 'cases' || found === 'statistics' || found === 'cost' ? found : 'overview'
}

const IN_CASES = ['sort', 'order', 'search', 'category', 'tag', 'difficulty', 'below', 'state', 'answers', 'row']
const IN_STATISTICS = ['a', 'b', 'by', 'reference']

/** One page used to have everything: its address with a filter of the cases, or a choice of models, goes where that is now. */
export function moveOldAddress(selection: string, search: string, hash: string): string | undefined {
  const query = new URLSearchParams(search)
  const isAbout = (names: readonly string[]) => names.some((name) => query.has(name))
  const section = hash.slice(1)
  const view =
    section === 'cases' || isAbout(IN_CASES)
      ? 'cases'
      : ['multi-run', 'pair', 'groups', 'agreement', 'people', 'pairwise', 'criteria', 'splits', 'method'].includes(
            section,
          ) || isAbout(IN_STATISTICS)
        ? 'statistics'
        : section === 'tradeoffs'
          ? 'cost'
          : undefined
  return view && `${resultsAddress(selection)}${resultViews[view].path}${search}${view === 'cases' ? '' : hash}`
}

/** Runs in progress once had a screen of their own, which links and bookmarks still name. */
export function moveOldPath(path: string): string | undefined {
  const id = /^\/arena\/run\/([^/]+)\/?$/.exec(path)?.[1]
  return id && `/results/${id}`
}

export function caseAddress(
  selection: string,
  {
    id,
    ...rest
  }: { id: string; model?: string; run?: string; view?: string; show?: string } & Record<string, string | undefined>,
): string {
  return withQuery(`${resultsAddress(selection)}/case`, { id, ...rest })
}

/** `queue`: to rate its answers; without it, to choose or draw one. */
export function rateAddress(selection: string, queue?: string): string {
  return withQuery(`${resultsAddress(selection)}/rate`, { queue })
}

export function compareAddress(a: string, b: string): string {
  return withQuery('/compare', { a, b })
}

/** The playground of one stored answer. */
export function playgroundAddress(runId: string, answer: { case: string; model: string }): string {
  return withQuery(`/playground/${encodeURIComponent(runId)}`, answer)
}

/** The form with this judge and these criteria. */
export function calibrateAddress(calibration?: { judgeModelId: string; preset?: string | undefined }): string {
  return withQuery('/judges', { judge: calibration?.judgeModelId, preset: calibration?.preset })
}

/** Names as one query parameter; each is encoded, because a name can contain a comma. */
export function encodeNames(names: readonly string[]): string {
  return names.map(encodeURIComponent).join(',')
}

export function parseNames(text: string | null): string[] {
  if (text === null || text === '') return []
  return text.split(',').flatMap((part) => {
    try {
      return [decodeURIComponent(part)]
    } catch {
      return []
    }
  })
}

/** At most `max` models: those chosen by hand, or else the requested one and the best others. */
export function chooseShown(
  models: readonly string[],
  { show, model, max }: { show: readonly string[]; model: string | null; max: number },
): string[] {
  const chosen = [...new Set(show)].filter((id) => models.includes(id)).slice(0, max)
  if (chosen.length > 0) return chosen
  const first = model !== null && models.includes(model) ? [model] : []
  return [...first, ...models.filter((id) => id !== model)].slice(0, max)
}
