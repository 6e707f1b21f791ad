/** An environment variable that the program reads. */
export interface EnvironmentVariable {
  name: `BENCHMAKER_${string}`
  /** For the reference, with the default. */
  meaning: string
}

/** Every variable of our own; `environment-variables.test.ts` searches the sources for others. */
export const environmentVariables: readonly EnvironmentVariable[] = [
  { name: 'BENCHMAKER_HOME', meaning: 'the data folder (default: the platform’s data folder)' },
  { name: 'BENCHMAKER_DATABASE_URL', meaning: 'postgres://…: stores runs in PostgreSQL instead of SQLite' },
  {
    name: 'BENCHMAKER_DATABASE_RECONNECT_SECONDS',
    meaning: 'how long to wait for a PostgreSQL server that is away, such as one that restarts (default 60)',
  },
  { name: 'BENCHMAKER_API_KEY', meaning: 'the key of the server behind --base-url' },
  {
    name: 'BENCHMAKER_KEY_STORE',
    meaning: 'file: keeps saved keys in the data folder instead of the system’s key store',
  },
  { name: 'BENCHMAKER_CHROMIUM', meaning: 'the browser that takes screenshots (default: an installed one)' },
  {
    name: 'BENCHMAKER_CHROMIUM_SANDBOX',
    meaning: 'off: takes screenshots without Chromium’s sandbox; on: overrides Settings',
  },
  { name: 'BENCHMAKER_DEMO_DELAY_MS', meaning: 'how long simulated models take in the web app, in ms (default 350)' },
  {
    name: 'BENCHMAKER_VENDOR_FOLDER',
    meaning: 'the libraries that previews of pages load (default: those that ship with Benchmaker)',
  },
]
