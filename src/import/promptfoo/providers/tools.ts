import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { ImportContext } from '../import-warnings.ts'
import type { ImportedProvider } from './providers.ts'
import { isFileReference, readDocument, readReference, runsCode } from '../config/referenced-files.ts'

/** A function that the models may call, as suites write it. */
interface ImportedTool {
  type: 'function'
  function: { name: string; description?: string; parameters?: Record<string, unknown> }
}

const parameters = z.record(z.string(), z.unknown()).optional()
const named = z.object({ name: z.string().min(1), description: z.string().optional() })

/** OpenAI's tools, its older functions, and Anthropic's tools. */
const toolSchema = z.union([
  z.object({
    type: z.literal('function'),
    function: named.extend({ parameters, input_schema: parameters }),
  }),
  named
    .extend({ type: z.literal('custom').optional(), parameters, input_schema: parameters })
    .transform((inner) => ({ type: 'function' as const, function: inner })),
])

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

async function readList({ tools, place, name }: ImportedProvider, context: ImportContext): Promise<unknown[]> {
  if (!isFileReference(tools)) return [tools].flat()
  const reference = readReference(tools, context, place)
  if (!runsCode(reference)) return [(await readDocument(reference)).value].flat()
  context.warnings.add(
    place,
    `the tools of ${name} (${tools}) are made by code, which is not run here; they are left out`,
  )
  return []
}

/** Reads the tools that the providers offer: here they belong to the cases, so all models get the same. */
export async function readTools(
  providers: readonly ImportedProvider[],
  context: ImportContext,
): Promise<ImportedTool[] | undefined> {
  let offered: ImportedTool[] | undefined
  let isShared = true
  for (const provider of providers) {
    if (provider.tools === undefined) {
      isShared &&= provider.model === undefined
      continue
    }
    const { name, place } = provider
    const listed = await readList(provider, context)
    const tools = listed.flatMap((tool) => convertTool(tool) ?? [])
    const lost = listed.filter((tool) => !convertTool(tool)).map(nameTool)
    if (lost.length > 0)
      context.warnings.add(
        place,
        `the tools ${lost.join(', ')} of ${name} are left out: only functions are offered here`,
      )
    if (tools.length === 0) continue
    if (offered && !isDeepStrictEqual(offered, tools))
      context.warnings.add(place, `the tools of ${name} are left out: every model gets those of the first provider`)
    offered ??= tools
  }
  if (offered && !isShared)
    context.warnings.add(
      providers.find(({ tools }) => tools !== undefined)!.place,
      'every model gets the tools, also those whose provider has none',
    )
  return offered
}
