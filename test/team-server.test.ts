import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { runProgram } from '../src/cli/program.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const page = read('docs/team-server.md')
const container = read('Containerfile')
const composeText = read('compose.yaml')

const serviceSchema = z.object({
  image: z.string(),
  command: z.union([z.string(), z.array(z.string())]).optional(),
  environment: z.record(z.string(), z.string()),
  secrets: z.array(z.string()),
  volumes: z.array(z.string()).optional(),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  user: z.string().optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
  deploy: z.object({ replicas: z.number() }).optional(),
  stop_grace_period: z.string().optional(),
  mem_limit: z.string(),
  pids_limit: z.number(),
  read_only: z.boolean(),
  tmpfs: z.array(z.string()),
  cap_drop: z.array(z.string()),
  security_opt: z.array(z.string()),
  build: z.object({ args: z.record(z.string(), z.string()) }).optional(),
})
const composeSchema = z.object({
  services: z.record(z.string(), serviceSchema),
  volumes: z.record(z.string(), z.unknown()),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
})
const compose = composeSchema.parse(parse(composeText, { merge: true }))

const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text = '']) => text)

async function helpOf(...args: string[]): Promise<{ exitCode: number; text: string }> {
  let text = ''
  const sink = { write: (piece: string) => (text += piece) }
  const exitCode = await runProgram([...args, '--help'], {
    stdout: sink,
    stderr: sink,
    columns: 100,
    colour: false,
    progress: false,
  })
  return { exitCode, text }
}

const general = await helpOf()

/** Every option and the command itself exist, by the help of the program. */
async function checkCommand(words: readonly string[]): Promise<void> {
  const [command = '', ...rest] = words
  expect(general.text, `the command ${command}`).toMatch(new RegExp(`^  ${command}\\b`, 'm'))
  const { text } = await helpOf(command)
  const options = rest.filter((word) => word.startsWith('--')).map((word) => word.split('=')[0]!)
  for (const option of options) expect(text, `${command} ${option}`).toMatch(new RegExp(`${option}\\b`))
}

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
  .map((file) => read(join('src', file)))
  .join('\n')

describe('the page for administrators', () => {
  it('names only commands and options that exist', async () => {
    const calls = [...page.matchAll(/benchmaker ((?:serve|worker|invite|rotate-key)[^\n'`]*)/g)].map(([, text = '']) =>
      text.trim().split(/\s+/),
    )
    expect(calls.length).toBeGreaterThan(4)
    for (const call of calls) await checkCommand(call)
  })

  it('names only environment variables that the program reads, and its secrets can be in files', () => {
    const named = new Set(
      [page, composeText, container].flatMap((text) => text.match(/\b(?:BENCHMAKER|OTEL)_[A-Z_]+\b/g) ?? []),
    )
    const telemetry = readdirSync(join(root, 'node_modules/@opentelemetry'))
    expect(telemetry).toContain('otlp-exporter-base')
    // Read by OpenTelemetry's own packages.
    const theirs = new Set(['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_RESOURCE_ATTRIBUTES', 'OTEL_TRACES_SAMPLER'])
    const unknown = [...named].filter((name) => {
      // For compose.yaml alone.
      if (theirs.has(name) || name === 'BENCHMAKER_URL') return false
      if (name.startsWith('OTEL_') && name.endsWith('_EXPORTER')) return !sources.includes('OTEL_${signal}_EXPORTER')
      if (name === 'OTEL_EXPORTER_OTLP_ENDPOINT') return !sources.includes('OTEL_EXPORTER_OTLP${signal}_ENDPOINT')
      return !sources.includes(name.replace(/_FILE$/, ''))
    })
    expect(unknown).toEqual([])
  })

  it('its shell commands are valid, and its links lead somewhere', () => {
    for (const text of blocks('sh')) execFileSync('sh', ['-n'], { input: text })
    const links = [...page.matchAll(/\]\(([a-z-]+\.md)\)/g)].map(([, file = '']) => file)
    expect(links.filter((file) => !existsSync(join(root, 'docs', file)))).toEqual([])
  })

  it('its units start commands of the program, and wait longer than the program does', () => {
    const units = blocks('ini')
    expect(units).toHaveLength(2)
    const grace = Number(/BENCHMAKER_STOP_GRACE_SECONDS=(\d+)/.exec(page)?.[1])
    for (const unit of units) {
      expect(Number(/TimeoutStopSec=(\d+)/.exec(unit)?.[1])).toBeGreaterThan(grace + 15)
      expect(unit).toMatch(/^User=benchmaker$/m)
    }
  })
})

describe('compose.yaml', () => {
  const { postgres, server, worker } = compose.services

  it('has a database with a health check, a server that waits for it, and workers', () => {
    expect(postgres?.healthcheck?.test).toContain('pg_isready')
    expect(server?.healthcheck?.test.join(' ')).toContain('/readyz')
    for (const service of [server, worker]) {
      expect(service?.depends_on).toEqual({ postgres: { condition: 'service_healthy' } })
      expect(service?.environment['BENCHMAKER_DATABASE_URL_FILE']).toBe('/run/secrets/database-url')
      const grace = Number(service?.environment['BENCHMAKER_STOP_GRACE_SECONDS'])
      expect(Number.parseInt(service?.stop_grace_period ?? '', 10)).toBeGreaterThanOrEqual(grace + 15)
    }
    expect(worker?.deploy?.replicas).toBeGreaterThan(1)
  })

  it('starts commands with options that exist', async () => {
    for (const { command } of [server!, worker!]) await checkCommand([command ?? []].flat())
  })

  it('limits what each service may take and do, and lets each image be pinned to its digest', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      expect(service.mem_limit, name).toMatch(/^\$\{[A-Z]+_MEMORY:-[1-9]g\}$/)
      expect(service.pids_limit, name).toBeGreaterThan(0)
      expect(service.read_only, name).toBe(true)
      expect(service.cap_drop, name).toEqual(['ALL'])
      expect(service.security_opt, name).toEqual(['no-new-privileges:true'])
      // Files in a tmpfs are memory: without a size of its own it could take all that the service has.
      for (const mount of service.tmpfs) expect(mount, name).toMatch(/[:,]size=\d+[mg]\b/)
    }
    expect(postgres?.user).toBe('postgres')
    expect(postgres?.image).toMatch(/^\$\{POSTGRES_IMAGE:-postgres:[\w-]+\}$/)
    for (const service of [server, worker])
      expect(service?.build?.args).toEqual({ NODE_IMAGE: '${NODE_IMAGE:-node:24-bookworm-slim}' })
    for (const [, setting = ''] of composeText.matchAll(/\$\{([A-Z]+_(?:IMAGE|MEMORY)):-/g))
      expect(page).toContain(setting)
  })

  it('declares every secret and volume that it uses, and holds no secret itself', () => {
    for (const { secrets, volumes = [] } of Object.values(compose.services)) {
      expect(Object.keys(compose.secrets)).toEqual(expect.arrayContaining(secrets))
      for (const volume of volumes) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0])
    }
    for (const { file } of Object.values(compose.secrets)) expect(page).toContain(`> ${file}`)
    expect(read('.gitignore')).toMatch(/^secrets\/$/m)
    expect(read('.dockerignore')).toMatch(/^secrets$/m)
    expect(composeText).not.toMatch(/PASSWORD: |postgres:\/\//)
  })
})

describe('Containerfile', () => {
  it('runs the program as another user than root, on the Node that is tested', () => {
    const users = [...container.matchAll(/^USER (\S+)$/gm)].map(([, user]) => user)
    expect(users).toEqual(['benchmaker'])
    // Pinned to a digest by setting the argument.
    expect(container).toMatch(/^ARG NODE_IMAGE=node:24-bookworm-slim$/m)
    expect([...container.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)).toEqual(['$NODE_IMAGE', '$NODE_IMAGE'])
    expect(container).toContain('ENTRYPOINT ["tini", "--", "benchmaker"]')
    for (const [, file = ''] of container.matchAll(/^RUN node (\S+)$/gm))
      expect(existsSync(join(root, file))).toBe(true)
  })

  it('is built from all that the build reads: no source, page or picture is left out', () => {
    const leftOut = read('.dockerignore').trim().split('\n')
    expect(leftOut).toContain('node_modules')
    expect(leftOut.filter((pattern) => /^(bin|docs|examples|src|tools)\b/.test(pattern))).toEqual([])
  })

  it('installs the browser library that the package names', () => {
    const { optionalDependencies }: { optionalDependencies: Record<string, string> } = JSON.parse(
      read('packages/previews/package.json'),
    )
    const [, version = ''] = /playwright-core@([\d.]+)/.exec(container) ?? []
    expect(optionalDependencies['playwright-core']).toContain(version)
  })
})
