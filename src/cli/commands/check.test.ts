import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { runCli } from '../testing/run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-check-'))
afterAll(() => rmSync(folder, { recursive: true }))
const run = (...args: string[]) => runCli([...args, '--data', join(folder, 'data')], { columns: 200 })

const others = ['Who wrote Faust?', 'Is a whale a fish?', 'Name the longest river of Africa.', 'What is HTTP?']
const story = (index: number) =>
  `Anna has ${7 * index} apples in a box and gives ${index} to a friend. How many apples are left in the box?`
const yaml = `# Sums and facts
name: Mixed
testCases:
${[story(2), story(3), story(4), ...others].map((prompt, index) => `  - id: c${index} # ${index}\n    prompt: "${prompt}"\n    scoringMethod: exact-match\n    expectedOutput: k${index}\n`).join('')}`

function write(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

describe('check', () => {
  it('lists templates, says how to keep them, and writes them into the file as clusters', async () => {
    const path = write('suite.yaml', yaml)
    const { out, exitCode } = await run('check', path)
    expect(exitCode).toBe(0)
    expect(out).toContain('1. 3 of 7 cases look like variants of 1 template: counted one by one,')
    expect(out).toContain('c0, c1 and c2: “Anna has 14 apples')
    expect(out).toContain(`benchmaker check ${path} --keep-clusters`)
    expect(readFileSync(path, 'utf8')).toBe(yaml)

    const kept = await run('check', path, '--keep-clusters')
    expect(kept.out).toContain(`Wrote the clusters of 3 cases in 1 group into ${path}.`)
    const written = [0, 1, 2].reduce(
      (text, index) => text.replace(`# ${index}\n`, `# ${index}\n    cluster: c0\n`),
      yaml,
    )
    expect(readFileSync(path, 'utf8')).toBe(written)

    const again = await run('check', path, '--keep-clusters')
    expect(again.out).toContain('Nothing wrong found.')
    expect(again.out).toContain(`No groups to keep: ${path} stays as it is.`)
    expect(readFileSync(path, 'utf8')).toBe(written)
  })

  it('prints the groups with --json, also when it keeps them', async () => {
    const path = write('json.yaml', yaml)
    const { out, err } = await run('check', path, '--json', '--keep-clusters')
    expect(JSON.parse(out)).toMatchObject({ findings: [], templates: { groups: [['c0', 'c1', 'c2']] } })
    expect(err).toContain('Wrote the clusters of 3 cases')
  })

  it('refuses what has no file of its own, and tables, and writes nothing', async () => {
    const table = `prompt,scoringMethod,expectedOutput\n${[story(2), story(3), ...others].map((prompt, index) => `"${prompt}",exact-match,k${index}\n`).join('')}`
    const path = write('suite.csv', table)
    expect(await run('check', path, '--keep-clusters')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('this is a table; make a suite of it first: benchmaker import'),
    })
    expect(readFileSync(path, 'utf8')).toBe(table)
    await run('run', write('run.yaml', yaml), '--models', 'demo/good')
    expect(await run('check', 'latest', '--keep-clusters')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('--keep-clusters writes into the file of a suite, and latest is the suite of a run'),
    })
  })

  it('is what a run warns of, and what it counts by afterwards', async () => {
    const path = write('run.yaml', yaml)
    expect((await run('run', path, '--models', 'demo/good,demo/fair')).out).toContain(
      '3 of 7 cases look like variants of 1 template.',
    )
    await run('check', path, '--keep-clusters')
    const { out } = await run('run', path, '--models', 'demo/good,demo/fair')
    expect(out).toContain('Mixed · 7 cases in 5 groups × 2 simulated models')
    expect(out).not.toContain('look like variants')
  })
})
