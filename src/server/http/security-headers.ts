/** Sent with every reply. */
const COMMON = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), usb=()',
  'x-frame-options': 'DENY',
}

/** Data never acts as a page: opened directly, it cannot load, run or frame anything. */
export const dataHeaders: Record<string, string> = {
  ...COMMON,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cache-control': 'no-store',
}

/**
 * Allows scripts only from our own files, and inline styles because scripts set positions. Pages may frame
 * `previewOrigins`.
 */
export function pageHeaders(previewOrigins: readonly string[]): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    `frame-src ${previewOrigins.length === 0 ? "'none'" : previewOrigins.join(' ')}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return { ...COMMON, 'content-security-policy': policy.join('; '), 'cache-control': 'no-store' }
}
