import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { CallToolResultSchema, ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import {
  isJsonObject,
  messageOf,
  type ExternalEnvironment,
  type SuiteEnvironment,
  type ToolDefinition,
  InputError,
} from '../../contract/index.ts'
import { ProgramTransport } from './program-transport.ts'

/** More than a case needs; a server that fills the disk ends its conversation. */
const MAX_FILES = 2000
const MAX_BYTES = 16 * 1024 * 1024

interface CellFolder {
  path: string
  /** Its files, by path: the world. */
  read(): Record<string, string>
  remove(): void
}

/** A folder of its own for one conversation, with these files. */
function makeFolder(files: unknown): CellFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'benchmaker-cell-')))
  for (const [name, text] of Object.entries(isJsonObject(files) ? files : {})) {
    const file = resolve(path, name)
    if (!file.startsWith(path + sep))
      throw new InputError(`the file ${name} of the suite lies outside of the folder of its case`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, String(text))
  }
  return {
    path,
    read() {
      const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      if (entries.length > MAX_FILES) throw new Error(`the folder has more than ${MAX_FILES} files`)
      let bytes = 0
      const found = entries.map((entry): [string, string] => {
        const file = join(entry.parentPath, entry.name)
        bytes += statSync(file).size
        if (bytes > MAX_BYTES) throw new Error(`the folder has more than ${MAX_BYTES} bytes`)
        return [relative(path, file).split(sep).join('/'), readFileSync(file, 'utf8')]
      })
      return Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1)))
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}

type Server = NonNullable<SuiteEnvironment['mcp']>[string]

const CALL_TIMEOUT_MS = 60_000
/** More than a model can be offered; a server that never stops listing ends its conversation. */
const MAX_TOOLS = 1000
/** Of a reply, in a message. */
const MAX_SHOWN = 200

interface Connected {
  name: string
  client: Client
  transport: Transport
}

/** Programs get neither keys nor the folder of this program: only what a shell has, and a folder of their own. */
function createTransport({ url, command = '', args = [] }: Server, folder: string): Transport {
  if (url !== undefined) return new StreamableHTTPClientTransport(new URL(url))
  const filled = args.map((arg) => arg.replaceAll(/\{\{\s*folder\s*\}\}/g, folder))
  return process.platform === 'win32'
    ? new StdioClientTransport({ command, args: filled, cwd: folder, stderr: 'ignore' })
    : new ProgramTransport(command, filled, folder)
}

/** What happened to the server, for who reads it beside an answer without a score. */
function explain(error: unknown, { name, transport }: Connected): Error {
  const complaint = transport instanceof ProgramTransport && transport.complaint
  const wrote = complaint ? `; the last it wrote: ${complaint}` : ''
  const code = error instanceof McpError ? error.code : undefined
  const what =
    code === ErrorCode.ConnectionClosed
      ? `ended before it answered${wrote}`
      : code === ErrorCode.RequestTimeout
        ? `did not answer within ${CALL_TIMEOUT_MS / 1000} s${wrote}`
        : error instanceof StreamableHTTPError && error.code !== undefined && error.code >= 400
          ? `answered with ${error.code}: ${error.message.replace(/^[^:]*: [^:]*: /, '').slice(0, MAX_SHOWN)}`
          : error instanceof z.core.$ZodError
            ? `sent what the protocol does not have: ${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`
            : describe(error)
  return new Error(`MCP server ${name} ${what}`, { cause: error })
}

function describe(error: unknown): string {
  const { cause } = error instanceof Error ? error : {}
  return `failed: ${messageOf(error)}${cause instanceof Error ? ` (${cause.message})` : ''}`
}

/** Text as it is; anything else as the protocol has it. */
function readContent(content: unknown): unknown {
  if (!Array.isArray(content)) return content ?? null
  const parts: unknown[] = content
  const texts = parts.map((part) => (isJsonObject(part) && part['type'] === 'text' ? part['text'] : part))
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : parts
}

/** All pages of them; of those that the suite names, each must be there. */
async function listTools(
  { name, client }: Connected,
  { tools: wanted }: Server,
  signal: AbortSignal,
): Promise<ToolDefinition[]> {
  const found: ToolDefinition[] = []
  let cursor: string | undefined
  let pages = 0
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor }, { timeout: CALL_TIMEOUT_MS, signal })
    for (const { name: tool, description, inputSchema } of page.tools)
      found.push({ name: tool, ...(description !== undefined && { description }), parameters: { ...inputSchema } })
    if (found.length > MAX_TOOLS || ++pages > MAX_TOOLS)
      throw new InputError(`MCP server ${name} lists more than ${MAX_TOOLS} tools`)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  const missing = wanted?.find((tool) => !found.some((one) => one.name === tool))
  if (missing !== undefined)
    throw new InputError(
      `MCP server ${name} has no tool ${missing}; it has ${found.map((tool) => tool.name).join(', ') || 'none'}`,
    )
  return wanted ? found.filter((tool) => wanted.includes(tool.name)) : found
}

/** Starts the MCP servers of a case in a folder of its own, which is the world. */
export async function openMcp(
  servers: Record<string, Server>,
  { files, signal }: { files: unknown; signal: AbortSignal },
): Promise<ExternalEnvironment> {
  const folder = makeFolder(files)
  const connected: Connected[] = []
  const owners = new Map<string, Connected>()
  const tools: ToolDefinition[] = []
  const close = async () => {
    await Promise.allSettled(connected.map(({ client }) => client.close()))
    folder.remove()
  }
  try {
    for (const [name, server] of Object.entries(servers)) {
      const client = new Client({ name: 'benchmaker', version: '1' })
      const one = { name, client, transport: createTransport(server, folder.path) }
      connected.push(one)
      try {
        await client.connect(one.transport, { timeout: CALL_TIMEOUT_MS, signal })
        for (const tool of await listTools(one, server, signal)) {
          const owner = owners.get(tool.name)
          if (owner)
            throw new InputError(
              owner === one
                ? `MCP server ${name} lists the tool ${tool.name} twice`
                : `the MCP servers ${owner.name} and ${name} both have a tool ${tool.name}; name those that the agent gets in tools`,
            )
          owners.set(tool.name, one)
          tools.push(tool)
        }
      } catch (error) {
        throw error instanceof InputError ? error : explain(error, one)
      }
    }
  } catch (error) {
    await close()
    throw error
  }
  return {
    tools,
    userTools: [],
    async call({ name, arguments: args }) {
      const owner = owners.get(name)
      if (!owner) return { reply: `Error: there is no tool ${name}`, isError: true }
      try {
        // Not `callTool`, which judges the reply by the schema that the server gave for it: the agent reads it as it is.
        const reply = await owner.client.request(
          { method: 'tools/call', params: { name, arguments: isJsonObject(args) ? args : {} } },
          CallToolResultSchema,
          { timeout: CALL_TIMEOUT_MS, signal },
        )
        const { content, structuredContent, isError = false } = reply
        return { reply: readContent(content.length === 0 ? (structuredContent ?? content) : content), isError }
      } catch (error) {
        // Some servers refuse arguments in the words of the protocol.
        if (error instanceof McpError && error.code === ErrorCode.InvalidParams)
          return { reply: error.message.replace(/^MCP error -?\d+: /, ''), isError: true }
        throw explain(error, owner)
      }
    },
    readWorld: async () => folder.read(),
    close,
  }
}
