import { z } from 'zod'
import { parameterOptions, headersSchema } from '../runs/model-parameters.ts'
import { isSecret } from '../secret-shapes.ts'

/** In a header: the saved key of the endpoint. */
export const KEY_VARIABLE = /\{\{\s*key\s*\}\}/g

/** The model of an endpoint whose template has no `{{model}}`. */
export const ONLY_MODEL = 'default'

/** Extra fields and headers are sent anyway, wherever the template puts the rest. */
const { extraBody: _body, headers: _headers, benchmarkMode: _mode, ...sentParameters } = parameterOptions

/** What a template may name: the question in three shapes, the model, and each parameter. */
const VARIABLES = ['prompt', 'messages', 'system', 'model', ...Object.keys(sentParameters), 'responseSchema'] as const

/** `{{ name }}`; an address has its braces encoded. */
export const VARIABLE = /(?:\{|%7B){2}(?:\s|%20)*([\w.-]*?)(?:\s|%20)*(?:\}|%7D){2}/gi

export function listVariables(text: string): string[] {
  return [...text.matchAll(VARIABLE)].map(([, name = '']) => name)
}

/** Puts variables that stand alone, `"temperature": {{temperature}}`, into quotes: JSON itself never has `{{`. */
function quoteVariables(body: string): string {
  return body.replaceAll(/"(?:[^"\\]|\\.)*"|\{\{\s*[\w.-]*\s*\}\}/g, (part) =>
    part.startsWith('"') ? part : `"${part}"`,
  )
}

/** The body as JSON with its variables inside texts; undefined if it is no JSON. */
export function parseTemplateBody(body: string): unknown {
  try {
    return JSON.parse(quoteVariables(body))
  } catch {
    return undefined
  }
}

/** `choices[0].message.content` → `['choices', 0, 'message', 'content']`; undefined if it is no path. */
export function parseReplyPath(path: string): (string | number)[] | undefined {
  const steps: (string | number)[] = []
  let rest = path.trim().replace(/^\$\.?(?=.)/, '')
  while (rest !== '') {
    const step = /^\.?\[(\d+)\]|^\.?\[(?:"([^"]+)"|'([^']+)')\]|^\.?([^.[\]\s'"]+)/.exec(rest)
    if (!step) return undefined
    const [whole, index, double, single, plain] = step
    steps.push(index === undefined ? (double ?? single ?? plain!) : Number(index))
    rest = rest.slice(whole.length)
  }
  return steps.length === 0 ? undefined : steps
}

const replyPathSchema = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .refine((path) => parseReplyPath(path) !== undefined, 'is no path: write it like choices[0].message.content')

const knownVariables = (text: string) => listVariables(text).find((name) => !VARIABLES.some((known) => known === name))

/** How to ask an HTTP endpoint with an API of its own. */
export const requestTemplateSchema = z
  .strictObject({
    method: z.enum(['POST', 'PUT', 'PATCH', 'GET']).default('POST'),
    /** A value may have `{{key}}`, the saved key; if none has, the key is sent as a bearer token. */
    headers: headersSchema.optional(),
    /** JSON with variables such as `{{prompt}}`; absent if the address has them all. */
    body: z.string().trim().min(1).max(100_000).optional(),
    /** Where the answer stands in the reply, `output.text`; absent if the reply is the answer. */
    answer: replyPathSchema.optional(),
    promptTokens: replyPathSchema.optional(),
    completionTokens: replyPathSchema.optional(),
  })
  .superRefine(({ method, headers = {}, body }, { addIssue }) => {
    const add = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message })
    for (const [name, value] of Object.entries(headers)) {
      const isFilled = value !== value.replace(KEY_VARIABLE, '')
      if (!isFilled && isSecret(name, value))
        add('headers', `${name} may hold a key: enter the key as the API key, and write {{key}} here`)
      else if (listVariables(value.replaceAll(KEY_VARIABLE, '')).length > 0)
        add('headers', `${name} has a variable that is not known: headers may have {{key}} only`)
    }
    if (body === undefined) return
    const unknown = knownVariables(body)
    if (method === 'GET') add('body', 'is not sent with GET: put {{prompt}} into the address')
    else if (unknown !== undefined)
      add(
        'body',
        `has the unknown variable {{${unknown}}}: there are ${VARIABLES.map((name) => `{{${name}}}`).join(', ')}`,
      )
    else if (parseTemplateBody(body) === undefined)
      add('body', 'is not JSON: write it like {"question": "{{prompt}}", "temperature": {{temperature}}}')
  })

export type RequestTemplate = z.output<typeof requestTemplateSchema>

/** Why a request by this template to this address would not ask the question; undefined if it would. */
export function findTemplateProblem(url: string, { body = '' }: RequestTemplate): string | undefined {
  const unknown = knownVariables(url)
  if (unknown !== undefined) return `the address has the unknown variable {{${unknown}}}`
  const used = new Set([...listVariables(url), ...listVariables(body)])
  return used.has('prompt') || used.has('messages')
    ? undefined
    : 'the request has neither {{prompt}} nor {{messages}}, so that the model would not get the question'
}
