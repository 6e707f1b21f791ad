import type { CellKey, PreviewRequest, Storage } from '../../contract/index.ts'
import { ARENA_CASE_ID, listEarlierAnswers, readArenaTask } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { notFound } from '../http/refusal.ts'
import { readModelName } from './naming.ts'

/** POST /api/code-arena/preview */
export interface PreviewView {
  /** On its own origin; absent if nothing can run. */
  url?: string
  files: { name: string; language: string; code: string }[]
  /** How the files become a page; absent if nothing can run. */
  runs?: { kind: string; entry: string; shell?: string; usesTailwind: boolean }
  /** Why nothing can run, or what is wrong with the code of a page that runs, in words. */
  problem?: string
  notes: string[]
  /** The titles of the pages that the answer lets one choose from, and which of them this is. */
  alternatives?: string[]
  alternative?: number
  blocked: { url: string; why: string }[]
  /** Libraries that the page asks for and that are not here, as sentences. */
  missing: string[]
  /** Those of them that can be installed, by their names in npm's registry. */
  installable: string[]
  /** The whole page as one file for download. */
  page?: string
}

/** A model's answer in a stored run. */
export async function loadResponse(storage: Storage, key: CellKey): Promise<string | undefined> {
  const cell = await storage.loadCell(key)
  return cell?.answer?.response ?? cell?.result.response
}

interface AssembledAnswer {
  /** Undefined if nothing can run. */
  html?: string
  view: Omit<PreviewView, 'url' | 'page'>
}

interface Answer {
  response: string
  isComplete: boolean
  /** The model's answers to the turns before. */
  earlier?: readonly string[]
  alternative?: number | undefined
}

type Previews = Pick<ServerContext, 'previews'>

/** Assembles a page from an answer, complete or still arriving. */
async function assembleAnswer({ response, ...options }: Answer, { previews }: Previews): Promise<AssembledAnswer> {
  const { extracted, page } = await previews.compiler.assemble(response, options)
  const problem = page.problems.join(' ') || (page.runs ? undefined : extracted.problem)
  const view = {
    files: extracted.files.map(({ name, language, kind, code }) => ({ name, language: language || kind, code })),
    ...(extracted.runs && { runs: { ...extracted.runs, usesTailwind: page.usesVendor.includes('tailwind') } }),
    ...(problem !== undefined && { problem }),
    notes: page.notes,
    ...(extracted.alternatives && {
      alternatives: extracted.alternatives,
      alternative: extracted.alternative ?? 0,
    }),
    blocked: page.blocked,
    missing: page.missing,
    installable: page.installable,
  }
  return page.runs ? { html: page.html, view } : { view }
}

/** Serves the page on its own origin. */
async function showPage({ html, view }: AssembledAnswer, { previews }: Previews): Promise<PreviewView> {
  return html === undefined ? view : { url: previews.show(await previews.compiler.embedStyles(html)), ...view }
}

/** Complete answers include a page for download. */
async function showAnswer(answer: Answer, context: Previews): Promise<PreviewView> {
  const page = await assembleAnswer(answer, context)
  const view = await showPage(page, context)
  if (page.html === undefined || !answer.isComplete) return view
  const file = await context.previews.compiler.embedScripts(page.html)
  return file === undefined ? view : { ...view, page: file }
}

export async function previewAnswer(
  request: PreviewRequest,
  context: Pick<ServerContext, 'previews' | 'storage'>,
): Promise<PreviewView> {
  if ('response' in request) return showAnswer(request, context)
  const { runId, testCaseId = ARENA_CASE_ID, alternative } = request
  const modelId = await readModelName(context.storage, runId, request.modelId)
  const response = await loadResponse(context.storage, { runId, modelId, testCaseId })
  if (response === undefined) throw notFound('The answer')
  const task = readArenaTask(await context.storage.loadRun(runId, { texts: false }))
  const earlier = listEarlierAnswers(task?.conversation, modelId)
  return showAnswer({ response, isComplete: true, earlier, alternative }, context)
}
