import { expect, it } from 'vitest'
import type { RunLabel, RunResult } from '../../contract/index.ts'
import { buildReport } from '../model/report.ts'
import { formats } from '../formats.ts'

const run = (id: string, label?: RunLabel): RunResult => ({
  id,
  models: ['m'],
  status: 'completed',
  ...(label && { label }),
  results: [{ testCaseId: 'a', modelId: 'm', status: 'completed', response: 'x', score: { score: 1 } }],
})
const hostile = { name: '<b>"Base" & | *x*', tags: ['prod', '=1+1'], note: 'one\ntwo </script>' }
const write = (name: string, runs: RunResult[]) =>
  [...(formats.find((format) => format.name === name)?.write(buildReport(runs)) ?? [])].join('')

it('every format has the name and tags of the runs, escaped', () => {
  const runs = [run('1', hostile), run('2', hostile)]
  expect(write('html', runs)).toContain('<dt>Name</dt><dd>&lt;b&gt;&quot;Base&quot; &amp; | *x*</dd>')
  expect(write('html', runs)).toContain('<dd>prod, =1+1</dd>')
  expect(write('markdown', runs)).toContain(
    String.raw`name &lt;b&gt;"Base" &amp; \| \*x\* · tags prod, =1+1 · note one two`,
  )
  expect(write('junit', runs)).toContain('<property name="name" value="&lt;b&gt;&quot;Base&quot; &amp; | *x*"/>')
  expect(write('csv', runs)).toMatch(
    /runName,runTags,[^\r]*\r\n[^]*"<b>""Base"" & \| \*x\*",prod;' =1\+1,,,,,,,,,,,\r\n/,
  )
  expect(JSON.parse(write('json', runs)).runs[0].label).toEqual(hostile)
})

it('a report of several runs names each label once; without labels nothing is said', () => {
  const text = write('markdown', [run('1', { name: 'A', tags: ['t'] }), run('2', { name: 'B', tags: ['t'] }), run('3')])
  expect(text).toContain('name A; B · tags t')
  for (const name of ['html', 'markdown', 'junit']) expect(write(name, [run('1')]).toLowerCase()).not.toContain('tags')
})
