import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

/** Between asking a server to end, telling it to, and ending it. */
const GRACE_MS = 2000
const MAX_LINE = 300

/** Ends a program and what it started. */
type EndGroup = (signal: NodeJS.Signals) => void

/** Of the servers that are running: none outlives this process. */
const running = new Set<EndGroup>()
process.on('exit', () => {
  for (const end of running) end('SIGKILL')
})

/**
 * An MCP server that is a program, spoken to over its standard input and output. It has a process group of its own, so that
 * what it starts ends with it: servers are often started by `npx` or a shell. It gets the environment that a shell has, without keys.
 */
export class ProgramTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  /** The last line that the program wrote for people. */
  complaint = ''
  private readonly command: string
  private readonly args: string[]
  private readonly folder: string
  private readonly buffer = new ReadBuffer()
  private child: ChildProcessWithoutNullStreams | undefined

  constructor(command: string, args: string[], folder: string) {
    this.command = command
    this.args = args
    this.folder = folder
  }

  async start(): Promise<void> {
    const child = spawn(this.command, this.args, { cwd: this.folder, env: getDefaultEnvironment(), detached: true })
    const end: EndGroup = (signal) => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, signal)
      } catch {
        // It has ended.
      }
    }
    running.add(end)
    child.once('exit', () => {
      running.delete(end)
      end('SIGKILL')
    })
    child.once('close', () => this.onclose?.())
    for (const part of [child, child.stdin, child.stdout, child.stderr])
      part.on('error', (error) => this.onerror?.(error))
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      const lines = text.split('\n').filter((line) => line.trim() !== '')
      this.complaint = (lines.at(-1) ?? this.complaint).trim().slice(0, MAX_LINE)
    })
    child.stdout.on('data', (chunk: Buffer) => this.read(chunk))
    this.end = end
    try {
      await once(child, 'spawn')
    } catch (error) {
      running.delete(end)
      throw error
    }
    this.child = child
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.child?.stdin.writable) throw new Error('the program has ended')
    if (!this.child.stdin.write(serializeMessage(message))) await once(this.child.stdin, 'drain')
  }

  async close(): Promise<void> {
    const { child } = this
    this.buffer.clear()
    if (!child || hasEnded(child)) return
    const ended = once(child, 'exit')
    child.stdin.end()
    await within(ended)
    if (hasEnded(child)) return
    this.end('SIGTERM')
    await within(ended)
    if (hasEnded(child)) return
    this.end('SIGKILL')
    await ended
  }

  private end: EndGroup = () => undefined

  private read(chunk: Buffer): void {
    try {
      this.buffer.append(chunk)
    } catch (error) {
      // More than any answer needs: what follows could not be told apart.
      this.complaint = 'an answer of more than 10 MiB'
      this.onerror?.(toError(error))
      this.end('SIGKILL')
      return
    }
    for (;;) {
      try {
        const message = this.buffer.readMessage()
        if (message === null) return
        this.onmessage?.(message)
      } catch (error) {
        // Programs write greetings among their messages.
        this.onerror?.(toError(error))
      }
    }
  }
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

const hasEnded = ({ exitCode, signalCode }: ChildProcessWithoutNullStreams): boolean =>
  exitCode !== null || signalCode !== null

const within = (ended: Promise<unknown>): Promise<unknown> =>
  Promise.race([ended, new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref())])
