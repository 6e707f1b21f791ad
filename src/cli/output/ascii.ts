/** Our symbols as wide as they are, so that tables keep their columns. */
const SYMBOLS: Readonly<Record<string, string>> = {
  '●': 'o',
  '├': '|',
  '┤': '|',
  '┊': ':',
  '─': '-',
  '━': '=',
  '╸': '>',
  '│': '|',
  '└': '`',
  '·': '-',
  '–': '-',
  '−': '-',
  '×': 'x',
  '≈': '~',
  '≠': '!',
  '±': '+',
  '“': '"',
  '”': '"',
  '’': "'",
}

const ANY_SYMBOL = new RegExp(`[${Object.keys(SYMBOLS).join('')}]`, 'gu')

/** A text that was cut loses two more characters, so that it stays as wide. */
const CUT = /[^…\n]\S…(?=\s|$)/gu

/** Our symbols in ASCII; foreign text keeps its letters. */
export function writeAscii(text: string): string {
  return text
    .replaceAll('✓', 'ok')
    .replaceAll('✗', 'FAIL')
    .replaceAll('→', '->')
    .replaceAll(CUT, '...')
    .replaceAll('…', '...')
    .replaceAll(ANY_SYMBOL, (symbol) => SYMBOLS[symbol]!)
}
