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

/**
 * Headers of a preview page. It can load only the vendored scripts: no code, images, styles, fonts, frames or forms from the network.
 * The page that embeds it must send `frame-src <preview origin>`, or the frame could navigate away.
 * No header blocks WebRTC. The bootstrap removes its constructors from the page, and we start our own browser without it, but in a
 * user's browser, code in a frame inside the page (`srcdoc`) can still send packets.
 */
export function previewHeaders({ origin }: { origin?: string } = {}): Record<string, string> {
  const scripts = origin === undefined ? "'self'" : `${origin}${VENDOR_PATH}`
  const policy = [
    "default-src 'none'",
    `script-src 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob: data: ${scripts}`,
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
    `sandbox ${iframeSandbox}`,
  ]
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'permissions-policy': FORBIDDEN_FEATURES.map((name) => `${name}=()`).join(', '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'cross-origin',
  }
}
