// Not ./openai-compatible.ts and ./openrouter.ts: they load HTTP, which createClient and createClients do when needed.
export type { SdkLanguageModel } from './ai-sdk/ai-sdk.ts'
export { createClient, type EndpointClientOptions, type ModelClientOptions } from './create-client.ts'
export { createDemoClient, type DemoOptions } from './demo/demo.ts'
export { createLazyDemoClient } from './lazy-client.ts'
export { createClients, type Clients } from './resolve-client.ts'
export { createConnectGuard, readAllowedHosts, type ConnectGuard } from './http/connect-guard.ts'
