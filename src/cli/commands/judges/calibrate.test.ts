import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { runCli } from '../../testing/run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-calibrate-'))
const data = ['--data', join(folder, 'data')]
afterAll(() => rmSync(folder, { recursive: true }))

const run = (...args: string[]) => runCli([...args, ...data])
const write = (name: string, content: string) => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

describe('calibrate', () => {
  it('takes the name of a built-in set, prints intervals and how sure it is, and keeps the result', async () => {
    const { out: worst } = await runCli([
      'calibrate',
      'demo/judge',
      '--samples',
      'facts',
      '--data',
      join(folder, 'other'),
    ])
    expect(worst).toMatch(
      /^demo\/judge · Facts: 26 samples\n\nFair: right on 17 of 26 samples, [^]*facts-rounded[^]*… 21 more samples: --output full\n/,
    )
    expect(worst).not.toContain('facts-confident-wrong')
    const { out, exitCode } = await run('calibrate', 'demo/judge', '--samples', 'facts', '--output', 'full')
    expect(exitCode).toBe(0)
    expect(out).toContain('facts-confident-wrong')
    expect(out).toMatch(/95 % CI[\s\S]*Bias +[+−]?\d+\.\d +[+−]?\d+\.\d to [+−]?\d+\.\d/)
    expect(out).toMatch(/(?:Excellent|Good|Fair|Poor) on these \d+; /)
    expect(out).toContain('Probability of each rating:')
    const faithful = JSON.parse((await run('calibrate', 'demo/judge', '--preset', 'faithfulness', '--json')).out)
    expect(faithful).toMatchObject({
      setVersion: 'faithfulness/1',
      promptVersion: 'llm-judge/1+faithfulness/1',
      intervals: { correlation: { low: expect.any(Number) } },
      certainty: { probabilities: { poor: expect.any(Number) } },
      interpretation: { certainty: expect.stringContaining('on these') },
    })
  })

  it('lists the history of a judge, newest first, with set, prompt and rating', async () => {
    const history = JSON.parse((await run('calibrate', 'demo/judge', '--history', '--json')).out)
    expect(history.map(({ setVersion, promptVersion }: Record<string, string>) => [setVersion, promptVersion])).toEqual(
      [
        ['faithfulness/1', 'llm-judge/1+faithfulness/1'],
        ['facts/1', 'llm-judge/1'],
      ],
    )
    const { out } = await run('calibrate', 'demo/judge', '--history')
    expect(out).toMatch(/faithfulness\/1[\s\S]*facts\/1/)
    expect((await run('calibrate', 'demo/good', '--history')).out).toContain('demo/good has not been calibrated')
  })

  it('takes a name for the built-in set even where a folder has that name, and a path for a file', async () => {
    const before = process.cwd()
    mkdirSync(join(folder, 'style'))
    process.chdir(folder)
    try {
      const { setVersion } = JSON.parse((await run('calibrate', 'demo/judge', '--samples', 'style', '--json')).out)
      expect(setVersion).toBe('style/1')
      write('facts', '[{"id":"a","prompt":"p","response":"r","expectedScore":0.8}]')
      const own = JSON.parse((await run('calibrate', 'demo/judge', '--samples', './facts', '--json')).out)
      expect(own).toMatchObject({ source: '1 own sample', summary: { totalSamples: 1 } })
      expect((await run('calibrate', 'demo/judge', '--samples', './facts')).out).toMatch(
        /^demo\/judge · 1 own sample\n\ndemo\/judge is rated poor because there is one sample/,
      )
    } finally {
      process.chdir(before)
    }
  })

  it('refuses an unknown name, an unknown preset and scores on the wrong scale, in words', async () => {
    const unknown = await run('calibrate', 'demo/judge', '--samples', 'recipes')
    expect([unknown.exitCode, unknown.err]).toEqual([2, expect.stringContaining('default, facts, reasoning')])
    const preset = await run('calibrate', 'demo/judge', '--preset', 'kindness')
    expect([preset.exitCode, preset.err]).toEqual([2, expect.stringContaining('no judge preset "kindness"')])
    const file = write('own.json', '[{"id":"a","prompt":"p","response":"r","expectedScore":80}]')
    const points = await run('calibrate', 'demo/judge', '--samples', file)
    expect([points.exitCode, points.err]).toEqual([
      2,
      expect.stringContaining('expectedScore: is 80: here scores are from 0 to 1; write 0.8 for 80 of 100'),
    ])
  })
})

describe('results that a judge scored', () => {
  it('say in the terminal, HTML, Markdown and JSON how far it was calibrated', async () => {
    const suite = write(
      'judged.yaml',
      'name: Judged\ntestCases:\n  - { id: a, prompt: Why?, scoringMethod: llm-judge, expectedOutput: Because, preset: factuality }\n',
    )
    const html = join(folder, 'out.html')
    const first = await run('run', suite, '--models', 'demo/good', '--judge', 'demo/judge', '--out', html)
    const sentence =
      'The judge demo/judge was not calibrated with the prompt that scored these answers (llm-judge/1+factuality/1)'
    expect(first.out.replaceAll(/\s+/g, ' ')).toContain(sentence)
    const other = await run('run', suite, '--models', 'demo/good', '--judge', 'demo/poor')
    expect(other.out).toContain('The judge demo/poor has not been calibrated.')
    await run('calibrate', 'demo/judge', '--preset', 'factuality')
    const ids = JSON.parse((await run('list', '--json')).out).runs.map(({ id }: { id: string }) => id)
    const shown = JSON.parse((await run('show', ids.at(-1), '--json')).out)
    expect(shown.runs[0].versions.judgePrompt).toBe('llm-judge/1+factuality/1')
    const [note] = shown.judgeNotes
    expect(note).toMatchObject({ judgeModelId: 'demo/judge', text: expect.stringContaining('was rated') })
    for (const format of ['html', 'markdown']) {
      const { out } = await run('export', ids.at(-1), '--format', format)
      expect(out).toContain(note.text)
    }
  })
})
