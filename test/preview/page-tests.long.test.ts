import { expect, it } from 'vitest'
import { pageTestSchema } from '../../src/contract/index.ts'
import { createPageInspector } from '../../src/preview/page-inspector.ts'
import { isOneColour } from '../../src/services/index.ts'
import { previewsFolder } from './browser.ts'

it('charges a page that hangs when it is used, and goes on with the next test', { timeout: 300_000 }, async () => {
  const inspector = createPageInspector({ previews: previewsFolder, isBlank: isOneColour })
  const response = '```html\n<!doctype html><button onclick="for (;;) {}">Go</button>\n```'
  const seen = { of: 'button', visible: true }
  const tests = [
    { name: 'hangs', steps: [{ click: 'button' }, { expect: seen }] },
    { name: 'stays', steps: [{ expect: seen }] },
  ].map((test) => pageTestSchema.parse(test))
  expect(await inspector.testPage(response, { tests })).toMatchObject({
    outcomes: [{ passed: false, notes: expect.stringContaining('never ends') }, { passed: true }],
  })
  await inspector.close()
})
