export {
  acceptInvitation,
  checkPassword,
  closeAccountSession,
  enterByProvider,
  findOpenInvitation,
  findSessionAccount,
  INVITATION_DAYS,
  invite,
  openAccountSession,
  SESSION_LIFE_MS,
  writeInvitationLink,
  type ProvedPerson,
  drawSecret,
  hashSecret,
} from './accounts.ts'
export { createApiToken, findTokenAccount, TOKEN_PREFIX } from './api-tokens.ts'
export { findTightest, listAllowances, type Allowance } from './allowance.ts'
