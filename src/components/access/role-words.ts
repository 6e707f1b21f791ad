import type { Role } from '../../contract/index.ts'

export const roleNames: Record<Role, string> = { viewer: 'Viewer', runner: 'Runner', admin: 'Admin' }

/** What an invitation allows: `You are invited …`. */
export const roleWords: Record<Role, string> = {
  viewer: 'as a viewer: you can read everything',
  runner: 'as a runner: you can start runs, edit suites and rate answers',
  admin: 'as an admin: you can do everything, and manage people, keys and budgets',
}
