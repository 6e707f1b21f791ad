import { readFileSync } from 'node:fs'

function read(name: string): string {
  return readFileSync(new URL(`./pages/${name}`, import.meta.url), 'utf8').trimEnd()
}

/**
 * The pages that simulated models write. The build replaces this by the texts (`tools/embedded-modules.ts`): a user's
 * bundle does not contain the files.
 */
export const pageTexts = {
  /** Whole answers, in the style of real models: with words around the code, and in several files. */
  pricing: {
    good: read('pricing/good.md'),
    react: read('pricing/react.md'),
    fair: read('pricing/fair.md'),
    poor: read('pricing/poor.md'),
  },
  counter: { good: read('counter/good.html'), fair: read('counter/fair.html'), poor: read('counter/poor.html') },
  tasks: { good: read('tasks/good.html'), fair: read('tasks/fair.html'), poor: read('tasks/poor.html') },
  /** `{{subject}}` stands for what the prompt is about. */
  anySubject: {
    good: read('any-subject/good.html'),
    fair: read('any-subject/fair.html'),
    poor: read('any-subject/poor.html'),
  },
}
