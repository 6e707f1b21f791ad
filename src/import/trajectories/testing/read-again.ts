import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Trajectory } from '../../../scoring/tool-calls/index.ts'
import { readTrajectories } from '../index.ts'

/** Writes a text, or a value as JSON or JSON lines, and reads it as recorded runs. */
export async function readText(content: unknown, name = 'run.json'): Promise<Trajectory[]> {
  const folder = mkdtempSync(join(tmpdir(), 'trajectories-'))
  try {
    const path = join(folder, name)
    const text =
      typeof content === 'string'
        ? content
        : name.endsWith('.jsonl') && Array.isArray(content)
          ? content.map((line) => JSON.stringify(line)).join('\n')
          : JSON.stringify(content)
    writeFileSync(path, text)
    return await readTrajectories(path)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export async function readAgain(document: unknown): Promise<Trajectory | undefined> {
  const [trajectory] = await readText(document)
  return trajectory
}
