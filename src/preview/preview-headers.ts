import { iframeSandbox } from '../contract/index.ts'
import { VENDOR_PATH } from './vendor/vendored-files.ts'

const FORBIDDEN_FEATURES = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'clipboard-read',
  'compute-pressure',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'identity-credentials-get',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'otp-credentials',
  'payment',
  'picture-in-picture',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'storage-access',
  'sync-xhr',
  'usb',
  'window-management',
  'xr-spatial-tracking',
]

/** What a page may load: only inline code and the given scripts. No images, styles, fonts, frames or forms from the network. */
function listDirectives(scripts: string): string[] {
  return [
    "default-src 'none'",
    `script-src 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob: data: ${scripts}`.trim(),
    "style-src 'unsafe-inline' data: blob:",
    'img-src data: blob:',
    'media-src data: blob:',
    'font-src data:',
    'worker-src blob:',
    "connect-src 'none'",
    "frame-src 'none'",
    "object-src 'none'",
    "manifest-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ]
}

/**
 * Headers of a preview page. Its policy does not keep the frame from navigating away: the page that embeds it must send
 * `frame-src <preview origin>`. Neither blocks WebRTC; `Connection-Allowlist` does, in browsers that know it (Chromium 153). It also
 * stops a navigation before the browser looks up the name or connects.
 *
 * A browser that is cut off from the network anyway does without `Connection-Allowlist`: with it, Chromium 153 ends the renderer of a
 * page that uses WebRTC in a frame of its own, and the page would be blamed.
 */
export function previewHeaders({ origin, isCutOff = false }: { origin?: string; isCutOff?: boolean } = {}): Record<
  string,
  string
> {
  const scripts = origin === undefined ? "'self'" : `${origin}${VENDOR_PATH}`
  const policy = [...listDirectives(scripts), `sandbox ${iframeSandbox}`]
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    ...(!isCutOff && { 'connection-allowlist': '(response-origin)' }),
    'permissions-policy': FORBIDDEN_FEATURES.map((name) => `${name}=()`).join(', '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'cross-origin',
  }
}

/**
 * The first lines of a page that is saved as a file: it has no headers and no frame around it. It cannot load or send anything; a
 * policy in the page cannot stop it from leaving for another address. The encoding comes first because browsers look for it in
 * the first 1,024 bytes only.
 */
export const savedPageStart = [
  '<meta charset="utf-8">',
  `<meta http-equiv="Content-Security-Policy" content="${listDirectives('').join('; ')}">`,
  '<meta http-equiv="x-dns-prefetch-control" content="off"><meta name="referrer" content="no-referrer">',
  '<script>for (const name of Object.getOwnPropertyNames(window)) if (/^(webkit)?RTC/.test(name)) delete window[name]</script>',
].join('\n')
