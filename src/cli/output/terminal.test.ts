import { describe, expect, it } from 'vitest'
import {
  clearLine,
  guardTerminal,
  printDocument,
  readColour,
  styleFor,
  wantsColour,
  type Terminal,
} from './terminal.ts'

function openGuarded(isTTY: boolean): { terminal: Terminal; printed: () => string } {
  let printed = ''
  const sink = { isTTY, write: (text: string) => (printed += text) }
  return {
    terminal: guardTerminal({ stdout: sink, stderr: sink, colour: true, columns: 80, progress: true }),
    printed: () => printed,
  }
}

describe('a guarded terminal', () => {
  it('obeys our own styles, and the same ones in foreign text not', () => {
    const { terminal, printed } = openGuarded(true)
    const style = styleFor(terminal)
    terminal.stderr.write(`${clearLine}${style('red', 'ours')} \u001b[31mtheirs\u001b[39m\r\u001b[K\n`)
    expect(printed()).toBe('\r\u001b[K\u001b[31mours\u001b[39m \\u001b[31mtheirs\\u001b[39m\\u000d\\u001b[K\n')
  })
  it('cannot be fooled by a guess of our marks', () => {
    const { terminal, printed } = openGuarded(true)
    for (let guess = 1000; guess < 1100; guess++) terminal.stdout.write(`\u001b[31;${guess};${guess}m`)
    expect(printed()).not.toContain('\u001b[31m')
    terminal.stdout.write(styleFor(terminal)('red', 'x'))
    expect(printed()).toContain('\u001b[31m')
  })
  it('writes a document as it is to a pipe, and readably to a person', () => {
    const document = JSON.stringify({ a: '\u202E\u009b' })
    const [pipe, person] = [openGuarded(false), openGuarded(true)]
    for (const { terminal } of [pipe, person]) printDocument(document, terminal)
    expect(pipe.printed()).toBe(document)
    expect(person.printed()).toBe('{"a":"\\u202e\\u009b"}')
  })
})

describe('colours', () => {
  it.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [false, { FORCE_COLOR: '1' }, true],
    [true, { FORCE_COLOR: '0' }, false],
    [true, { NO_COLOR: '1', FORCE_COLOR: '3' }, false],
  ])('terminal %s with %j: %s', (isTerminal, env, wanted) => expect(wantsColour(isTerminal, env)).toBe(wanted))
  it.each([
    [['run', 'x', '--color', 'always'], true],
    [['--color=always', 'run', 'x'], true],
    [['run', '--color', 'always', '--color', 'never'], false],
    [['run', '--color', 'auto'], false],
    [['run', '--', '--color', 'always'], false],
  ])('%j overrides what the terminal is', (args, wanted) => expect(readColour(args, false)).toBe(wanted))
})
