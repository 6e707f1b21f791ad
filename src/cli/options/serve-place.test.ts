import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readOpenIdSettings, readServePlace } from './serve-place.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'benchmaker-place-'))
  for (const name of ['cert', 'key']) writeFileSync(join(folder, name), name)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const tls = () => ({ tlsCert: join(folder, 'cert'), tlsKey: join(folder, 'key') })
const publicUrl = 'https://bench.example.org'

describe('where a server may listen', () => {
  it('one person on loopback needs nothing', () => {
    for (const options of [{}, { host: '127.0.0.1' }, { host: 'localhost' }, { host: '::1' }])
      expect(readServePlace(options, {})).toMatchObject({ isTeam: false, host: undefined, isSecure: false })
  })
  it('another address is refused without accounts, and without encryption', () => {
    expect(() => readServePlace({ host: '0.0.0.0' }, {})).toThrow('add --team')
    expect(() => readServePlace({ host: '192.168.1.5', ...tls(), publicUrl }, {})).toThrow('add --team')
    expect(() => readServePlace({ host: '0.0.0.0', team: true }, {})).toThrow('--tls-cert')
    expect(() => readServePlace({ host: '::', team: true }, {})).toThrow('--behind-proxy')
    expect(() => readServePlace({ host: '0.0.0.0' }, { BENCHMAKER_OIDC_ISSUER: 'https://id' })).toThrow('--tls-cert')
    expect(() => readServePlace({ host: '0.0.0.0', team: true, ...tls() }, {})).toThrow('--public-url')
    expect(() => readServePlace({ host: 'example.org', team: true }, {})).toThrow('not an IP address')
    expect(() => readServePlace({ team: true, tlsCert: 'x' }, {})).toThrow('belong together')
    expect(() => readServePlace({ team: true, tlsCert: join(folder, 'none'), tlsKey: 'x' }, {})).toThrow(
      'cannot be read',
    )
    expect(() => readServePlace({ behindProxy: 'http://bench.example.org' }, {})).toThrow('https://')
    expect(() => readServePlace({ behindProxy: 'https://bench.example.org/path' }, {})).toThrow('https://')
  })
  it('accounts with TLS or a declared proxy may', () => {
    expect(readServePlace({ host: '0.0.0.0', team: true, ...tls(), publicUrl }, {})).toMatchObject({
      host: '0.0.0.0',
      isSecure: true,
      isBehindProxy: false,
      tls: { cert: 'cert', key: 'key' },
    })
    const proxied = readServePlace({ behindProxy: `${publicUrl}/` }, {})
    expect(proxied).toMatchObject({ isTeam: true, host: undefined, isSecure: true, isBehindProxy: true })
    expect(proxied.publicUrl(4747)).toBe(publicUrl)
    expect(readServePlace({ team: true }, {}).publicUrl(1)).toBe('http://127.0.0.1:1')
    expect(readServePlace({ team: true, host: '192.0.2.1', ...tls() }, {}).publicUrl(2)).toBe('https://192.0.2.1:2')
  })
})

describe('the OpenID provider', () => {
  const base = {
    BENCHMAKER_OIDC_ISSUER: 'https://id.example',
    BENCHMAKER_OIDC_CLIENT_ID: 'a',
    BENCHMAKER_OIDC_CLIENT_SECRET: 'b',
  }
  it('gives everybody a look without groups, and nobody with groups', () => {
    expect(readOpenIdSettings({})).toBeUndefined()
    expect(readOpenIdSettings(base)?.defaultRole).toBe('viewer')
    const mapped = readOpenIdSettings({ ...base, BENCHMAKER_OIDC_ADMIN_GROUPS: 'ops, leads' })
    expect(mapped).toMatchObject({ groups: { admin: ['ops', 'leads'] }, defaultRole: undefined, groupsClaim: 'groups' })
    expect(readOpenIdSettings({ ...base, BENCHMAKER_OIDC_DEFAULT_ROLE: 'none' })?.defaultRole).toBeUndefined()
    expect(() => readOpenIdSettings({ ...base, BENCHMAKER_OIDC_DEFAULT_ROLE: 'boss' })).toThrow('viewer, runner, admin')
    expect(() => readOpenIdSettings({ BENCHMAKER_OIDC_ISSUER: 'https://id.example' })).toThrow('CLIENT_ID')
  })
})
