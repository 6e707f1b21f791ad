/** What pages written for Tailwind 3 need to look the same under Tailwind 4. */

const UTILITY =
  /^(?:[\w-]+:)*-?(?:(?:p|m|gap|space|w|h|min-h|min-w|max-w|max-h|inset|top|left|right|bottom|text|bg|border|rounded|shadow|font|leading|tracking|grid-cols|col-span|z|opacity|ring|from|to|via|duration|divide)(?:[xytrblse])?-(?:[a-z]+-)?[\w./[\]#%-]+|flex|grid|hidden|block|inline-flex|items-center|justify-(?:center|between|end)|flex-(?:col|row|wrap|1)|rounded|shadow|border|uppercase|relative|absolute|sticky|fixed|mx-auto|truncate|transition)$/

/** Whether the classes of markup are Tailwind's: several different ones, most of all there are. */
export function usesTailwindClasses(code: string): boolean {
  const classes = new Set(
    [...code.matchAll(/\bclass(?:Name)?=\{?["'`]([^"'`]*)["'`]/g)].flatMap(([, value]) =>
      value!.split(/\s+/).filter((word) => word !== '' && !word.includes('${')),
    ),
  )
  const known = [...classes].filter((name) => UTILITY.test(name))
  return known.length >= 6 && known.length >= classes.size / 2
}

/** A style sheet that only Tailwind can read. */
export function isTailwindSource(css: string): boolean {
  return /@tailwind\b|@apply\b|@theme\b|@import\s+["']tailwindcss/.test(css)
}

/** `@tailwind base` and the like are one `@import` now, which is there by itself. */
export function adaptTailwindSource(css: string): string {
  return css.replace(/@tailwind\s+\w+\s*;/g, '').replace(/@import\s+["']tailwindcss(?:\/\w+)?["'][^;]*;/g, '')
}

/** `bg-black bg-opacity-50` is `bg-black/50` now. In any quoted text, because classes are written in many places. */
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

/** Defaults that changed with version 4: the colour of borders, the pointer over buttons, the width of rings. */
export const oldTailwindDefaults = `@layer base {
  *, ::after, ::before, ::backdrop, ::file-selector-button { border-color: var(--color-gray-200, currentColor) }
  button:not(:disabled), [role="button"]:not(:disabled) { cursor: pointer }
}
@theme {
  --default-ring-width: 3px;
  --default-ring-color: var(--color-blue-500);
}`
