import type { CellKey, PreviewRequest, Storage } from '../../contract/index.ts'
import { ARENA_CASE_ID } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { notFound } from '../http/refusal.ts'

/** POST /api/code-arena/preview */
export interface PreviewView {
  /** On its own origin; absent if nothing can run. */
  url?: string
  files: { name: string; language: string; code: string }[]
  /** Why nothing can run, in words. */
  problem?: string
  notes: string[]
  blocked: { url: string; why: string }[]
  /** Libraries that the page asks for and that are not here, as sentences. */
  missing: string[]
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

type Previews = Pick<ServerContext, 'previews'>

/** Assembles a page from an answer, complete or still arriving. */
async function assembleAnswer(response: string, isComplete: boolean, { previews }: Previews): Promise<AssembledAnswer> {
  const { extracted, page } = await previews.compiler.assemble(response, { isComplete })
  const problem = page.problems.join(' ') || extracted.problem
  const view = {
    files: extracted.files.map(({ name, language, kind, code }) => ({ name, language: language || kind, code })),
    ...(!page.runs && problem !== undefined && { problem }),
    notes: page.notes,
    blocked: page.blocked,
    missing: page.missing,
  }
  return page.runs ? { html: page.html, view } : { view }
}

/** Serves the page on its own origin. */
async function showPage({ html, view }: AssembledAnswer, { previews }: Previews): Promise<PreviewView> {
  return html === undefined ? view : { url: previews.show(await previews.compiler.embedStyles(html)), ...view }
}

/** Complete answers include a page for download. */
async function showAnswer(response: string, isComplete: boolean, context: Previews): Promise<PreviewView> {
  const page = await assembleAnswer(response, isComplete, context)
  const view = await showPage(page, context)
  if (page.html === undefined || !isComplete) return view
  const file = await context.previews.compiler.embedScripts(page.html)
  return file === undefined ? view : { ...view, page: file }
}

export async function previewAnswer(
  request: PreviewRequest,
  context: Pick<ServerContext, 'previews' | 'storage'>,
): Promise<PreviewView> {
  if ('response' in request) return showAnswer(request.response, request.isComplete, context)
  const { runId, modelId, testCaseId = ARENA_CASE_ID } = request
  const response = await loadResponse(context.storage, { runId, modelId, testCaseId })
  if (response === undefined) throw notFound('The answer')
  return showAnswer(response, true, context)
}
