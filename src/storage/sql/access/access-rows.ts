import type { Selectable } from 'kysely'
import {
  foldText,
  type Account,
  type Activity,
  type ApiToken,
  type Invitation,
  type SealedKey,
} from '../../../contract/index.ts'
import type { AccessTables, AccountsTable, ActivityTable, ApiTokensTable, InvitationsTable } from './access-schema.ts'
import { readOptionalText, textColumn } from '../columns.ts'
import { decodeText, encodeText } from '../text-codec.ts'

export function accountRow(account: Account): AccountsTable {
  return {
    id: encodeText(account.id),
    login: encodeText(account.login),
    name: encodeText(account.name),
    role: account.role,
    password: account.password ?? null,
    subject: textColumn(account.subject),
    created_at: account.createdAt,
    disabled_at: account.disabledAt ?? null,
  }
}

export function readAccount(row: Selectable<AccountsTable>): Account {
  const subject = readOptionalText(row.subject)
  return {
    id: decodeText(row.id),
    login: decodeText(row.login),
    name: decodeText(row.name),
    role: row.role,
    createdAt: row.created_at,
    ...(row.disabled_at !== null && { disabledAt: row.disabled_at }),
    ...(row.password !== null && { password: row.password }),
    ...(subject !== undefined && { subject }),
  }
}

export function invitationRow(invitation: Invitation): InvitationsTable {
  return {
    hash: invitation.hash,
    login: encodeText(invitation.login),
    role: invitation.role,
    invited_by: textColumn(invitation.invitedBy),
    created_at: invitation.createdAt,
    ends_at: invitation.endsAt,
    used_at: invitation.usedAt ?? null,
  }
}

export function readInvitation(row: Selectable<InvitationsTable>): Invitation {
  const invitedBy = readOptionalText(row.invited_by)
  return {
    hash: row.hash,
    login: decodeText(row.login),
    role: row.role,
    createdAt: row.created_at,
    endsAt: row.ends_at,
    ...(invitedBy !== undefined && { invitedBy }),
    ...(row.used_at !== null && { usedAt: row.used_at }),
  }
}

export function readApiToken(row: Selectable<ApiTokensTable>): ApiToken {
  return {
    hash: row.hash,
    account: decodeText(row.account),
    name: decodeText(row.name),
    role: row.role,
    createdAt: row.created_at,
    endsAt: row.ends_at,
    ...(row.used_at !== null && { usedAt: row.used_at }),
  }
}

export function readSealedKey(row: Selectable<AccessTables['sealed_keys']>): SealedKey {
  const savedBy = readOptionalText(row.saved_by)
  return {
    name: decodeText(row.name),
    sealed: row.sealed,
    savedAt: row.saved_at,
    ...(savedBy !== undefined && { savedBy }),
  }
}

export function activityRow({ at, person, action, object, detail }: Activity): Omit<ActivityTable, 'number'> {
  return {
    at,
    person: textColumn(person?.id),
    person_name: textColumn(person?.name),
    action: encodeText(action),
    object: textColumn(object),
    detail: textColumn(detail),
    words: [person?.name ?? '', action, object ?? '', detail ?? ''].map(foldText).join('\n'),
  }
}

export function readActivity(row: Selectable<ActivityTable>): Activity {
  const object = readOptionalText(row.object)
  const detail = readOptionalText(row.detail)
  return {
    at: row.at,
    ...(row.person !== null && {
      person: { id: decodeText(row.person), name: decodeText(row.person_name ?? row.person) },
    }),
    action: decodeText(row.action),
    ...(object !== undefined && { object }),
    ...(detail !== undefined && { detail }),
  }
}
