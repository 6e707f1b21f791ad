/** Headers for a download: the file name in ASCII for old browsers, and in full for the rest. */
export function attachmentHeaders(name: string, type: string): Record<string, string> {
  const clean =
    name
      .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}/\\:*?"<>|]+/gu, '-')
      .replaceAll(/^[.\s-]+|[.\s-]+$/g, '')
      .slice(0, 120)
      // The cut may have left half a character, which cannot be encoded.
      .replace(/[\ud800-\udbff]$/, '') || 'benchmaker'
  const plain =
    clean
      .normalize('NFKD')
      .replaceAll(/[^\x20-\x7e]/g, '')
      .replaceAll(/["\\%;]/g, '-')
      .trim() || 'benchmaker'
  return {
    'content-type': type,
    'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(clean).replaceAll("'", '%27')}`,
  }
}
