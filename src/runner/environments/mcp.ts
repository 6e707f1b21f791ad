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
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  isJsonObject,
  type ExternalEnvironment,
  type SuiteEnvironment,
  type ToolDefinition,
  InputError,
} from '../../contract/index.ts'

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

/** Programs get neither keys nor the folder of this program: only what a shell has, and a folder of their own. */
function connect(server: Server, folder: string): StdioClientTransport | StreamableHTTPClientTransport {
  if (server.url !== undefined) return new StreamableHTTPClientTransport(new URL(server.url))
  const args = (server.args ?? []).map((arg) => arg.replaceAll(/\{\{\s*folder\s*\}\}/g, folder))
  return new StdioClientTransport({ command: server.command ?? '', args, cwd: folder, stderr: 'ignore' })
}

/** Text as it is; anything else as the protocol has it. */
function readContent(content: unknown): unknown {
  if (!Array.isArray(content)) return content ?? null
  const parts: unknown[] = content
  const texts = parts.map((part) => (isJsonObject(part) && part['type'] === 'text' ? part['text'] : part))
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : parts
}

/** Starts the MCP servers of a case in a folder of its own, which is the world. */
export async function openMcp(servers: Record<string, Server>, files: unknown): Promise<ExternalEnvironment> {
  const folder = makeFolder(files)
  const clients: Client[] = []
  const owners = new Map<string, Client>()
  const tools: ToolDefinition[] = []
  const close = async () => {
    await Promise.allSettled(clients.map((client) => client.close()))
    folder.remove()
  }
  try {
    for (const server of Object.values(servers)) {
      const client = new Client({ name: 'benchmaker', version: '1' })
      clients.push(client)
      // The SDK's own types do not agree under exactOptionalPropertyTypes.
      await client.connect(connect(server, folder.path), {
        timeout: CALL_TIMEOUT_MS,
      })
      for (const { name, description, inputSchema } of (await client.listTools()).tools) {
        if (server.tools && !server.tools.includes(name)) continue
        owners.set(name, client)
        tools.push({ name, ...(description !== undefined && { description }), parameters: { ...inputSchema } })
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
      const client = owners.get(name)
      if (!client) return { reply: `Error: there is no tool ${name}`, isError: true }
      const reply = await client.callTool({ name, arguments: isJsonObject(args) ? args : {} }, undefined, {
        timeout: CALL_TIMEOUT_MS,
      })
      return { reply: readContent(reply['content'] ?? reply['structuredContent']), isError: reply['isError'] === true }
    },
    readWorld: async () => folder.read(),
    close,
  }
}
