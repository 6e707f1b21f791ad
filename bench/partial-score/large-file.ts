/**
 * Time and memory to score a large results file, compared with plain JSON.parse of its records at known offsets: read a
 * record, parse it, drop it.
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

const modes = {
  '--parse': 'JSON.parse, records already split',
  '--copy': 'score, statistics and scored copy',
  '--json': 'score, --json with every reason',
} as const

type Mode = keyof typeof modes

const [first, second] = process.argv.slice(2)
if (first === '--parse' || first === '--copy' || first === '--json') await measure(first, second!)
else await compare(Number(first ?? 200))

/** Runs in its own process, so that memory and warm-up are not shared. */
async function measure(mode: Mode, path: string): Promise<void> {
  const start = performance.now()
  const before = process.cpuUsage()
  if (mode === '--parse') parseRecords(path)
  else await score(path, mode === '--json' ? { json: true, credit: 'effects' } : { output: `${path}.scored` })
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
  if (code !== 0) throw new Error(`partialScore returned ${code}`)
}

function parseRecords(path: string): void {
  const ends: number[] = JSON.parse(readFileSync(`${path}.ends`, 'utf8'))
  const file = openSync(path, 'r')
  const buffer = Buffer.allocUnsafe(1 << 20)
  let record: unknown
  for (let index = 0; index + 1 < ends.length; index += 2) {
    const length = ends[index + 1]! - ends[index]!
    readSync(file, buffer, 0, length, ends[index]!)
    record = JSON.parse(buffer.toString('utf8', 0, length))
  }
  closeSync(file)
  if (record === undefined) throw new Error('nothing was parsed')
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
    for (const mode of ['--parse', '--copy', '--json'] as const) {
      const output = execFileSync(process.execPath, [fileURLToPath(import.meta.url), mode, path], { encoding: 'utf8' })
      const measured: Measurement = JSON.parse(output)
      parsing ??= measured
      report({ label: modes[mode], size, measured, parsing })
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
