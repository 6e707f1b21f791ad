import { sniffKind } from './recognise-language.ts'

const WHOLE_PAGE = /(?:<!doctype\s+html[^>]*>\s*)?<html\b[\s\S]*?(?:<\/html\s*>|$)/i
const PAGE_START = /<!doctype\s+html[^>]*>[\s\S]*$/i
const WHOLE_SVG = /<svg\b[\s\S]*?(?:<\/svg\s*>|$)/i
const MARKUP_LINE =
  /^[ \t]*<(?:!--|template|script|style|div|main|section|header|nav|form|body|head|link|article|canvas|table|ul|button|h1)\b/im
const SCRIPT_LINE =
  /^(?:import\s+[\w{*'"]|export\s+(?:default|const|function)|(?:async\s+)?function\s+\w+\s*\(|(?:const|let|var)\s+[\w{[]+[^\n]*=|'use client'|"use client"|class\s+\w+\s*(?:extends\s+[\w.]+\s*)?\{)/m

/** Cuts the prose after the last line that ends as code does. */
function cutTrailingProse(text: string): string {
  const lines = text.trimEnd().split('\n')
  let end = lines.length
  while (end > 1 && !/[>};),\]{(`]\s*(?:\/\/.*)?$/.test(lines[end - 1]!)) end--
  return lines.slice(0, end).join('\n')
}

/** Finds code without a fence: a whole page, an SVG, or text that starts with a line of markup or script. */
export function findUnfencedCode(text: string, isComplete: boolean): string | undefined {
  const page = WHOLE_PAGE.exec(text)?.[0] ?? PAGE_START.exec(text)?.[0]
  if (page !== undefined) return page
  const markup = MARKUP_LINE.exec(text)
  const script = SCRIPT_LINE.exec(text)
  const start = Math.min(markup?.index ?? Infinity, script?.index ?? Infinity)
  const svg = WHOLE_SVG.exec(text)
  if (svg && svg.index < start) return svg[0]
  if (start === Infinity) return undefined
  const code = isComplete ? cutTrailingProse(text.slice(start)) : text.slice(start)
  return sniffKind(code) === undefined ? undefined : code
}
