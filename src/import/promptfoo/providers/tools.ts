import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { givenParametersSchema } from '../../../contract/index.ts'
import type { ImportContext } from '../import-warnings.ts'
import type { ImportedProvider } from './providers.ts'
import { bodyOf } from './provider-ids.ts'
import { isFileReference, readDocument, readReference, runsCode } from '../config/referenced-files.ts'

/** A function that the models may call, as suites write it. */
interface ImportedTool {
  type: 'function'
  function: { name: string; description?: string; parameters?: Record<string, unknown> }
}

const parameters = z.record(z.string(), z.unknown()).optional()
const named = z.object({ name: z.string().min(1), description: z.string().optional() })

/** OpenAI's tools, those of its responses and its older functions, and Anthropic's tools. */
const toolSchema = z.union([
  z.object({
    type: z.literal('function'),
    function: named.extend({ parameters, input_schema: parameters }),
  }),
  named
    .extend({ type: z.enum(['custom', 'function']).optional(), parameters, input_schema: parameters })
    .transform((inner) => ({ type: 'function' as const, function: inner })),
])

/** Adaline's tools. */
const definitionSchema = z.object({ definition: z.object({ schema: named.loose() }) })

/** Bedrock's tools. */
const toolSpecSchema = z.object({
  toolSpec: named.extend({ inputSchema: z.object({ json: z.record(z.string(), z.unknown()) }).optional() }),
})

/** Gemini's lists of functions, whose types are in capitals. */
const declarationsSchema = z.union([
  z.object({ functionDeclarations: z.array(z.unknown()) }).transform((value) => value.functionDeclarations),
  z.object({ function_declarations: z.array(z.unknown()) }).transform((value) => value.function_declarations),
])

/** `{ type: 'OBJECT' }` → `{ type: 'object' }`, as JSON Schema has it. */
function lowerTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowerTypes)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'type' && typeof inner === 'string' && /^[A-Z]+$/.test(inner) ? inner.toLowerCase() : lowerTypes(inner),
    ]),
  )
}

/** A list of tools with those of other vendors in OpenAI's or Anthropic's form. */
function unwrapTools(tools: readonly unknown[]): unknown[] {
  return tools.flatMap((tool) => {
    const declared = declarationsSchema.safeParse(tool)
    if (declared.success) return declared.data.map(lowerTypes)
    const defined = definitionSchema.safeParse(tool)
    if (defined.success) return [defined.data.definition.schema]
    const spec = toolSpecSchema.safeParse(tool)
    if (!spec.success) return [tool]
    const { name, description, inputSchema } = spec.data.toolSpec
    return [
      { name, ...(description !== undefined && { description }), ...(inputSchema && { parameters: inputSchema.json }) },
    ]
  })
}

function convertTool(value: unknown): ImportedTool | undefined {
  const parsed = toolSchema.safeParse(value)
  if (!parsed.success) return undefined
  const { name, description, parameters: schema, input_schema: input } = parsed.data.function
  const given = schema ?? input
  return {
    type: 'function',
    function: { name, ...(description !== undefined && { description }), ...(given && { parameters: given }) },
  }
}

function nameTool(value: unknown): string {
  const { type, name }: { type?: unknown; name?: unknown } = Object(value)
  return String(name ?? type ?? JSON.stringify(value)).slice(0, 80)
}

/** The tools of a provider, those in files too: the whole list or an entry of it can be one. */
async function readList(provider: ImportedProvider, tools: unknown, context: ImportContext): Promise<unknown[]> {
  const { place, name } = provider
  if (Array.isArray(tools))
    return (await Promise.all(tools.map(async (tool) => readList(provider, tool, context)))).flat()
  if (!isFileReference(tools)) return [tools]
  const reference = readReference(tools, context, place)
  if (!runsCode(reference)) return [(await readDocument(reference)).value].flat()
  context.warnings.add(
    place,
    `the tools of ${name} (${tools}) are made by code, which is not run here; they are left out`,
  )
  return []
}

/** The functions of one provider, and the rest of its tools as they are written. */
interface OwnTools {
  provider: ImportedProvider
  functions: ImportedTool[]
  rest: unknown[]
}

/** A list in the words of the provider's API; undefined if a request has no place for one. */
function writeTools({ provider: { id }, functions, rest }: OwnTools): unknown[] | undefined {
  const body = bodyOf(id)
  if (body === 'anthropic') {
    const own = functions.map(({ function: { name, description, parameters: schema } }) => ({
      name,
      ...(description !== undefined && { description }),
      input_schema: schema ?? { type: 'object' },
    }))
    return [...own, ...rest]
  }
  if (body === 'google')
    return [
      ...(functions.length > 0 ? [{ functionDeclarations: functions.map((tool) => tool.function) }] : []),
      ...rest,
    ]
  // What OpenAI runs itself is not offered by its chat completions.
  return body === 'openai' && rest.length === 0 ? functions : undefined
}

function addToBody({ parameters: given }: ImportedProvider, tools: readonly unknown[]): boolean {
  const extraBody = givenParametersSchema.shape.extraBody.safeParse({ ...given.extraBody, tools })
  if (!extraBody.success) return false
  Object.assign(given, { extraBody: extraBody.data })
  return true
}

function nameLost({ functions, rest }: OwnTools): string {
  return [...functions.map((tool) => tool.function.name), ...rest.map(nameTool)].join(', ')
}

export interface ReadTools {
  /** All functions that models may call. */
  known: ImportedTool[] | undefined
  /** Those of the cases, if all models get the same. */
  shared: ImportedTool[] | undefined
}

/**
 * Reads the tools that the providers offer. Here they belong to the cases, so that all models get the same; where providers
 * differ, or the vendor runs a tool itself, they are part of the body of its requests.
 */
export async function readTools(providers: readonly ImportedProvider[], context: ImportContext): Promise<ReadTools> {
  const all: OwnTools[] = []
  for (const provider of providers) {
    const listed = provider.tools === undefined ? [] : unwrapTools(await readList(provider, provider.tools, context))
    const functions = listed.flatMap((tool) => convertTool(tool) ?? [])
    const own = { provider, functions, rest: listed.filter((tool) => !convertTool(tool)) }
    // What is no model here is asked for nothing.
    if (provider.model !== undefined || listed.length > 0) all.push(own)
  }
  const functions = all.flatMap((own) => own.functions)
  const known = functions.filter((tool, at) => functions.findIndex((other) => isDeepStrictEqual(other, tool)) === at)
  const [first] = all
  const isSame = all.every((own) => own.rest.length === 0 && isDeepStrictEqual(own.functions, first!.functions))
  const offered = known.length > 0 ? known : undefined
  if (isSame) return { known: offered, shared: offered }
  for (const own of all) {
    if (own.functions.length + own.rest.length === 0) continue
    const { name, place } = own.provider
    const written = writeTools(own) ?? writeTools({ ...own, rest: [] })
    const isWritten = written !== undefined && (written.length === 0 || addToBody(own.provider, written))
    const lost = isWritten ? (writeTools(own) ? [] : own.rest) : [...own.functions, ...own.rest]
    if (isWritten && own.rest.length > lost.length)
      context.warnings.note(
        place,
        `the tools ${own.rest.map(nameTool).join(', ')} of ${name} are run by the vendor: ask it with a key of its own, not through a router`,
      )
    if (lost.length > 0) {
      own.provider.isWhole = false
      context.warnings.add(
        place,
        `the tools ${nameLost({ ...own, functions: isWritten ? [] : own.functions })} of ${name} are left out: ${isWritten ? 'only functions are offered here' : 'this model is not sent tools of its own here'}`,
      )
    }
  }
  return { known: offered, shared: undefined }
}
