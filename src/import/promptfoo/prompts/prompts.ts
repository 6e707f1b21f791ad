import { basename, extname } from 'node:path'
import { z } from 'zod'
import { InputError, type Message, tryParseJson } from '../../../contract/index.ts'
import { readCsv } from '../../text/csv-rows.ts'
import type { LocatedDocument } from '../../text/located-json.ts'
import type { ImportContext } from '../import-warnings.ts'
import {
  expandPattern,
  parseDocument,
  readReference,
  readReferenced,
  runsCode,
  type FileReference,
} from '../config/referenced-files.ts'
import { readProviderConfig, type ReadConfig } from '../providers/provider-config.ts'
import { findLogic } from './template.ts'

export interface ImportedPrompt {
  /** The name of its variant when there are several prompts. */
  label?: string | undefined
  /** The file that it is from, as written in the config. */
  file?: string
  /** The text as written in the file: a provider may name it. */
  source: string
  place: string
  /** Counted from 1, including prompts that could not be used. */
  number: number
  content: string | Message[]
  /** What its own `config` sets, over that of the providers. */
  settings?: Pick<ReadConfig, 'parameters' | 'systemPrompt'>
}

type FoundPrompt = Omit<ImportedPrompt, 'number'>

const textPartSchema = z
  .object({ type: z.enum(['text', 'input_text', 'output_text']), text: z.string() })
  .transform(({ text }) => ({ type: 'text' as const, text }))

/** OpenAI's forms of an image: chat completions and responses. */
const imagePartSchema = z
  .object({
    type: z.enum(['image_url', 'input_image']),
    image_url: z.union([z.string(), z.object({ url: z.string() }).transform(({ url }) => url)]),
  })
  .transform(({ image_url: image }) => ({ type: 'image' as const, image }))

/** Anthropic's forms of an image. */
const sourcePartSchema = z
  .object({
    type: z.literal('image'),
    source: z.union([
      z
        .object({ type: z.literal('base64'), media_type: z.string(), data: z.string() })
        .transform(({ media_type, data }) => `data:${media_type};base64,${data}`),
      z.object({ type: z.literal('url'), url: z.string() }).transform(({ url }) => url),
    ]),
  })
  .transform(({ source }) => ({ type: 'image' as const, image: source }))

/** Adaline's forms of a text and an image. */
const modalityPartSchema = z.discriminatedUnion('modality', [
  z
    .object({ modality: z.literal('text'), value: z.string() })
    .transform(({ value }) => ({ type: 'text' as const, text: value })),
  z
    .object({
      modality: z.literal('image'),
      value: z.union([
        z
          .object({ type: z.literal('base64'), base64: z.string(), mediaType: z.string() })
          .transform(({ base64, mediaType }) => `data:image/${mediaType};base64,${base64}`),
        z.object({ type: z.literal('url'), url: z.string() }).transform(({ url }) => url),
      ]),
    })
    .transform(({ value }) => ({ type: 'image' as const, image: value })),
])

const messagesSchema = z
  .array(
    z.object({
      role: z
        .enum(['system', 'developer', 'user', 'assistant'])
        .transform((role) => (role === 'developer' ? 'system' : role)),
      content: z.union([
        z.string(),
        z.array(z.union([textPartSchema, imagePartSchema, sourcePartSchema, modalityPartSchema])),
      ]),
    }),
  )
  .min(1)

/** Reads chat messages; returns `undefined` if the value does not look like a chat. */
function readMessages(value: unknown, place: string): Message[] | undefined {
  if (!Array.isArray(value) || !value.some((item) => typeof item === 'object' && item !== null && 'role' in item))
    return undefined
  const parsed = messagesSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  const where = `message ${Number(issue.path[0]) + 1}: ${issue.path.slice(1).join('.')}`
  throw new InputError(`${place}: ${where}: supported are the roles system, user and assistant with text or images`)
}

/** Reads a chat written as JSON; undefined for any other text. */
export function readChat(source: string, place: string): Message[] | undefined {
  return /^\s*\[/.test(source) ? readMessages(tryParseJson(source), place) : undefined
}

function readPromptText(source: string, place: string, label?: string): FoundPrompt {
  return { content: readChat(source, place) ?? source, source, place, ...(label !== undefined && { label }) }
}

/** Splits a text file into prompts at lines of `---`. */
function splitText(text: string, path: string): FoundPrompt[] {
  const found: FoundPrompt[] = []
  let start = 0
  const lines = text.split(/\r\n|\n|\r/)
  for (let end = 0; end <= lines.length; end++) {
    if (end < lines.length && lines[end]!.trim() !== '---') continue
    const part = lines.slice(start, end)
    const source = part.join('\n').trim()
    const blank = part.findIndex((line) => line.trim() !== '')
    if (source !== '') found.push(readPromptText(source, `${path}:${start + blank + 1}`))
    start = end + 1
  }
  return found
}

async function readFile(
  reference: FileReference,
  label: string | undefined,
  context: ImportContext,
): Promise<FoundPrompt[]> {
  const { path, extension, place } = reference
  const text = await readReferenced(reference)
  const whole = text.replace(/^\uFEFF/, '').trim()
  const place1 = `${path}:1`
  if (extension === '.txt' || extension === '') return splitText(text.replace(/^\uFEFF/, ''), path)
  if (extension === '.md' || extension === '.j2' || extension === '.json') return [readPromptText(whole, place1, label)]
  if (extension === '.jsonl') {
    const lines = whole.split(/\r\n|\n|\r/).map((line, index) => readPromptText(line.trim(), `${path}:${index + 1}`))
    return lines.filter(({ source }) => source !== '')
  }
  if (extension === '.yaml' || extension === '.yml') {
    if (findLogic(whole) !== undefined) return [{ content: whole, source: whole, place: place1 }]
    const { value, locate } = parseDocument(text, path)
    const messages = readMessages(value, place1)
    // The file can be a list of prompts.
    if (!messages && Array.isArray(value)) {
      const entries = value.map((entry: unknown, index) => readPromptEntry(entry, locate([index])))
      return (await Promise.all(entries.map(async (entry) => readPrompt(entry, context)))).flat()
    }
    return [{ content: messages ?? whole, source: whole, place: place1 }]
  }
  if (extension === '.csv') {
    const { rows } = readCsv(text, path)
    return rows.map(({ line, fields }) =>
      readPromptText(fields.get('prompt') ?? '', `${path}:${line}`, fields.get('label')),
    )
  }
  throw new InputError(`${place}: ${path}: prompts are read from .txt, .md, .json, .jsonl, .yaml and .csv`)
}

/** A prompt that is only the path of a file, without `file://`. */
const BARE_PATH = /^[^\s{}][^\n{}]*\.(?:txt|md|j2|jsonl?|ya?ml|csv|[cm]?js|[cm]?ts|py)$/

async function readPrompt(named: NamedPrompt, context: ImportContext): Promise<FoundPrompt[]> {
  const settings = await readSettings(named, context)
  return (await findPrompts(named, context)).map((prompt) => ({ ...prompt, ...settings }))
}

async function findPrompts({ text, label, place }: NamedPrompt, context: ImportContext): Promise<FoundPrompt[]> {
  const { warnings } = context
  if (/^(?:exec|https?|langfuse|portkey|helicone):/.test(text)) {
    warnings.add(
      place,
      `the prompt ${JSON.stringify(text)} comes from elsewhere, which is not supported; it is left out`,
    )
    return []
  }
  if (!text.startsWith('file://') && !BARE_PATH.test(text)) return [readPromptText(text, place, label)]
  const reference = readReference(text, context, place)
  if (runsCode(reference)) {
    warnings.add(place, `the prompt ${JSON.stringify(text)} is made by code, which is not run here; it is left out`)
    return []
  }
  const references = await expandPattern(reference)
  const file = text.replace(/^file:\/\//, '')
  const found = await Promise.all(
    references.map(async (one) => {
      const prompts = await readFile(one, label, context)
      // A file with one prompt names it.
      const name = prompts.length === 1 ? basename(one.path, extname(one.path)) : undefined
      return prompts.map((prompt): FoundPrompt => ({ ...prompt, file, label: prompt.label ?? name }))
    }),
  )
  const all = found.flat()
  if (label === undefined) return all
  return all.map((prompt, index) => ({ ...prompt, label: all.length === 1 ? label : `${label}-${index + 1}` }))
}

interface NamedPrompt {
  text: string
  label?: string
  place: string
  config?: unknown
}

/** Reads the parameters that a prompt sets for itself. */
async function readSettings(
  { config, place, label }: NamedPrompt,
  context: ImportContext,
): Promise<Pick<ImportedPrompt, 'settings'>> {
  if (config === undefined || config === null) return {}
  const read = await readProviderConfig(config, place, context)
  const lost = [
    ...read.unused,
    ...(read.tools === undefined ? [] : ['tools']),
    ...(read.endpoint === undefined ? [] : ['endpoint']),
  ]
  const name = label === undefined ? 'the prompt' : `the prompt ${JSON.stringify(label)}`
  if (lost.length > 0)
    context.warnings.add(place, `${lost.join(', ')} of ${name} not used: a prompt has no such parameter here`)
  const { parameters, systemPrompt } = read
  return { settings: { parameters, ...(systemPrompt !== undefined && { systemPrompt }) } }
}

/** Reads a prompt: text, `{ raw, label }`, `{ id, label }`, or the older `{ file: label }`. */
function readPromptEntry(entry: unknown, place: string): NamedPrompt {
  if (typeof entry === 'string') return { text: entry, place }
  if (typeof entry === 'object' && entry !== null && !Array.isArray(entry)) {
    const fields: Record<string, unknown> = { ...entry }
    const text = fields['raw'] ?? fields['content'] ?? fields['id'] ?? fields['file']
    const label = fields['label'] ?? (fields['raw'] === undefined ? undefined : fields['id'])
    const { config } = fields
    if (typeof text === 'string')
      return { text, place, ...(config !== undefined && { config }), ...(typeof label === 'string' && { label }) }
  }
  if (Array.isArray(entry)) return { text: JSON.stringify(entry), place }
  throw new InputError(`${place}: a prompt is a text, file://…, or { raw, label }`)
}

function readEntries(value: unknown, { locate }: LocatedDocument): NamedPrompt[] {
  if (Array.isArray(value))
    return value.map((entry: unknown, index) => readPromptEntry(entry, locate(['prompts', index])))
  if (typeof value === 'object' && value !== null && !('raw' in value) && !('id' in value))
    return Object.entries(value).map(([text, label]) => ({
      text,
      place: locate(['prompts', text]),
      ...(typeof label === 'string' && { label }),
    }))
  return [readPromptEntry(value, locate(['prompts']))]
}

/** Everything in a prompt that is filled, as one text. */
function joinContents(content: string | Message[]): string {
  if (typeof content === 'string') return content
  const parts = content.flatMap(({ content: inner }) =>
    typeof inner === 'string' ? inner : inner.map((part) => (part.type === 'text' ? part.text : part.image)),
  )
  return parts.join('\n')
}

/** A variant's messages are read before they are filled; such a prompt is JSON only afterwards. */
function isChatOnceFilled({ content, place }: FoundPrompt, { warnings }: ImportContext): boolean {
  const isChat = typeof content === 'string' && /^\s*\[\s*(?:\{(?!\{)|\{%)/.test(content) && content.includes('"role"')
  if (isChat)
    warnings.add(
      place,
      'the prompt is a chat only once its loops are filled, and one of several; this prompt is left out',
    )
  return isChat
}

/** Reads the prompts of a config; warns of those that cannot be used. */
export async function readPrompts(
  config: Record<string, unknown>,
  document: LocatedDocument,
  context: ImportContext,
): Promise<ImportedPrompt[]> {
  if (config['prompts'] === undefined) throw new InputError(`${document.locate([])}: has no prompts`)
  const entries = readEntries(config['prompts'], document)
  const found = (await Promise.all(entries.map(async (entry) => readPrompt(entry, context)))).flat()
  const usable = found
    .map((prompt, index) => ({ ...prompt, number: index + 1 }))
    .filter(({ content, place }) => {
      const logic = findLogic(joinContents(content))
      if (logic !== undefined)
        context.warnings.add(
          place,
          `the prompt uses ${logic}: only values, simple filters, loops and conditions are supported; this prompt is left out`,
        )
      return logic === undefined
    })
  const asVariants = usable.length > 1 ? usable.filter((prompt) => !isChatOnceFilled(prompt, context)) : usable
  if (asVariants.length > 0) return asVariants
  throw new InputError(
    [`${document.locate(['prompts'])}: none of the prompts can be used`, ...context.warnings.list()].join('\n'),
  )
}
