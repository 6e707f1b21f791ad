export { originOf, warnOfPlainHttp } from './addresses.ts'
export { readSandboxSetting, saveSandboxSetting, type SandboxSetting } from './browser-settings.ts'
export {
  listEndpoints,
  listRefusedEndpoints,
  loadEndpoints,
  removeEndpoint,
  saveEndpoint,
  type RefusedEndpoint,
  findPriceOf,
  type Endpoint,
} from './endpoints.ts'
export { openDatabaseKeyStore, rotateSecretKey } from './database-key-store.ts'
export { openKeyStore } from './file-key-store.ts'
export { openGeneralKey } from './general-key.ts'
export { endpointKeyName, findOtherOrigin, listKeys, listSecrets, mergeKeys, type KeyInfo } from './key-list.ts'
export type { KeyStore } from './key-store.ts'
export { findOsKeyStore } from './os-key-store.ts'
export { readPrivateJson, writePrivateFile } from './private-file.ts'
export { listProviderLimits, removeProviderLimits, saveProviderLimits } from './provider-limits.ts'
