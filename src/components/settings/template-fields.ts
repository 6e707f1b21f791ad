import { z } from 'zod'
import { findTemplateProblem, requestTemplateSchema, type RequestTemplate } from '../../contract/index.ts'

/** As typed: headers one per line, `Name: value`. */
export const templateTextsSchema = z.object({
  method: z.string(),
  headers: z.string(),
  body: z.string(),
  answer: z.string(),
  promptTokens: z.string(),
  completionTokens: z.string(),
})

export type TemplateTexts = z.infer<typeof templateTextsSchema>

export type TemplateErrors = Partial<Record<keyof TemplateTexts, string>>

/** A start to change: most APIs of this kind take a model, a question and a temperature. */
export const exampleTemplate: TemplateTexts = {
  method: 'POST',
  headers: '',
  body: '{\n  "messages": {{messages}},\n  "temperature": {{temperature}},\n  "max_tokens": {{maxTokens}}\n}',
  answer: 'choices[0].message.content',
  promptTokens: '',
  completionTokens: '',
}

export function writeTemplate({ method, headers = {}, body, ...paths }: RequestTemplate): TemplateTexts {
  return {
    method,
    headers: Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    body: body ?? '',
    answer: paths.answer ?? '',
    promptTokens: paths.promptTokens ?? '',
    completionTokens: paths.completionTokens ?? '',
  }
}

/** The template, or the errors by field. */
export function readTemplate(
  texts: TemplateTexts,
  url: string,
): { value: RequestTemplate } | { errors: TemplateErrors } {
  const lines = texts.headers.split('\n').filter((line) => line.trim() !== '')
  const unreadable = lines.find((line) => !/^[^:\s]+\s*:/.test(line.trim()))
  if (unreadable !== undefined)
    return { errors: { headers: `“${unreadable.trim()}”: write each header as Name: value.` } }
  const headers = lines.map((line) => {
    const at = line.indexOf(':')
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()] as const
  })
  const filled = Object.entries(texts).filter(([name, text]) => name !== 'headers' && text.trim() !== '')
  const read = requestTemplateSchema.safeParse({
    ...Object.fromEntries(filled),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
  })
  if (!read.success) {
    const errors: TemplateErrors = {}
    for (const { path, message } of read.error.issues)
      for (const name of ['method', 'headers', 'body', 'answer', 'promptTokens', 'completionTokens'] as const)
        if (path[0] === name) errors[name] ??= `${message[0]?.toUpperCase()}${message.slice(1)}.`
    return { errors }
  }
  const problem = findTemplateProblem(url, read.data)
  return problem === undefined
    ? { value: read.data }
    : { errors: { body: `${problem[0]?.toUpperCase()}${problem.slice(1)}.` } }
}
