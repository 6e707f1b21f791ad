/** Converts Tailwind 3 settings (`tailwind.config = { theme: … }`) into a style sheet for Tailwind 4. */

type Settings = Record<string, unknown>

function isSettings(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Sections of the old theme and the prefixes of their variables in the new one. */
const NAMESPACES: [section: string, prefix: string][] = [
  ['colors', '--color'],
  ['backgroundColor', '--color'],
  ['textColor', '--color'],
  ['borderColor', '--color'],
  ['fontFamily', '--font'],
  ['fontSize', '--text'],
  ['fontWeight', '--font-weight'],
  ['letterSpacing', '--tracking'],
  ['lineHeight', '--leading'],
  ['screens', '--breakpoint'],
  ['spacing', '--spacing'],
  ['maxWidth', '--container'],
  ['borderRadius', '--radius'],
  ['boxShadow', '--shadow'],
  ['dropShadow', '--drop-shadow'],
  ['blur', '--blur'],
  ['animation', '--animate'],
  ['transitionTimingFunction', '--ease'],
]

function writeThemeValue(section: string, value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  if (!Array.isArray(value)) return undefined
  if (section === 'fontSize') return String(value[0])
  return value
    .filter((item) => typeof item === 'string')
    .map((item: string) => (/[\s]/.test(item) && !/["',(]/.test(item) ? `"${item}"` : item))
    .join(', ')
}

/** `{ brand: { DEFAULT: '#00f', 500: '#00e' } }` becomes `--color-brand` and `--color-brand-500`. */
function writeVariables(section: string, prefix: string, values: Settings): string[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const name = key === 'DEFAULT' ? prefix : `${prefix}-${key.replace(/[^\w-]/g, '\\$&')}`
    if (isSettings(value)) return writeVariables(section, name, value)
    const written = writeThemeValue(section, value)
    return written === undefined ? [] : [`${name}: ${written};`]
  })
}

function writeKeyframes(keyframes: Settings): string[] {
  return Object.entries(keyframes).map(([name, steps]) => {
    const written = Object.entries(isSettings(steps) ? steps : {}).map(([step, rules]) => {
      const lines = Object.entries(isSettings(rules) ? rules : {}).map(
        ([property, value]) =>
          `${property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${String(value)};`,
      )
      return `${step} { ${lines.join(' ')} }`
    })
    return `@keyframes ${name} { ${written.join(' ')} }`
  })
}

export function translateConfig(config: unknown): string {
  const settings = isSettings(config) ? config : {}
  const theme = isSettings(settings.theme) ? settings.theme : {}
  const variables: string[] = []
  const others: string[] = []
  for (const part of [theme, isSettings(theme.extend) ? theme.extend : {}]) {
    for (const [section, prefix] of NAMESPACES) {
      const values = part[section]
      if (isSettings(values)) variables.push(...writeVariables(section, prefix, values))
    }
    if (isSettings(part.keyframes)) others.push(...writeKeyframes(part.keyframes))
    if (isSettings(part.backgroundImage))
      for (const [name, value] of Object.entries(part.backgroundImage))
        others.push(`@utility bg-${name} { background-image: ${String(value)}; }`)
  }
  const darkMode = Array.isArray(settings.darkMode) ? settings.darkMode[0] : settings.darkMode
  if (darkMode === 'class' || darkMode === 'selector') others.push('@custom-variant dark (&:where(.dark, .dark *));')
  return `@theme { ${variables.join(' ')} }\n${others.join('\n')}`
}
