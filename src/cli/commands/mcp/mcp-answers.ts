import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { splitPages } from '../../output/pages.ts'

/** Runs one command of the program and returns what it prints. */
export type RunCommand = (args: string[]) => Promise<{ exitCode: number; out: string; err: string }>

/** Entries of a list on one page. */
export const LIST_LENGTH = 20

export function answer(text: string, isError = false): CallToolResult {
  return { content: [{ type: 'text', text }], ...(isError && { isError }) }
}

export function answerPage(text: string, page: number, isError = false): CallToolResult {
  const pages = splitPages(text)
  const shown = pages[page - 1]
  if (shown === undefined) return answer(`There is no page ${page}: the last one is ${pages.length}.`, true)
  const more = page < pages.length ? `; for the next one, call again with page ${page + 1}` : ''
  return answer(pages.length === 1 ? shown : `${shown.trimEnd()}\n\n(Page ${page} of ${pages.length}${more}.)`, isError)
}

/** One page of a list as JSON that can be parsed. */
export function answerList(name: string, entries: readonly unknown[], total: number, page: number): CallToolResult {
  const pages = Math.max(1, Math.ceil(total / LIST_LENGTH))
  if (page > pages) return answer(`There is no page ${page}: the last one is ${pages}.`, true)
  const shown = entries.slice((page - 1) * LIST_LENGTH, page * LIST_LENGTH)
  return answer(JSON.stringify({ [name]: shown, total, page, pages }))
}

/** An argument that starts with a dash would be taken for an option. */
export const name = z
  .string()
  .min(1)
  .max(1000)
  .refine((text) => !text.startsWith('-'), 'must not start with "-"')
