import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { DeskRole, EditorScope } from '@tidings/contracts/desk/desk'
import * as routes from '@tidings/contracts/desk/routes'
import { call } from '#lib/api/call.ts'

/** The key of all that the screen has read, apart from the people. */
export const staffKey = ['staff'] as const

/** The open invitations, newest first. Only owners may read them. */
export const invitationsQuery = queryOptions({
  queryKey: [...staffKey, 'invitations'],
  queryFn: async ({ signal }) => (await call(routes.listInvitations, {}, { signal })).data,
})

/** The keys of scripts, without their secrets. Only owners may read them. */
export const keysQuery = queryOptions({
  queryKey: [...staffKey, 'keys'],
  queryFn: async ({ signal }) => (await call(routes.listEditorKeys, {}, { signal })).data,
})

/** The address of the log. */
export type LogSearch = { person?: string | undefined; memo?: string | undefined; day?: string | undefined }

/** The changes of the log, page by page, newest first. */
export function logPages(search: LogSearch, limit = 50) {
  const first: string | undefined = undefined
  return infiniteQueryOptions({
    queryKey: [...staffKey, 'log', search, limit],
    async queryFn({ pageParam, signal }: { pageParam: string | undefined; signal: AbortSignal }) {
      return await call(routes.listChanges, { query: { ...search, limit, after: pageParam } }, { signal })
    },
    initialPageParam: first,
    getNextPageParam: ({ next }) => next ?? undefined,
  })
}

/** Emails an invitation. The reply has the link of a new person, once. */
export async function sendInvitation(body: { email: string; roles: DeskRole[] }) {
  return (await call(routes.invite, { body })).data
}

export async function withdraw(id: string) {
  return (await call(routes.withdrawInvitation, { params: { id } })).data
}

/** Gives a person other roles, at once. */
export async function giveRoles(id: string, roles: DeskRole[]) {
  return (await call(routes.changeRoles, { params: { id }, body: { roles } })).data
}

export async function remove(id: string) {
  return (await call(routes.removePerson, { params: { id } })).data
}

/** Emails a person who lost their passkeys the way to a new one. */
export async function recover(id: string) {
  return (await call(routes.recoverPerson, { params: { id } })).data
}

/** Makes a key. The reply has its secret, once. */
export async function makeKey(body: { name: string; scopes: EditorScope[] }) {
  return (await call(routes.makeEditorKey, { body })).data
}

export async function revoke(id: string) {
  return (await call(routes.revokeEditorKey, { params: { id } })).data
}
