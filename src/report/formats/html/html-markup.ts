const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Replaces control characters, including those that change text direction, by replacement characters. */
function escapeHtml(text: string): string {
  return (
    text
      .toWellFormed()
      .replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!)
      // eslint-disable-next-line no-control-regex
      .replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g, '\uFFFD')
  )
}

/** HTML that is known to be safe. Only `html` creates it, so everything else is escaped. */
export class Markup {
  readonly text: string

  constructor(strings: readonly string[], values: readonly Content[]) {
    this.text = strings.reduce(
      (text, part, index) => text + part + (index < values.length ? render(values[index]) : ''),
      '',
    )
  }
}

export type Content = Markup | string | number | undefined | false | readonly Content[]

function render(content: Content): string {
  if (content === undefined || content === false) return ''
  if (content instanceof Markup) return content.text
  return typeof content === 'object' ? content.map(render).join('') : escapeHtml(String(content))
}

/** A template that escapes its values, unless they were made by this template. Attributes must be quoted. */
export function html(strings: TemplateStringsArray, ...values: Content[]): Markup {
  return new Markup(strings, values)
}
