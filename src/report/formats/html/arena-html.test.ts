import { parse, type DefaultTreeAdapterTypes } from 'parse5'
import { describe, expect, it } from 'vitest'
import type { ArenaReport, ArenaReportPage } from '../../../contract/index.ts'
import { hideNames } from '../../model/arena/arena-report.ts'
import { writeArenaHtml } from './arena-html.ts'

const EVIL = `</pre></details><script>document.title = 'ran'</script><img src=x onerror="document.title = 'ran'">`

const HARMLESS = new Set(
  'html head meta title style body main h1 h2 h3 ol ul li small p dl div dt dd table thead tbody tr th td section span figure img figcaption details summary pre'.split(
    ' ',
  ),
)

function listElements(node: DefaultTreeAdapterTypes.ParentNode): DefaultTreeAdapterTypes.Element[] {
  return node.childNodes.flatMap((child) => ('tagName' in child ? [child, ...listElements(child)] : []))
}

const page = (change: Partial<ArenaReportPage> = {}): ArenaReportPage => ({
  modelId: 'demo/good',
  files: [{ name: 'index.html', code: EVIL }],
  response: EVIL,
  score: 0.876,
  criteria: [
    { label: 'Visual accuracy', weight: 0.4, score: 0.9, reason: EVIL },
    { label: 'Code quality', weight: 0.3, reason: 'not seen' },
  ],
  pictures: [{ name: '375.png', width: 375, height: 800, isAfterInteraction: false, png: new Uint8Array([1, 2, 3]) }],
  findings: {
    console: [{ level: 'error', text: EVIL }],
    errors: [EVIL],
    accessibility: [],
    blocked: [{ url: `https://x/${EVIL}`, why: 'blocked' }],
    interactions: [{ action: 'click', target: EVIL, hadEffect: false }],
  },
  problems: [EVIL],
  ...change,
})

const report = (...pages: ArenaReportPage[]): ArenaReport => ({
  prompt: EVIL,
  systemPrompt: EVIL,
  judgeModel: EVIL,
  isQuickJudge: false,
  runs: [{ id: 'r1', models: pages.map(({ modelId }) => modelId), results: [] }],
  pages,
})

describe('the report of a Code Arena run', () => {
  it('contains models’ output only as text: no script, no external address, and a policy against both', () => {
    const text = writeArenaHtml(report(page({ modelId: EVIL })))
    expect(text).not.toMatch(/<script/i)
    expect(
      [...text.matchAll(/<img[^>]*>/g)].every(([tag]) =>
        /^<img src="data:image\/png;base64,[\w+/=]*" width="\d+" height="\d+" tabindex="0" alt="[^"]*">$/.test(tag),
      ),
    ).toBe(true)
    expect(text).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"`)
    expect(text).not.toMatch(/(?:src|href)="https?:/)
  })

  it('contains hostile names, votes and earlier prompts only as text, with and without names', () => {
    const hostile = {
      ...report(page({ modelId: EVIL }), page({ modelId: 'other/model', gaps: [EVIL], error: EVIL })),
      votes: [{ left: EVIL, right: 'other/model', choice: 'right' as const }],
      earlierPrompts: [EVIL, `"><svg onload=alert(1)>`],
    }
    for (const text of [writeArenaHtml(hostile), writeArenaHtml(hideNames(hostile))]) {
      const elements = listElements(parse(text))
      expect([...new Set(elements.map(({ tagName }) => tagName))].filter((name) => !HARMLESS.has(name))).toEqual([])
      const attributes = elements.flatMap(({ attrs }) => attrs)
      expect(attributes.filter(({ name }) => /^on|^href$|^srcdoc$/.test(name))).toEqual([])
      expect(attributes.filter(({ name, value }) => name === 'src' && !value.startsWith('data:image/png'))).toEqual([])
      expect(elements.filter(({ tagName }) => tagName === 'meta')).toHaveLength(3)
    }
    expect(writeArenaHtml(hostile)).toContain('Turn 3')
  })

  it('shows scores of 0 to 100, criteria with weight and reason, and what was not seen', () => {
    const text = writeArenaHtml(
      report(
        page({
          criteria: [
            { label: 'Visual accuracy', weight: 0.4, score: 0.9, reason: 'close to it' },
            { label: 'Code quality', weight: 0, reason: 'not seen' },
          ],
        }),
      ),
    )
    for (const part of ['87.6', '90.0', '40 %', 'close to it', 'not seen', 'data:image/png;base64,AQID', '1 error,'])
      expect(text).toContain(part)
    expect(text).toContain('offline demo models')
  })

  it('says why a page has no score and no screenshot, and shows the answer if there is no code', () => {
    const text = writeArenaHtml(
      report(
        page({
          modelId: 'some/model',
          score: undefined,
          criteria: [],
          files: [],
          response: 'just words',
          pictures: [],
          findings: undefined,
          problems: ['No pictures: no browser.'],
          unscored: { code: 'judge-unreadable', message: 'no grade can be read' },
        }),
      ),
    )
    for (const part of ['no grade can be read', 'No pictures: no browser.', 'just words']) expect(text).toContain(part)
    expect(text).not.toContain('demo models')
  })
})
