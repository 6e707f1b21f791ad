import { describe, expect, it } from 'vitest'
import { extractCode } from './extract-code.ts'

const page = (title: string): string => `\`\`\`html\n<!doctype html><html><body><h1>${title}</h1></body></html>\n\`\`\``
const entryOf = (answer: string, alternative?: number): string | undefined => {
  const { files, runs } = extractCode(answer, { isComplete: true, alternative })
  return files.find(({ name }) => name === runs?.entry)?.code
}

describe('several pages of which a reader takes one', () => {
  const options = `Two ways.\n\n## Option A: plain\n\n${page('A')}\n\n## Option B: animated\n\n${page('B')}\n\n`

  it('the recommended one is shown, or else the first; the others can be chosen', () => {
    const { alternatives, alternative, notes } = extractCode(`${options}I recommend Option B for most sites.`)
    expect([alternatives, alternative]).toEqual([['Option A: plain', 'Option B: animated'], 1])
    expect(notes).toEqual(['The answer offers 2 alternatives; “Option B: animated” is shown.'])
    expect(entryOf(`${options}I recommend Option B for most sites.`)).toContain('>B<')
    expect(entryOf(`${options}I recommend Option B for most sites.`, 0)).toContain('>A<')
    expect(entryOf(`${options}Option B is not recommended.`)).toContain('>A<')
    expect(entryOf(options.replace('B: animated', 'B: animated (recommended)'))).toContain('>B<')
    expect(entryOf(options, 7)).toContain('>A<')
  })

  it('each has all of its pieces, and those that belong to all', () => {
    const answer = `\`\`\`css shared.css\nh1 { color: red }\n\`\`\`\n\n**Version 1 – links**\n\n${page('One')}\n\n\`\`\`js\nalert(1)\n\`\`\`\n\n**Version 2 – buttons**\n\n${page('Two')}`
    const names = (alternative: number) =>
      extractCode(answer, { isComplete: true, alternative }).files.map(({ name }) => name)
    expect(names(0)).toEqual(['shared.css', 'index.html', 'script.js'])
    expect(names(1)).toEqual(['shared.css', 'index.html'])
  })

  it('components, too', () => {
    const component = (name: string) => `\`\`\`jsx\nexport default function App() { return <h1>${name}</h1> }\n\`\`\``
    const answer = `### Approach 1: state (recommended)\n${component('first')}\n### Approach 2: a reducer, longer\n${component('second and longer')}`
    expect(entryOf(answer)).toContain('first')
    expect(entryOf(answer, 1)).toContain('second')
  })

  it('are not a page and its correction, parts of one page, or a page and how it was designed', () => {
    for (const answer of [
      `First:\n${page('draft')}\nCorrected:\n${page('final')}`,
      `## Solution: markup\n${page('x')}\n## Solution: styles\n\`\`\`css\nh1 { color: red }\n\`\`\``,
      `## Design concept\nBold.\n## Solution\n${page('x')}`,
    ])
      expect(extractCode(answer)).not.toHaveProperty('alternatives')
  })
})
