import type { PreviewRequest, Storage } from '../../contract/index.ts'
import { assemblePage, extractCode } from '../../preview/index.ts'
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
  /** The whole page as one file for download. */
  page?: string
}

/** A model's answer in a stored run. */
async function loadResponse(storage: Storage, runId: string, modelId: string): Promise<string | undefined> {
  const cell = await storage.loadCell({ runId, testCaseId: ARENA_CASE_ID, modelId })
  return cell?.answer?.response ?? cell?.result.response
}

export interface AssembledAnswer {
  /** Undefined if nothing can run. */
  html?: string
  view: Omit<PreviewView, 'url' | 'page'>
}

/** Assembles a page from an answer, complete or still arriving. */
export async function assembleAnswer(response: string, isComplete: boolean): Promise<AssembledAnswer> {
  const extracted = extractCode(response, { isComplete })
  const page = await assemblePage(extracted)
  const problem = page.problems.join(' ') || extracted.problem
  const view = {
    files: extracted.files.map(({ name, language, kind, code }) => ({ name, language: language || kind, code })),
    ...(!page.runs && problem !== undefined && { problem }),
    notes: page.notes,
    blocked: page.blocked,
  }
  return page.runs ? { html: page.html, view } : { view }
}

/** Serves the page on its own origin. */
export async function showPage(
  { html, view }: AssembledAnswer,
  { previews }: Pick<ServerContext, 'previews'>,
): Promise<PreviewView> {
  return html === undefined ? view : { url: previews.show(await previews.embedStyles(html)), ...view }
}

/** Complete answers include a page for download. */
async function showAnswer(
  response: string,
  isComplete: boolean,
  context: Pick<ServerContext, 'previews'>,
): Promise<PreviewView> {
  const page = await assembleAnswer(response, isComplete)
  const view = await showPage(page, context)
  return page.html === undefined || !isComplete
    ? view
    : { ...view, page: await context.previews.embedScripts(page.html) }
}

export async function previewAnswer(
  request: PreviewRequest,
  context: Pick<ServerContext, 'previews' | 'storage'>,
): Promise<PreviewView> {
  if ('response' in request) return showAnswer(request.response, request.isComplete, context)
  const response = await loadResponse(context.storage, request.runId, request.modelId)
  if (response === undefined) throw notFound('The answer')
  return showAnswer(response, true, context)
}
