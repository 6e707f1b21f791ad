/** Longer texts are detected by their beginning. */
const LONGEST_DETECTED = 10_000

/** Languages that eld does not know, by franc's code. */
const BY_FRANC: Readonly<Record<string, string>> = { npi: 'ne', nep: 'ne', swh: 'sw', swa: 'sw' }

/** Names that differ from eld's for the same language. */
const SAME: Readonly<Record<string, string>> = { 'zh-cn': 'zh', 'zh-tw': 'zh', iw: 'he', nb: 'no', fil: 'tl' }

export function languageCode(language: string): string {
  const code = language.toLowerCase()
  return SAME[code] ?? code
}

/** The ISO 639-1 code of the language of a text; undefined if it cannot be detected. Loaded when first needed: 1 MB. */
export async function detectLanguage(text: string): Promise<string | undefined> {
  const [{ eld }, { franc }] = await Promise.all([import('eld/extrasmall'), import('franc')])
  const part = text.slice(0, LONGEST_DETECTED)
  const other = BY_FRANC[franc(part)]
  // Both write in scripts that eld takes for a language it knows: Nepali for Hindi.
  if (other !== undefined) return other
  const { language } = eld.detect(part)
  return language === '' ? undefined : languageCode(language)
}
