import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'

/** A file system over MCP, as `node test/fakes/files-mcp-server.ts FOLDER`. */
const folder = process.argv[2]!
const server = new McpServer({ name: 'files', version: '1' })
const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] })

server.registerTool('read_file', { inputSchema: { path: z.string() } }, ({ path }) =>
  text(readFileSync(join(folder, path), 'utf8')),
)
server.registerTool('write_file', { inputSchema: { path: z.string(), content: z.string() } }, ({ path, content }) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
  return text('written')
})
server.registerTool('move_file', { inputSchema: { from: z.string(), to: z.string() } }, ({ from, to }) => {
  renameSync(join(folder, from), join(folder, to))
  return text('moved')
})
// What a tool must not see: the keys of who runs it.
server.registerTool('environment', { inputSchema: {} }, () => text(Object.keys(process.env).join(' ')))
await server.connect(new StdioServerTransport())
