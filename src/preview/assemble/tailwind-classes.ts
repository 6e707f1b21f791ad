/** Makes pages written for Tailwind 3 look the same with Tailwind 4. */

const UTILITY =
  /^(?:[\w-]+:)*-?(?:(?:p|m|gap|space|w|h|min-h|min-w|max-w|max-h|inset|top|left|right|bottom|text|bg|border|rounded|shadow|font|leading|tracking|grid-cols|col-span|z|opacity|ring|from|to|via|duration|divide)(?:[xytrblse])?-(?:[a-z]+-)?[\w./[\]#%-]+|flex|grid|hidden|block|inline-flex|items-center|justify-(?:center|between|end)|flex-(?:col|row|wrap|1)|rounded|shadow|border|uppercase|relative|absolute|sticky|fixed|mx-auto|truncate|transition)$/

const ATTRIBUTE = /(?<![\w.])class(?:Name)?=(?:\{\s*)?(["'`])([\s\S]*?)\1/g
/** The functions that put classes together; their arguments are read up to the end of the call or of the list of variants. */
const CALL = /\b(?:cn|clsx|cva|twMerge|classNames|cx|tv)\(([\s\S]{0,2000}?)\)[\s,;})]/g

/** A rule in a `<style>` of the component itself. */
const OWN_RULE = /(?<=[\s}`,])\.([A-Za-z][\w-]*)(?=[\w:.\s>-]{0,60}[,{])/g

function splitClasses(text: string): string[] {
  return text
    .replaceAll(/\$\{[^}]*\}/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '')
}

/** Returns true if markup uses Tailwind: at least two of its classes, at least half of all, and none that a style sheet defines. */
export function usesTailwindClasses(code: string, styleSheets = ''): boolean {
  const inCalls = [...code.matchAll(CALL)].flatMap(([, inner]) =>
    [...inner!.matchAll(/(["'`])([^"'`]*)\1/g)].flatMap(([, , text]) => splitClasses(text!)),
  )
  const inAttributes = [...code.matchAll(ATTRIBUTE)].flatMap(([, , text]) => splitClasses(text!))
  const used = new Set([...inAttributes, ...inCalls.filter((word) => UTILITY.test(word))])
  const own = new Set([...styleSheets.matchAll(/\.([\w-]+)/g), ...code.matchAll(OWN_RULE)].map(([, name]) => name))
  const classes = [...used].filter((name) => !own.has(name))
  const known = classes.filter((name) => UTILITY.test(name))
  return known.length >= 2 && known.length >= used.size / 2
}

/** Returns true for a style sheet that only Tailwind can read. */
export function isTailwindSource(css: string): boolean {
  return /@tailwind\b|@apply\b|@theme\b|@import\s+["']tailwindcss/.test(css)
}

/** Removes `@tailwind base` and the like: the single `@import` of version 4 is added elsewhere. */
export function adaptTailwindSource(css: string): string {
  return css.replace(/@tailwind\s+\w+\s*;/g, '').replace(/@import\s+["']tailwindcss(?:\/\w+)?["'][^;]*;/g, '')
}

/** Turns `bg-black bg-opacity-50` into `bg-black/50`, in any quoted text because classes occur in many places. */
export function adaptOpacity(code: string): string {
  return code.replace(
    /(["'`])((?:(?!\1)[^\n])*?-opacity-\d+(?:(?!\1)[^\n])*)\1/g,
    (_whole, quote: string, text: string) => {
      let adapted = text
      for (const [whole, variant = '', what = '', amount = ''] of text.matchAll(
        /((?:[\w-]+:)*)(bg|text|border|ring|divide|placeholder)-opacity-(\d+)/g,
      )) {
        const color = new RegExp(
          `(?<![\\w:-])${variant.replaceAll('-', '\\-')}${what}-(black|white|[a-z]+-\\d{2,3})(?![\\w/-])`,
        )
        if (color.test(adapted)) adapted = adapted.replace(color, `$&/${amount}`).replace(whole, '')
      }
      return `${quote}${adapted}${quote}`
    },
  )
}

/** Restores defaults that changed in version 4: border colour, pointer over buttons, ring width. */
export const oldTailwindDefaults = `@layer base {
  *, ::after, ::before, ::backdrop, ::file-selector-button { border-color: var(--color-gray-200, currentColor) }
  button:not(:disabled), [role="button"]:not(:disabled) { cursor: pointer }
}
@theme {
  --default-ring-width: 3px;
  --default-ring-color: var(--color-blue-500);
}`
