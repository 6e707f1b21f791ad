/** `compare FILE FILE` against figures computed here in another way, by every door. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { runProgram } from '../src/cli/program.ts'
import { importResults } from '../src/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-compare-files-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let folders = 0
const newFolder = () => {
  const path = join(folder, String(++folders))
  mkdirSync(path)
  return path
}

async function run(...args: string[]) {
  let [out, err] = ['', '']
  const code = await runProgram([...args, '--data', join(folder, 'data')], {
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: (text: string) => (err += text) },
    columns: 200,
    colour: false,
    progress: false,
  })
  return { code, out, err }
}
async function compareJson(...args: string[]) {
  const { code, out, err } = await run('compare', ...args, '--json')
  if (code !== 0) throw new Error(err)
  return { report: JSON.parse(out), err }
}

interface Row {
  id: string
  epoch: number
  score: number | 'error'
}

function writeTable(where: string, model: string, rows: readonly Row[]): string {
  const path = join(where, `${model}.csv`)
  const lines = rows.map(({ id, epoch, score }) =>
    [id, model, epoch, score === 'error' ? '' : score, score === 'error' ? 'no connection' : ''].join(','),
  )
  writeFileSync(path, `id,model,epoch,score,error\n${lines.join('\n')}\n`)
  return path
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** B less A, by case: means over the epochs that have a score, of the cases that both have. */
function differences(a: readonly Row[], b: readonly Row[]): number[] {
  const meanOf = (rows: readonly Row[], id: string) => {
    const scores = rows.flatMap((row) => (row.id === id && row.score !== 'error' ? [row.score] : []))
    return scores.length === 0 ? undefined : sum(scores) / scores.length
  }
  return [...new Set(a.map(({ id }) => id))].flatMap((id) => {
    const [left, right] = [meanOf(a, id), meanOf(b, id)]
    return left === undefined || right === undefined ? [] : [right - left]
  })
}

/** All ways to turn the signs of the differences; `ofTies` is how much those count that are exactly as far. */
function signFlips(found: readonly number[], ofTies: number): number {
  const seen = Math.abs(sum(found))
  let asFar = 0
  for (let signs = 0; signs < 2 ** found.length; signs += 1) {
    const turned = Math.abs(sum(found.map((difference, index) => ((signs >> index) & 1 ? -difference : difference))))
    if (turned > seen + 1e-12) asFar += 1
    else if (turned >= seen - 1e-12) asFar += ofTies
  }
  return asFar / 2 ** found.length
}

/** Two-sided p of Student's t: the density (1 + x²/ν)^−(ν+1)/2 summed over x = tan θ, by the midpoint rule. */
function studentP(t: number, freedom: number): number {
  const steps = 200_000
  let [beyond, all] = [0, 0]
  for (let step = 0; step < steps; step += 1) {
    const angle = ((step + 0.5) / steps) * (Math.PI / 2)
    const x = Math.tan(angle)
    const mass = (1 + x ** 2 / freedom) ** (-(freedom + 1) / 2) * (1 + x ** 2)
    all += mass
    if (x > Math.abs(t)) beyond += mass
  }
  return beyond / all
}

/** McNemar's mid-p: twice the smaller tail of Binomial(wins + losses, 1/2), of which the observed value counts half. */
function midP(wins: number, losses: number): number {
  const n = wins + losses
  const least = Math.min(wins, losses)
  const choose = (k: number): number => (k === 0 ? 1 : (choose(k - 1) * (n - k + 1)) / k)
  const tail = sum(Array.from({ length: least + 1 }, (_, k) => choose(k))) / 2 ** n
  return Math.min(1, 2 * tail - choose(least) / 2 ** n)
}

const cases = Array.from({ length: 12 }, (_, index) => `case ${index + 1}`)
const graded = (shift: number): Row[] =>
  cases.flatMap((id, index) =>
    [1, 2].map((epoch): Row => {
      const score = ((index * 7 + epoch * 3 + shift * 5) % 11) / 20 + shift * 0.2
      return { id, epoch, score: index === 4 && epoch === 2 && shift === 1 ? 'error' : Number(score.toFixed(3)) }
    }),
  )
const right = (isRight: (index: number) => boolean): Row[] =>
  cases.map((id, index) => ({ id, epoch: 1, score: isRight(index) ? 1 : 0 }))

describe('the verdict on two files', () => {
  it.each<[string, Row[], Row[]]>([
    ['graded scores in two epochs, one of them an error', graded(0), graded(1)],
    [
      'graded scores, hardly different',
      graded(0),
      graded(0).map((row, index) => (index === 3 ? { ...row, score: 0.9 } : row)),
    ],
    ['0 and 1, mostly different', right((index) => index < 2), right((index) => index !== 0)],
    ['0 and 1, hardly different', right((index) => index < 6), right((index) => index < 7)],
  ])('%s: is the one computed here', async (_name, a, b) => {
    const where = newFolder()
    const [before, after] = [writeTable(where, 'a', a), writeTable(where, 'b', b)]
    const { report } = await compareJson(before, after)
    const found = differences(a, b)
    const n = found.length
    const mean = sum(found) / n
    const stdErr = Math.sqrt(sum(found.map((difference) => (difference - mean) ** 2)) / (n - 1) / n)
    const [comparison] = report.comparisons
    const sign = comparison.modelA === 'b' ? 1 : -1
    const { paired } = comparison
    expect(paired.n).toBe(n)
    expect(sign * paired.meanDiff).toBeCloseTo(mean, 10)
    expect(paired.stdErr).toBeCloseTo(stdErr, 10)
    expect([paired.wins, paired.losses].toSorted()).toEqual(
      [
        found.filter((difference) => difference > 1e-12).length,
        found.filter((difference) => difference < -1e-12).length,
      ].toSorted(),
    )
    expect(paired.permutationP).toBeCloseTo(signFlips(found, 1), 10)
    const isBinary = [...a, ...b].every(({ score }) => score === 0 || score === 1)
    const flips = isBinary ? midP(paired.wins, paired.losses) : signFlips(found, 0.5)
    expect(paired.verdictP).toBeCloseTo(Math.max(flips, studentP(mean / stdErr, n - 1)), 5)
    // The library reads the same.
    const [left, other] = await importResults([before, after])
    expect(report.runs.map(({ id }: { id: string }) => id).toSorted()).toEqual(
      [...left!.runs, ...other!.runs].map(({ id }) => id).toSorted(),
    )
  })

  it('a folder stands for the results files in it', async () => {
    const where = newFolder()
    const [a, b] = [writeTable(where, 'a', graded(0)), writeTable(where, 'b', graded(1))]
    writeFileSync(join(where, 'notes.txt'), 'not results')
    const { report } = await compareJson(`${where}/`)
    expect(report.comparisons).toEqual((await compareJson(a, b)).report.comparisons)
    expect((await run('import', where)).code).toBe(0)
    expect(await run('compare', newFolder())).toMatchObject({
      code: 2,
      err: expect.stringContaining('is a folder without results files'),
    })
  })

  it('a file without prompts is compared with one that has them, and nothing is said to be renamed', async () => {
    const where = newFolder()
    const plain = writeTable(
      where,
      'plain',
      right(() => true),
    )
    const asked = join(where, 'asked.csv')
    writeFileSync(
      asked,
      `id,model,score,prompt\n${cases
        .slice(1)
        .map((id) => `${id},asked,0,Why ${id}?`)
        .join('\n')}\nother,asked,1,\n`,
    )
    const { report } = await compareJson(plain, asked)
    expect(report.changes[0].samples.shared).toBe(11)
    expect(report.suiteChanges).toMatchObject({ changed: {}, renamed: [] })
  })

  it('says if the files are compared by different metrics', async () => {
    const where = newFolder()
    const write = (name: string, column: string) => {
      const path = join(where, name)
      writeFileSync(path, `id,model,${column}\n${cases.map((id) => `${id},${name},1`).join('\n')}\n`)
      return path
    }
    const { err } = await compareJson(write('a.csv', 'score'), write('b.csv', 'accuracy'))
    expect(err).toMatch(/compared by different metrics: score \(a\.csv\) and accuracy \(b\.csv\)/)
  })
})
