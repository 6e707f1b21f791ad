/**
 * How fast a large results file is scored, and in how much memory, beside plain JSON.parse of the same file when it is
 * known where its records begin: read a record, parse it, drop it.
 *
 *     node bench/partial-score/large-file.ts [megabytes, default 200]
 */
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { partialScore } from '../../src/cli/commands/partial-score.ts'
import { writeResults } from './synthetic-results.ts'

interface Measurement {
  seconds: number
  cpuSeconds: number
  peakMegabytes: number
}

const ways = {
  '--parse': 'JSON.parse, records already split',
  '--copy': 'score, statistics and scored copy',
  '--json': 'score, --json with every reason',
} as const

type Way = keyof typeof ways

const [first, second] = process.argv.slice(2)
if (first === '--parse' || first === '--copy' || first === '--json') await measure(first, second!)
else await compare(Number(first ?? 200))

/** Runs alone in a process, so that the memory and the warm-up are only its own. */
async function measure(way: Way, path: string): Promise<void> {
  const start = performance.now()
  const before = process.cpuUsage()
  if (way === '--parse') parseRecords(path)
  else await score(path, way === '--json' ? { json: true, credit: 'effects' } : { output: `${path}.scored` })
  const { user, system } = process.cpuUsage(before)
  const result: Measurement = {
    seconds: (performance.now() - start) / 1000,
    cpuSeconds: (user + system) / 1e6,
    peakMegabytes: process.resourceUsage().maxRSS / 1024,
  }
  console.log(JSON.stringify(result))
}

async function score(path: string, options: Parameters<typeof partialScore>[1]): Promise<void> {
  const silent = { write: () => true }
  const code = await partialScore([path], options, {
    stdout: silent,
    stderr: silent,
    colour: false,
    columns: 100,
    progress: false,
  })
  if (code !== 0) throw new Error(`partialScore ended with ${code}`)
}

function parseRecords(path: string): void {
  const ends: number[] = JSON.parse(readFileSync(`${path}.ends`, 'utf8'))
  const file = openSync(path, 'r')
  const buffer = Buffer.allocUnsafe(1 << 20)
  let kept: unknown
  for (let index = 0; index + 1 < ends.length; index += 2) {
    const length = ends[index + 1]! - ends[index]!
    readSync(file, buffer, 0, length, ends[index]!)
    kept = JSON.parse(buffer.toString('utf8', 0, length))
  }
  closeSync(file)
  if (kept === undefined) throw new Error('nothing was parsed')
}

async function compare(megabytes: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'partial-score-bench-'))
  try {
    const path = join(folder, 'results.json')
    const { bytes, places } = await writeResults(path, megabytes * 1e6)
    writeFileSync(`${path}.ends`, JSON.stringify(places))
    const size = bytes / 1e6
    console.log(`${size.toFixed(0)} MB, ${places.length / 2} records of ${(bytes / places.length / 500).toFixed(1)} kB`)
    let parsing: Measurement | undefined
    for (const way of ['--parse', '--copy', '--json'] as const) {
      const output = execFileSync(process.execPath, [fileURLToPath(import.meta.url), way, path], { encoding: 'utf8' })
      const measured: Measurement = JSON.parse(output)
      parsing ??= measured
      report({ label: ways[way], size, measured, parsing })
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

interface Line {
  label: string
  size: number
  measured: Measurement
  parsing: Measurement
}

function report({ label, size, measured, parsing }: Line): void {
  const { seconds, cpuSeconds, peakMegabytes } = measured
  const ratio = `${(seconds / parsing.seconds).toFixed(2)} x (processor time ${(cpuSeconds / parsing.cpuSeconds).toFixed(2)} x)`
  console.log(
    `${label.padEnd(34)} ${seconds.toFixed(2).padStart(6)} s  ${(size / seconds).toFixed(0).padStart(4)} MB/s  ${ratio}  peak RSS ${peakMegabytes.toFixed(0)} MB`,
  )
}
