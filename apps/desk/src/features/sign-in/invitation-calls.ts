import { queryOptions } from '@tanstack/react-query'
import type { OpenInvitation } from '@tidings/contracts/desk/people/invitations'
import type { You } from '@tidings/contracts/desk/people/you'
import * as routes from '@tidings/contracts/desk/routes'
import { call } from '#lib/api/call.ts'
import { createPasskey } from '#lib/proof/create-passkey.ts'

/** The invitation behind a link. */
export function invitationOf(token: string) {
  return queryOptions({
    queryKey: ['invitation', token],
    async queryFn({ signal }): Promise<OpenInvitation> {
      return (await call(routes.openInvitationLink, { params: { token } }, { signal })).data
    },
    staleTime: Infinity,
  })
}

/** Accepts an invitation, with a passkey where browsers allow one. Rejects if the person cancels it. */
export async function acceptInvitation(
  token: string,
  { name, hasPasskeys }: { name: string; hasPasskeys: boolean },
): Promise<You> {
  const params = { token }
  if (!hasPasskeys) return (await call(routes.acceptInvitation, { params, body: { name } })).data
  const { data: options } = await call(routes.requestInvitationOptions, { params, body: { name } })
  const body = { name, response: await createPasskey(options) }
  return (await call(routes.acceptInvitation, { params, body })).data
}

/** Who signs in with a link from an email. */
export function signInLinkOf(token: string) {
  return queryOptions({
    queryKey: ['sign-in-link', token],
    async queryFn({ signal }): Promise<{ email: string }> {
      return (await call(routes.openSignInLink, { params: { token } }, { signal })).data
    },
    staleTime: Infinity,
  })
}

/** Signs in with a link, once. */
export async function signInWithLink(token: string): Promise<You> {
  return (await call(routes.signInWithLink, { params: { token } })).data
}
