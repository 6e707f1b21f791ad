import type { PreviewRequest, Storage } from '../../contract/index.ts'
import { assemblePage, extractCode } from '../../preview/index.ts'
import { ARENA_CASE_ID } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { notFound } from '../http/refusal.ts'

/** POST /api/code-arena/preview */
export interface PreviewView {
  /** On an origin of its own; absent when nothing can run. */
  url?: string
  files: { name: string; language: string; code: string }[]
  /** Why nothing can run, in words. */
  problem?: string
  notes: string[]
  blocked: { url: string; why: string }[]
  /** The whole page as one file that can be saved. */
  page?: string
}

/** The answer of a model in a stored run. */
async function loadResponse(storage: Storage, runId: string, modelId: string): Promise<string | undefined> {
  const cell = await storage.loadCell({ runId, testCaseId: ARENA_CASE_ID, modelId })
  return cell?.answer?.response ?? cell?.result.response
}

export interface MadePage {
  /** The page; undefined when nothing runs. */
  html?: string
  view: Omit<PreviewView, 'url' | 'page'>
}

/** Makes a page of an answer, whole or still arriving. */
export async function makePage(response: string, isComplete: boolean): Promise<MadePage> {
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

/** Shows it on an origin of its own. */
export async function showPage(
  { html, view }: MadePage,
  { previews }: Pick<ServerContext, 'previews'>,
): Promise<PreviewView> {
  return html === undefined ? view : { url: previews.show(await previews.embedStyles(html)), ...view }
}

/** Whole answers come with a page that can be saved. */
async function showAnswer(
  response: string,
  isComplete: boolean,
  context: Pick<ServerContext, 'previews'>,
): Promise<PreviewView> {
  const page = await makePage(response, isComplete)
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
