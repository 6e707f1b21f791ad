/** `My second prompt!` → `my-second-prompt`, for ids and names. */
export function makeSlug(text: string): string {
  const words = text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
  return words.replaceAll(/^-+|-+$/g, '').slice(0, 48)
}
