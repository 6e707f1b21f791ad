import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extractCode } from '../../../preview/extract/extract-code.ts'
import { editAddressOf, isSameCode, nameFork, writeForkedAnswer } from './forked-answer.ts'

const filesOf = (answer: string) =>
  extractCode(answer, { isComplete: true }).files.map(({ name, code }) => ({ name, code: code.trimEnd() }))

describe('an edited page', () => {
  it.each([
    ['one page', [{ name: 'index.html', language: 'html', code: '<!doctype html>\n<h1>Prices</h1>' }]],
    [
      'several files',
      [
        { name: 'index.html', language: 'html', code: '<link rel="stylesheet" href="style.css"><h1>x</h1>' },
        { name: 'style.css', language: 'css', code: 'h1 { color: blue }' },
        { name: 'app.js', language: 'js', code: 'console.log(1)' },
      ],
    ],
    [
      'a component',
      [{ name: 'App.tsx', language: 'tsx', code: 'export default function App() {\n  return <p>Hi</p>\n}' }],
    ],
    [
      'code with fences in it',
      [{ name: 'index.html', language: 'html', code: '<script>\nconst text = `\n```html\n<p>\n```\n`\n</script>' }],
    ],
  ])('is written as an answer that gives the same files: %s', (_name, files) => {
    expect(filesOf(writeForkedAnswer(files))).toEqual(files.map(({ name, code }) => ({ name, code })))
  })

  it('keeps its code whatever backticks it contains', () => {
    const line = fc.stringMatching(/^[`~ a-z<>]{0,12}$/)
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), (lines) => {
        const code = `<main>\n${lines.join('\n')}\n</main>`
        expect(filesOf(writeForkedAnswer([{ name: 'index.html', language: 'html', code }]))).toEqual([
          { name: 'index.html', code },
        ])
      }),
    )
  })
})

it('a fork is called after its model unless it has a name', () => {
  expect(nameFork({ modelId: 'demo/good' })).toBe('fork of demo/good')
  expect(nameFork({ modelId: 'demo/good', name: 'bigger' })).toBe('bigger')
})

it('code is the same if names and code are', () => {
  const file = { name: 'a', language: 'html', code: 'x' }
  expect(isSameCode([file], [{ ...file, language: 'htm' }])).toBe(true)
  expect(isSameCode([file], [{ ...file, code: 'y' }])).toBe(false)
  expect(isSameCode([file], [])).toBe(false)
})

it('the address of the editor survives strange names', () => {
  expect(editAddressOf('run 1', 'a/b?c&d=é')).toBe('/code-arena/run%201/edit?model=a%2Fb%3Fc%26d%3D%C3%A9')
})
