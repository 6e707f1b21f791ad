import { readFileSync } from 'node:fs'

function readPage(name: string): string {
  return readFileSync(new URL(`./pages/${name}`, import.meta.url), 'utf8').trimEnd()
}

/**
 * The pages that simulated models write. The build replaces this by the texts (`tools/embedded-modules.ts`): a user's
 * bundle does not contain the files.
 */
export const pageTexts = {
  /** Whole answers, in the style of real models: with words around the code, and in several files. */
  pricing: {
    good: readPage('pricing/good.md'),
    react: readPage('pricing/react.md'),
    fair: readPage('pricing/fair.md'),
    poor: readPage('pricing/poor.md'),
  },
  counter: {
    good: readPage('counter/good.html'),
    fair: readPage('counter/fair.html'),
    poor: readPage('counter/poor.html'),
  },
  tasks: { good: readPage('tasks/good.html'), fair: readPage('tasks/fair.html'), poor: readPage('tasks/poor.html') },
  /** `{{subject}}` stands for what the prompt is about. */
  anySubject: {
    good: readPage('any-subject/good.html'),
    fair: readPage('any-subject/fair.html'),
    poor: readPage('any-subject/poor.html'),
  },
}
