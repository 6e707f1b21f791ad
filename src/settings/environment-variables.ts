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
    meaning: 'how long to wait for a PostgreSQL server that does not respond, such as one that restarts (default 60)',
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
  { name: 'BENCHMAKER_DEMO_DELAY_MS', meaning: 'how long simulated models take in the web app, in ms (default 200)' },
  { name: 'BENCHMAKER_TEAM', meaning: 'on: people sign in, as with serve --team; also for workers of a team server' },
  {
    name: 'BENCHMAKER_SECRET_KEY',
    meaning: '32 bytes as base64 that encrypt the keys stored in the database; the same on servers and workers',
  },
  { name: 'BENCHMAKER_SECRET_KEY_OLD', meaning: 'the previous secret key, for benchmaker rotate-key' },
  {
    name: 'BENCHMAKER_ALLOWED_HOSTS',
    meaning: 'internal hosts that a team server may connect to for its users, separated by commas',
  },
  { name: 'BENCHMAKER_OIDC_ISSUER', meaning: 'the address of an OpenID provider, for signing in to a team server' },
  { name: 'BENCHMAKER_OIDC_CLIENT_ID', meaning: 'the id of this server at the OpenID provider' },
  { name: 'BENCHMAKER_OIDC_CLIENT_SECRET', meaning: 'its secret there' },
  { name: 'BENCHMAKER_OIDC_ADMIN_GROUPS', meaning: 'groups whose members are admins, separated by commas' },
  { name: 'BENCHMAKER_OIDC_RUNNER_GROUPS', meaning: 'groups whose members are runners' },
  { name: 'BENCHMAKER_OIDC_VIEWER_GROUPS', meaning: 'groups whose members are viewers' },
  { name: 'BENCHMAKER_OIDC_GROUPS_CLAIM', meaning: 'the claim that lists groups (default groups)' },
  {
    name: 'BENCHMAKER_OIDC_DEFAULT_ROLE',
    meaning:
      'for people in none of these groups: viewer, runner, admin or none (default viewer; none if groups are set)',
  },
  {
    name: 'BENCHMAKER_IMPORT_GB',
    meaning:
      'the most that is read of an imported file, in GB after unpacking (default 4); an eighth of it may be kept in memory',
  },
  { name: 'BENCHMAKER_LOG', meaning: 'json or text: writes a log to stderr (default: none)' },
  { name: 'BENCHMAKER_LOG_LEVEL', meaning: 'debug, info, warn or error (default info)' },
  {
    name: 'BENCHMAKER_STOP_GRACE_SECONDS',
    meaning: 'how long cells in progress may take when a server is stopped (default 8)',
  },
  {
    name: 'BENCHMAKER_PREVIEWS_FOLDER',
    meaning: 'the dist/ folder of the package benchmaker-previews (default: that of the installed one)',
  },
]
