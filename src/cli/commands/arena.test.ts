import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { previewsFolder } from '../../../test/preview/browser.ts'
import { findChromium, launchChromium } from '../../preview/index.ts'
import { saveSandboxSetting } from '../../settings/index.ts'
import { runCli } from '../testing/run-cli.ts'

let folder: string

beforeAll(async () => {
  vi.stubEnv('BENCHMAKER_PREVIEWS_FOLDER', previewsFolder)
})
afterAll(() => vi.unstubAllEnvs())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'benchmaker-arena-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function arena(...args: string[]) {
  const { exitCode, out, err } = await runCli(['arena', ...args, '--data', join(folder, 'data')], { columns: 160 })
  return { exitCode, stdout: out, stderr: err }
}

const PROMPT = 'a pricing page with three plans'

describe('benchmaker arena', () => {
  it('has simulated models write, inspects and judges the pages, and writes a self-contained report', async () => {
    const out = join(folder, 'report.html')
    const { exitCode, stdout, stderr } = await arena(PROMPT, '--out', out)
    expect(stderr).toContain('simulated demo/good, demo/fair, demo/poor')
    expect(stderr).toContain('simulated demo/judge')
    expect(stdout).toMatch(/Page\s+Score\s+Visual accuracy\s+Code quality\s+Functionality\s+Responsiveness\s+Pictures/)
    expect(stdout).toMatch(/demo\/good\s+\d+\.\d/)
    expect(exitCode).toBe(0)

    const browser = await launchChromium()
    const tab = await browser.newPage()
    const problems: string[] = []
    tab.on('console', (message) => problems.push(message.text()))
    await tab.setContent(readFileSync(out, 'utf8'))
    const images = await tab
      .locator('img')
      .evaluateAll((elements) => elements.map((image) => Reflect.get(image, 'naturalWidth')))
    expect(images).toEqual([375, 768, 1440, 1440, 375, 768, 1440, 1440, 375, 768, 1440, 1440])
    expect(await tab.locator('script').count()).toBe(0)
    expect(problems).toEqual([])
    await browser.close()
  })

  it('works without a browser, and says that there are no pictures', async () => {
    vi.stubEnv('BENCHMAKER_CHROMIUM', join(folder, 'no-such-browser'))
    const { exitCode, stdout, stderr } = await arena(PROMPT, '--models', 'demo/good', '--judge', 'demo/judge')
    vi.stubEnv('BENCHMAKER_CHROMIUM', undefined)
    expect(stderr).toMatch(/demo\/good: No pictures: BENCHMAKER_CHROMIUM is .*no-such-browser/)
    expect(stdout).toMatch(/demo\/good\s+\d+\.\d\s+–/)
    expect(exitCode).toBe(0)
  })

  it('opens no page without a sandbox unless it is turned off, judges the code, and says what to do', async () => {
    // Like a machine whose kernel or container denies the sandbox.
    const browser = join(folder, 'browser')
    writeFileSync(
      browser,
      `#!/bin/sh\ncase "$*" in *--no-sandbox*) exec '${await findChromium()}' "$@";; esac\necho 'No usable sandbox!' >&2\nexit 1\n`,
      { mode: 0o755 },
    )
    chmodSync(folder, 0o755)
    const env = { BENCHMAKER_CHROMIUM: browser }
    const judged = ['--models', 'demo/good', '--judge', 'demo/judge']
    const stub = (sandbox: string) => {
      vi.stubEnv('BENCHMAKER_CHROMIUM', env.BENCHMAKER_CHROMIUM)
      vi.stubEnv('BENCHMAKER_CHROMIUM_SANDBOX', sandbox)
    }
    const doctor = () => runCli(['doctor', '--data', join(folder, 'data')], { columns: 160 })
    try {
      stub('')
      const refused = await arena(PROMPT, ...judged, '--json')
      expect(refused.stderr).toMatch(/demo\/good: No pictures: Chromium’s sandbox does not work here.*SANDBOX=off/)
      expect(refused.exitCode).toBe(0)
      expect(JSON.parse(refused.stdout)).toMatchObject({
        runs: [{ results: [{ score: { criteria: { visualAccuracy: { reason: 'not seen', weight: 0 } } } }] }],
      })
      expect(await doctor()).toMatchObject({
        exitCode: 0,
        out: expect.stringMatching(/! Screenshots +Chromium’s sandbox does not work here/),
      })

      saveSandboxSetting(join(folder, 'data'), 'off')
      const allowed = await arena(PROMPT, ...judged)
      expect(allowed.stderr).toContain('Chromium’s sandbox is off by your setting')
      expect(allowed.stderr).not.toContain('No pictures')
      expect((await doctor()).out).toMatch(/! Screenshots .*without its sandbox: it is turned off in Settings/)

      stub('on')
      expect((await arena(PROMPT, ...judged)).stderr).toContain('No pictures')
    } finally {
      vi.stubEnv('BENCHMAKER_CHROMIUM', undefined)
      vi.stubEnv('BENCHMAKER_CHROMIUM_SANDBOX', 'off')
    }
  })

  it('prints one JSON document with the criteria, for a quick judge over two runs', async () => {
    const { exitCode, stdout } = await arena(
      PROMPT,
      '--models',
      'demo/good',
      '--judge',
      'demo/judge',
      '--quick-judge',
      '--repeat',
      '2',
      '--json',
    )
    const { runs }: { runs: { testSuiteId: string; seriesId: string; results: { score: { criteria: object } }[] }[] } =
      JSON.parse(stdout)
    expect(exitCode).toBe(0)
    expect(runs.map(({ testSuiteId }) => testSuiteId)).toEqual(['code-arena', 'code-arena'])
    expect(runs[0]?.seriesId).toBe(runs[1]?.seriesId)
    expect(runs[0]?.results[0]?.score.criteria).toMatchObject({
      visualAccuracy: { reason: 'not seen' },
      codeQuality: { score: expect.any(Number) },
    })
  })

  it('continues a run with --follow, and export writes its pages with or without names', async () => {
    const quick = ['--quick-judge', '--models', 'demo/good,demo/poor', '--judge', 'demo/judge']
    expect((await arena(PROMPT, ...quick)).exitCode).toBe(0)
    const dry = await arena('make it blue', '--follow', 'latest', '--dry-run', '--output', 'full')
    expect(dry.stdout).toContain('One price, no surprises')
    const out = join(folder, 'turn.html')
    const followed = await arena('make it blue', '--follow', 'latest', '--models', 'demo/good', '--json', '--out', out)
    expect(followed.stderr).toContain('Turn 2 of the conversation with demo/good, after run 2')
    expect(followed.exitCode).toBe(0)
    const { runs }: { runs: { id: string; models: string[]; request: { follows: string } }[] } = JSON.parse(
      followed.stdout,
    )
    expect(runs[0]).toMatchObject({ models: ['demo/good'], judgeModel: 'demo/judge' })
    expect(runs[0]!.request.follows).toMatch(/^2/)
    expect(readFileSync(out, 'utf8')).toMatch(/Turn 1.*Turn 2/s)

    const refused = await arena('x', '--follow', 'latest', '--models', 'demo/fair')
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('has no page of demo/fair') })
    expect((await arena('x', '--follow', 'nothing')).exitCode).toBe(2)

    const exported = join(folder, 'shared.html')
    const write = (...args: string[]) =>
      runCli(['export', 'latest', ...args, '--data', join(folder, 'data')], { columns: 160 })
    expect((await write('--out', exported, '--without-names')).exitCode).toBe(0)
    const text = readFileSync(exported, 'utf8')
    expect(text).toContain('Model A')
    expect(text).toMatch(/<img src="data:image\/png/)
    for (const word of ['demo/good', 'demo/judge', runs[0]!.id, folder]) expect(text).not.toContain(word)
    expect(await write('--out', join(folder, 'x.csv'), '--without-names')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('--without-names'),
    })
  })

  it('sends and writes nothing in a dry run or with invalid arguments', async () => {
    const dry = await arena(PROMPT, '--dry-run', '--output', 'full')
    expect(dry).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('nothing was sent') })
    expect(dry.stdout).toContain('"maxTokens": 8192')
    expect((await arena('  ')).exitCode).toBe(2)
    expect((await arena(PROMPT, '--out', join(folder, 'report.pdf'))).exitCode).toBe(2)
    expect((await arena(PROMPT, '--models', 'demo/1,demo/2,demo/3,demo/4,demo/5,demo/6,demo/7')).exitCode).toBe(2)
    expect(existsSync(join(folder, 'report.pdf'))).toBe(false)
  })

  it('fails a gate with exit code 1', async () => {
    const { exitCode, stderr } = await arena(
      PROMPT,
      '--models',
      'demo/poor',
      '--judge',
      'demo/judge',
      '--quick-judge',
      '--fail-under',
      '90',
    )
    expect(exitCode).toBe(1)
    expect(stderr).toContain('gate failed')
  })
})
